import { describe, expect, test } from 'vitest'
import { compound, isExitEarly, memoryJournal, resolve, tool } from '../../index.ts'
import { autoReview } from '../../review/auto-review.ts'
import { createInbox } from '../../review/create-inbox.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import { humanInput } from './human-input.ts'

const ask = humanInput()
const book = tool({ name: 'book_table', description: 'Books a table.', idempotent: 'keyed', execute: (when) => `Booked for ${when}.` })

/** A step that hands its answer to the next one. */
const dinner = compound({
  name: 'dinner',
  description: 'Books a table when it suits.',
  parts: { ask, book },
  async run(_input: string, context) {
    const when = await context.call('ask', ask, 'When?')
    return when.ok ? context.call('book', book, when.value) : when
  },
})

test('a model sees one string parameter, and a plan sees no effect [T16]', () => {
  expect(ask.name).toBe('human_input')
  expect(ask.specification.parameters).toMatchObject({ required: ['input'], properties: { input: { type: 'string' } } })
  expect([ask.effect, ask.idempotent, ask.plan().parts]).toEqual(['read', true, []])
})

test('the answer of a person is the value [T16]', async () => {
  const inbox = createInbox()
  inbox.on('requested', ({ request }) => void inbox.answer(request.id, 'The red one.', 'ada'))
  const result = await ask.call('Which one?', { review: inbox.handler })
  expect(result).toMatchObject({ ok: true, value: 'The red one.', text: 'The red one.' })
  expect(result.issues).toBeUndefined()
})

test('the person sees the question and the kind of answer that is wanted [T16]', async () => {
  const seen: unknown[] = []
  const review = autoReview((request) => {
    seen.push(request)
    return { action: 'answer', value: '' }
  })
  const { call } = await resolve([ask])
  expect(await call('human_input', '{"input":"Which one?"}', { review })).toMatchObject({ ok: true, value: '' })
  expect(seen).toMatchObject([
    { kind: 'question', tool: 'human_input', why: 'Which one?', risk: 'low', answerSchema: { type: 'string' }, onTimeout: 'stop' },
  ])
})

describe('with nobody to ask', () => {
  test('it says so, as a success with a warning, and the agent proceeds [T16]', async () => {
    const result = await ask.call('Which one?')
    expect(result).toMatchObject({
      ok: true,
      text: 'No person is available to answer. Proceed without an answer, on your best judgement, and say what you assumed.',
      issues: [{ severity: 'warning', message: 'Nobody answered.' }],
    })
  })

  test('the words can be set [T16]', async () => {
    expect(await humanInput({ unavailable: 'Ask again tomorrow.' }).call('Which one?')).toMatchObject({ text: 'Ask again tomorrow.' })
  })
})

describe('the run stops', () => {
  test.each([
    ['a rejection', autoReview({ action: 'reject', reason: 'not now' }), 'not now'],
    ['a stop', autoReview({ action: 'stop', reason: 'enough' }), 'enough'],
    ['an answer that is no text', autoReview({ action: 'answer', value: 42 }), 'does not fit the question'],
    ['a decision that makes no sense here', autoReview({ action: 'continue' }), 'Which one?'],
    ['a reviewer who is lost', { review: () => Promise.reject(new Error('the line is dead')) }, 'the line is dead'],
  ])('at %s, also from inside a compound that catches everything [T16]', async (_name, review, words) => {
    const careful = compound({
      name: 'careful',
      description: 'Catches everything.',
      parts: { ask },
      run: async (question, context) => {
        try {
          return await context.call('ask', ask, question)
        } catch {
          return 'caught'
        }
      },
    })
    for (const each of [ask, careful]) {
      const error: unknown = await each.call('Which one?', { review }).catch((thrown: unknown) => thrown)
      expect(isExitEarly(error)).toBe(true)
      expect(error).toMatchObject({ message: expect.stringContaining(words) })
    }
  })

  test.each([
    ['its own timeout', humanInput({ timeout: '10m' }), 600_000],
    ['that of the handler', humanInput(), 300_000],
  ])('when nobody answers within %s, however short the deadline is [T16]', async (_name, asking, ms) => {
    const clock = fakeClock()
    const inbox = createInbox()
    let error: unknown
    const running = asking
      .call('Which one?', { review: { ...inbox.handler, timeoutMs: 300_000 }, clock, deadline: '1s' })
      .catch((thrown: unknown) => (error = thrown))
    await clock.advance(ms - 1)
    expect(await inbox.list()).toHaveLength(1)
    await clock.advance(1)
    await running
    expect(error).toMatchObject({ name: 'ExitEarly', message: expect.stringContaining('Nobody decided in time.') })
  })
})

test('a cancelled call is a cancellation, not a rejection [T16]', async () => {
  const cancel = new AbortController()
  const inbox = createInbox()
  inbox.on('requested', () => cancel.abort())
  expect(await ask.call('Which one?', { review: inbox.handler, signal: cancel.signal })).toMatchObject({ error: { code: 'cancelled' } })
  expect(await inbox.list()).toEqual([])
})

describe('as a step of another tool', () => {
  const answers = () => autoReview({ action: 'answer', value: 'Friday' })

  test('its answer goes on [T16]', async () => {
    expect(await dinner.call('x', { review: answers() })).toMatchObject({ ok: true, value: 'Booked for Friday.' })
  })

  test('a recorded run replays the answer from every point [T16]', async () => {
    const report = await replayFromEveryPrefix(dinner, 'x', { options: () => ({ review: answers() }) })
    expect(report.live).toMatchObject({ result: { ok: true, value: 'Booked for Friday.' } })
    expect(report.entries.map(({ kind }) => kind)).toContain('review')
    expect(report.diverged).toEqual([])
  })

  test('a recorded rejection stops the replay too, with the same words [T16]', async () => {
    const report = await replayFromEveryPrefix(dinner, 'x', { options: () => ({ review: autoReview({ action: 'reject' }) }) })
    expect(report.live).toMatchObject({ rejected: { name: 'ExitEarly' } })
    expect(report.diverged).toEqual([])
  })

  test('nobody is asked twice [T16]', async () => {
    const journal = memoryJournal()
    await dinner.call('x', { review: answers(), journal, idempotencyKey: 'r' })
    const again = memoryJournal(journal.entries)
    expect(await dinner.call('x', { review: autoReview({ action: 'stop' }), journal: again, idempotencyKey: 'r' })).toMatchObject({
      value: 'Booked for Friday.',
    })
  })
})

test('a timeout that cannot be read is refused when the tool is made', () => {
  expect(() => humanInput({ timeout: -1 })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})

test('with onTimeout continue, an agent that gets no answer in time goes on without one [T16] [T17]', async () => {
  const clock = fakeClock()
  const asked = humanInput({ timeout: '10m', onTimeout: 'continue' }).call('Which one?', { review: createInbox().handler, clock })
  expect(await clock.until(asked)).toMatchObject({ ok: true, issues: [{ message: 'Nobody answered.' }] })
})
