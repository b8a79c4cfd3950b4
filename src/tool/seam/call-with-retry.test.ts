import { describe, expect, test } from 'vitest'
import { backoff } from '../../policies/backoff.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import { compound } from '../compound.ts'
import { type Outcome, ToolError } from '../errors/tool-error.ts'
import { memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'
import { callWithRetry, type RetriedCall } from './call-with-retry.ts'

interface Flaky {
  readonly failures: number
  readonly outcome?: Outcome
  readonly isRetryable?: boolean
}

/** Fails so often, and counts its calls. */
const flaky = ({ failures, outcome = 'failed', isRetryable = true }: Flaky) => {
  const keys: string[] = []
  const made = tool({
    name: 'flaky',
    description: 'Fails at first.',
    effect: 'write',
    execute: (input: string, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      if (keys.length <= failures) throw new ToolError('Busy.', { class: 'transient', retryable: isRetryable, outcome })
      return input
    },
  })
  return { tool: made, keys }
}

const patient = (flakyTool: ReturnType<typeof flaky>['tool'], options: Partial<RetriedCall<string, string>> = {}) =>
  compound({
    name: 'patient',
    description: 'Asks again.',
    parts: { flakyTool },
    run: (input, context, parts) =>
      callWithRetry(context, { label: 'ask', tool: parts.flakyTool, input, backoff: backoff({ attempts: 3, base: '100ms' }), ...options }),
  })

describe('a call with retries inside a compound', () => {
  test('is made again under the same key until it succeeds', async () => {
    const { tool: made, keys } = flaky({ failures: 2 })
    const clock = fakeClock()
    const result = await clock.until(patient(made).call('x', { clock, idempotencyKey: 'run', random: () => 0 }))
    expect(result).toMatchObject({ ok: true, value: 'x' })
    expect(new Set(keys).size).toBe(1)
    expect(result.steps?.map(({ path }) => path)).toEqual(['patient/ask', 'patient/ask@2', 'patient/ask@3'])
  })

  test.each<[string, Flaky, number]>([
    ['the attempts are spent', { failures: 9 }, 3],
    ['the failure is not worth another', { failures: 9, isRetryable: false }, 1],
    ['it may have taken effect, and is not safe to repeat', { failures: 9, outcome: 'unknown' }, 1],
  ])('ends when %s', async (_when, given, calls) => {
    const { tool: made, keys } = flaky(given)
    const clock = fakeClock()
    const result = await clock.until(patient(made).call('x', { clock }))
    expect(result.ok).toBe(false)
    expect(keys).toHaveLength(calls)
  })

  test('asks a rule of its own whether a failure is worth another attempt', async () => {
    const { tool: made, keys } = flaky({ failures: 1, isRetryable: false })
    const clock = fakeClock()
    const result = await clock.until(patient(made, { retryIf: ({ message }) => message === 'Busy.' }).call('x', { clock }))
    expect([result.ok, keys.length]).toEqual([true, 2])
  })

  test('records its attempts and waits, and goes on from every point of the record', async () => {
    let calls = 0
    const made = tool({
      name: 'flaky',
      description: 'Fails twice in each run.',
      effect: 'read',
      execute: (input: string, { path }) => {
        calls++
        if (!path.endsWith('@3')) throw new ToolError('Busy.', { class: 'transient' })
        return input
      },
    })
    const { diverged, entries } = await replayFromEveryPrefix(patient(made), 'x')
    expect(diverged).toEqual([])
    expect(entries.filter(({ kind }) => kind === 'sleep').map(({ path }) => path)).toEqual(['patient/.wait.ask.1', 'patient/.wait.ask.2'])
    expect(calls).toBeGreaterThan(3)
  })

  test('may be made several times, each with labels of its own', async () => {
    const { tool: made } = flaky({ failures: 0 })
    const journal = memoryJournal()
    const twice = compound({
      name: 'twice',
      description: 'Asks twice.',
      parts: { made },
      async run(input, context, parts) {
        const call = { label: 'ask', tool: parts.made, input, backoff: backoff() }
        await callWithRetry(context, call)
        return callWithRetry(context, call)
      },
    })
    await twice.call('x', { journal })
    expect(new Set(journal.entries.map(({ path }) => path))).toEqual(new Set(['twice/ask', 'twice/ask#2']))
  })

  test.each([
    ['a tool that is not among the parts', { tool: flaky({ failures: 0 }).tool }, 'undeclared_part'],
    ['a backoff that is none', { backoff: {} }, 'invalid_option'],
    ['a rule that is no function', { retryIf: 3 }, 'invalid_option'],
    ['an empty label', { label: '' }, 'invalid_label'],
    ['a label with a leading dot', { label: '.ask' }, 'invalid_label'],
    ['the label of a compensation', { label: 'undo.ask' }, 'invalid_label'],
  ])('refuses %s', async (_what, options, code) => {
    const { tool: made } = flaky({ failures: 0 })
    await expect(patient(made, options as never).call('x')).rejects.toMatchObject({ code })
  })

  test.each([
    ['retryIf', { retryIf: (async () => Promise.reject(new Error('late'))) as never }],
    ['backoff', { backoff: { waitAfter: (async () => Promise.reject(new Error('late'))) as never } }],
  ])('fails where %s gives a promise', async (name, options) => {
    const { tool: made, keys } = flaky({ failures: 9 })
    const result = await patient(made, options).call('x')
    expect(result).toMatchObject({ ok: false, error: { code: 'adapter_failed' } })
    expect(result.text).toContain(name)
    expect(keys).toHaveLength(1)
  })
})
