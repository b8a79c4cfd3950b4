import { expect, test } from 'vitest'
import { breaker } from '../../src/combinators/breaker/breaker.ts'
import { limit } from '../../src/combinators/limit/limit.ts'
import { retry } from '../../src/combinators/retry/retry.ts'
import { createRuntime } from '../../src/runtime/create-runtime.ts'
import { fakeClock } from '../../src/testing/fake-clock.ts'
import { memoryRuns } from '../../src/testing/memory-runs.ts'
import { ToolError, type ToolErrorOptions } from '../../src/tool/errors/tool-error.ts'
import { tool } from '../../src/tool/tool.ts'

/** Fails by a script, and remembers when it was called, and under which key. */
function service(failures: readonly ToolErrorOptions[]) {
  const calls: { readonly at: number; readonly key: string }[] = []
  const made = tool({
    name: 'service',
    description: 'Serves.',
    effect: 'write',
    idempotent: 'keyed',
    execute: async (input: string, { clock, idempotencyKey: key }) => {
      calls.push({ at: clock.now(), key })
      const failure = failures[calls.length - 1]
      if (failure !== undefined) throw new ToolError('Busy.', failure)
      return input
    },
  })
  return { tool: made, calls }
}

const HOUR = 3_600_000

test('a durable run leaves its process during the long wait of a retry, and goes on under the same key [H2]', async () => {
  const clock = fakeClock()
  const { tool: made, calls } = service([{ class: 'rate_limited', retryAfterMs: HOUR }])
  const patient = retry(made)
  const runtime = createRuntime({ tools: [patient], database: memoryRuns({ clock }) })
  const run = await runtime.start(patient, 'x')
  expect((await clock.until(run.until(({ status }) => status === 'waiting'))).status).toBe('waiting')
  expect(calls).toHaveLength(1)
  const result = await clock.until(run.result())
  expect(result).toMatchObject({ ok: true, value: 'x' })
  expect(calls[1]?.at).toBeGreaterThanOrEqual((calls[0]?.at ?? 0) + HOUR)
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
  await runtime.close()
})

test('a durable run leaves its process while it waits for its turn at a limit [F5]', async () => {
  const clock = fakeClock()
  const { tool: made, calls } = service([])
  const modest = limit(made, { rate: { calls: 1, per: '1h' } })
  const runtime = createRuntime({ tools: [modest], database: memoryRuns({ clock }) })
  const first = await runtime.start(modest, 'a')
  await clock.until(first.result())
  const second = await runtime.start(modest, 'b')
  expect((await clock.until(second.until(({ status }) => status === 'waiting'))).status).toBe('waiting')
  expect(calls).toHaveLength(1)
  expect(await clock.until(second.result())).toMatchObject({ ok: true, value: 'b' })
  expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(HOUR)
  await runtime.close()
})

test('durable runs share a breaker [F2]', async () => {
  const clock = fakeClock()
  const { tool: made, calls } = service([{ class: 'transient' }])
  const guarded = breaker(made, { minCalls: 1 })
  const runtime = createRuntime({ tools: [guarded], database: memoryRuns({ clock }) })
  const [first, second] = [await runtime.start(guarded, 'a'), await runtime.start(guarded, 'b')]
  const ends = await clock.until(Promise.all([first.result(), second.result()]))
  expect(ends.map((end) => (end.ok ? '' : end.error.code)).toSorted()).toEqual(['circuit_open', 'tool_failed'])
  expect(calls).toHaveLength(1)
  await runtime.close()
})
