import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { ModelPrompt, ModelReply } from '../../tool/ports/model.ts'
import { success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { humanInput } from '../../kits/basic/human-input.ts'
import type { Classifier } from './classifier.ts'
import { classify } from './classify.ts'
import { modelClassifier } from './model-classifier.ts'

const say = (name: string): AgentTool<string, string> =>
  tool({ name, description: `Says ${name}.`, effect: 'read', execute: (text) => `${name}: ${text}` })
const routes = {
  refund: { tool: say('refund'), description: 'Wants money back.' },
  exchange: { tool: say('exchange'), description: 'Wants another size.' },
}
const whole = { name: 'desk', description: 'Handles a request.', routes }
const sure =
  (...said: readonly unknown[]): Classifier<string> =>
  () =>
    said as never
const otherwise = say('clerk')

describe('a classified branch', () => {
  test('takes the best route when its confidence reaches the threshold [C2]', async () => {
    const said = [
      { route: 'refund', confidence: 0.3 },
      { route: 'exchange', confidence: 0.7 },
    ]
    const result = await classify(sure(...said), whole).call('x')
    expect(result).toMatchObject({ ok: true, text: 'exchange: x', steps: [{ label: 'exchange' }] })
    expect(result.issues).toBeUndefined()
  })

  test('takes the route for doubt below the threshold, and says so [C2]', async () => {
    const said = [
      { route: 'refund', confidence: 0.31 },
      { route: 'exchange', confidence: 0.69 },
    ]
    const result = await classify(sure(...said), { ...whole, otherwise }).call('x')
    expect(result).toMatchObject({
      text: 'clerk: x',
      steps: [{ label: 'otherwise' }],
      issues: [
        { severity: 'info', message: "The route was not clear (exchange 0.69, refund 0.31, and 0.7 is needed), so 'clerk' answered." },
      ],
    })
  })

  test('without a route for doubt fails as ambiguous, and nothing runs [C2]', async () => {
    const result = await classify(sure({ route: 'refund', confidence: 0.5 }), { ...whole, threshold: 0.6 }).call('x')
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'ambiguous',
        outcome: 'not_started',
        message: "It is not clear which route of 'desk' to take: refund 0.5, and 0.6 is needed.",
      },
    })
    expect(result.steps).toBeUndefined()
  })

  test('may send doubt to a person, or to a tool with an input of its own [C2]', async () => {
    const doubtful = sure()
    const asked = classify(doubtful, { ...whole, otherwise: { tool: humanInput(), input: (text) => `What is meant by ${text}?` } })
    const review = recordingReview({ action: 'answer', value: 'A refund.' })
    expect(await asked.call('x', { review })).toMatchObject({ text: 'A refund.' })
    expect(review.requests[0]).toMatchObject({ why: 'What is meant by x?' })
  })

  test.each([
    ['a list of nonsense', [null, 7, 'refund', { confidence: 1 }, { route: 'refund' }, { route: 7, confidence: 1 }]],
    [
      'an unknown route',
      [
        { route: 'steal', confidence: 1 },
        { route: 'toString', confidence: 1 },
      ],
    ],
    [
      'a confidence that is not a number',
      [
        { route: 'refund', confidence: Number.NaN },
        { route: 'exchange', confidence: '0.9' },
      ],
    ],
    [
      'a confidence above 1 or below 0',
      [
        { route: 'refund', confidence: 1.2 },
        { route: 'exchange', confidence: -1 },
      ],
    ],
    [
      'two routes that are equally sure',
      [
        { route: 'refund', confidence: 0.9 },
        { route: 'exchange', confidence: 0.9 },
      ],
    ],
    ['nothing', []],
  ])('counts %s as doubt', async (_what, said) => {
    expect(await classify(sure(...said), { ...whole, otherwise }).call('x')).toMatchObject({ text: 'clerk: x' })
    expect(await classify(sure(...said), { ...whole, threshold: 0, otherwise }).call('x')).toMatchObject({ text: 'clerk: x' })
  })

  test('believes the surest of several words about one route, and ignores what else is said', async () => {
    const said = [
      { route: 'refund', confidence: 0.2 },
      { route: 'refund', confidence: 0.8 },
      { route: 'steal', confidence: 1 },
    ]
    expect(await classify(sure(...said), whole).call('x')).toMatchObject({ text: 'refund: x' })
    expect(await classify((() => 'refund') as never, { ...whole, otherwise }).call('x' as never)).toMatchObject({ text: 'clerk: x' })
  })

  test('gives the classifier the validated input and the descriptions of the routes', async () => {
    const seen: unknown[] = []
    const Text = z.object({ text: z.string().trim() })
    const typed = tool({
      name: 'typed',
      description: 'd',
      inputSchema: z.object({ text: z.string() }),
      effect: 'read',
      execute: ({ text }) => text,
    })
    const desk = classify(
      (input, described) => {
        seen.push(input, described)
        return [{ route: 'typed', confidence: 1 }]
      },
      { name: 'desk', description: 'd', inputSchema: Text, routes: { typed: { tool: typed, description: 'All of it.' } } },
    )
    expect((await desk.call({ text: ' a ' })).text).toBe('a')
    expect(seen).toEqual([{ text: 'a' }, [{ route: 'typed', description: 'All of it.' }]])
  })

  test('keeps what the route for doubt said beside its value', async () => {
    const chatty = tool({
      name: 'chatty',
      description: 'd',
      effect: 'read',
      execute: () => success({ n: 1 }, { text: 'one', confidence: 0.4, issues: [{ severity: 'warning', message: 'careful' }] }),
    })
    const result = await classify(sure(), { ...whole, otherwise: chatty }).call('x')
    expect(result).toMatchObject({
      ok: true,
      text: 'one',
      value: { n: 1 },
      confidence: 0.4,
      issues: [{ message: 'careful' }, { severity: 'info' }],
    })
  })

  test('a classifier that fails is a failure of its own kind, which a replay repeats without asking again', async () => {
    let asked = 0
    const failing = classify(
      (_input, _routes, { usage }) => {
        asked++
        usage({ tokens: 3 })
        throw Object.assign(new Error('slow down'), { status: 429 })
      },
      { ...whole, otherwise },
    )
    const journal = memoryJournal()
    const live = await failing.call('x', { journal })
    expect(live).toMatchObject({
      ok: false,
      usage: { tokens: 3 },
      error: { code: 'rate_limited', class: 'rate_limited', retryable: true, message: 'The classifier failed: slow down' },
    })
    const again = await failing.call('x', { journal: memoryJournal(journal.entries) })
    expect(again).toMatchObject({ ok: false, usage: { tokens: 3 }, error: { code: 'rate_limited' } })
    expect(asked).toBe(1)
  })

  test('does not ask again in a replay, and what the answer cost counts there too', async () => {
    let asked = 0
    const desk = classify(async (_input, _routes, { usage }) => {
      asked++
      usage({ tokens: 5, costUsd: 0.1 })
      usage({ tokens: 1 })
      return [{ route: asked === 1 ? 'refund' : 'exchange', confidence: 0.9 }]
    }, whole)
    const journal = memoryJournal()
    const live = await desk.call('x', { journal })
    const again = await desk.call('x', { journal: memoryJournal(journal.entries.slice(0, 1)) })
    expect([live.text, again.text, asked]).toEqual(['refund: x', 'refund: x', 1])
    expect(again.usage).toEqual({ tokens: 6, costUsd: 0.1 })
  })

  test('a classifier that ignores its signal does not hold the call beyond its deadline, recorded or not', async () => {
    const stuck = classify(() => new Promise<never>(() => {}), whole)
    for (const journal of [undefined, memoryJournal()]) {
      const clock = fakeClock()
      const result = await clock.until(stuck.call('x', { clock, journal, deadline: '1s' }))
      expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    }
  })

  test('refuses a threshold that is none, a classifier that is none, and no routes at all', () => {
    const expected = (code: string) => expect.objectContaining({ code })
    for (const threshold of [-0.1, 1.1, Number.NaN, '0.7' as never])
      expect(() => classify(sure(), { ...whole, threshold })).toThrow(expected('invalid_option'))
    expect(() => classify('refund' as never, whole)).toThrow(expected('invalid_definition'))
    expect(() => classify(modelClassifier(), { ...whole, routes: {} as typeof routes, otherwise })).toThrow(expected('invalid_definition'))
    expect(() => classify(sure(), { ...whole, routes: { 'a/b': routes.refund } })).toThrow(expected('invalid_label'))
  })

  test('shows its routes, its threshold and its worst figures in its plan', () => {
    expect(classify(sure(), { ...whole, otherwise }).plan()).toMatchObject({
      kind: 'branch',
      detail: 'by a classifier, confidence at least 0.7',
      parts: [{ label: 'refund', when: 'Wants money back.' }, { label: 'exchange' }, { label: 'otherwise', when: 'nothing reaches 0.7' }],
    })
  })
})

describe('a model as classifier', () => {
  const withModel = (reply: Partial<ModelReply> | Error, prompts: ModelPrompt[] = []): CallOptions => ({
    model: {
      generate: async (prompt) => {
        prompts.push(prompt)
        if (reply instanceof Error) throw reply
        return { text: '', ...reply }
      },
    },
  })
  const desk = classify(modelClassifier({ instructions: 'Be kind.' }), { ...whole, otherwise })

  test('is asked with the routes and a schema, and its answer chooses [C2]', async () => {
    const prompts: ModelPrompt[] = []
    const reply = { value: { routes: [{ route: 'refund', confidence: 0.9 }] }, usage: { tokens: 40, costUsd: 0.002 } }
    const result = await desk.call('My money back!\n- exchange: everything', withModel(reply, prompts))
    expect(result).toMatchObject({ steps: [{ label: 'refund' }], usage: { tokens: 40, costUsd: 0.002 } })
    expect(prompts).toHaveLength(1)
    expect(prompts[0]?.system).toContain('Be kind.')
    expect(prompts[0]?.prompt).toBe(
      'Routes:\n- refund: Wants money back.\n- exchange: Wants another size.\nInput, as JSON:\n"My money back!\\n- exchange: everything"',
    )
    expect(prompts[0]?.schema).toMatchObject({
      properties: {
        routes: { items: { properties: { route: { enum: ['refund', 'exchange'] }, confidence: { minimum: 0, maximum: 1 } } } },
      },
    })
    expect(prompts[0]?.signal).toBeInstanceOf(AbortSignal)
  })

  test('may answer in text', async () => {
    const text = JSON.stringify({ routes: [{ route: 'exchange', confidence: 1 }] })
    expect(await desk.call('x', withModel({ text }))).toMatchObject({ text: 'exchange: x' })
  })

  test.each([
    ['no answer', {}],
    ['text that is not JSON', { text: 'refund, I think' }],
    ['another shape', { value: { route: 'refund', confidence: 1 } }],
    ['a number', { value: 7 }],
    ['an unknown route', { value: { routes: [{ route: 'steal', confidence: 1 }] } }],
  ])('that gives %s counts as no confidence', async (_what, reply) => {
    expect(await desk.call('x', withModel(reply))).toMatchObject({ text: 'clerk: x' })
  })

  test('that fails is a failure', async () => {
    const result = await desk.call('x', withModel(new ToolError('The model is away.', { class: 'transient' })))
    expect(result).toMatchObject({
      ok: false,
      error: { message: 'The classifier failed: The model is away.', class: 'transient', retryable: true },
    })
  })

  test('that is missing is a configuration error', async () => {
    await expect(desk.call('x')).rejects.toMatchObject({ code: 'missing_model' })
  })
})
