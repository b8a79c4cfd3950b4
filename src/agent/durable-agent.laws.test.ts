import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isFull } from '../../test/fixtures/is-full.ts'
import { type ModelTurn, scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { gate } from '../combinators/gate/gate.ts'
import { outputRouter } from '../context/output-router.ts'
import { memoryOutputs } from '../context/stored-outputs.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { fakeClock, settled } from '../testing/fake-clock.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'

const plans = fc.record({
  /** For each turn: how many orders it pays; every second call is gated. */
  turns: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }),
  /** The worker dies when the model is asked for these turns, and when these orders are paid, the first time. */
  killedAsking: fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
  killedPaying: fc.uniqueArray(fc.nat(9), { maxLength: 4 }),
  /** While the run is parked. */
  killedParked: fc.boolean(),
  end: fc.constantFrom('approve', 'reject', 'cancel', 'late'),
  router: fc.boolean(),
})
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never

async function play({ turns, killedAsking, killedPaying, killedParked, end, router }: Plan) {
  const clock = fakeClock()
  const runs = memoryRuns({ clock })
  const asked = new Map<number, number>()
  const paid = new Map<string, string[]>()
  let crashes = 0
  const toKill = { asking: new Set(killedAsking), paying: new Set(killedPaying.map((each) => `o${each}`)) }
  /** What a process has promised stays open when it dies: nobody waits for it. */
  let dying = Promise.withResolvers<undefined>()
  const unlessKilled = <T>(promise: Promise<T>): Promise<T | undefined> => Promise.race([promise, dying.promise])
  const die = (): Promise<never> => {
    crashes++
    runs.crash()
    start()
    dying.resolve(undefined)
    dying = Promise.withResolvers()
    return new Promise<never>(() => {})
  }
  const pay = (name: string) =>
    tool({
      name,
      description: 'Pays.',
      effect: 'write',
      idempotent: 'keyed',
      inputSchema: z.object({ order: z.string() }),
      execute: async ({ order }, { idempotencyKey }) => {
        paid.set(order, [...(paid.get(order) ?? []), idempotencyKey])
        // It has taken effect, and nobody knows.
        if (toKill.paying.delete(order)) await die()
        return `${order} is paid`
      },
    })
  let orders = 0
  const firstOrder = turns.map((count) => (orders += count) - count)
  const script: ModelTurn = (request) => {
    const at = request.prompt.filter(({ role }) => role === 'assistant').length
    asked.set(at, (asked.get(at) ?? 0) + 1)
    const count = turns[at]
    if (count === undefined || request.tools === undefined) return 'Done.'
    return {
      calls: Array.from({ length: count }, (_, index) => {
        const number = (firstOrder[at] ?? 0) + index
        return [number % 2 === 0 ? 'pay' : 'pay_after_approval', { order: `o${number}` }] as const
      }),
    }
  }
  const { model } = scriptedModel(script)
  const mortal: typeof model = {
    ...model,
    doGenerate: async (request) => {
      const reply = await model.doGenerate(request)
      const at = request.prompt.filter(({ role }) => role === 'assistant').length
      if (toKill.asking.delete(at)) await die()
      return reply
    },
  }
  const store = memoryOutputs()
  const clerk = agent({
    name: 'clerk',
    role: 'Clerk',
    goal: 'Pay.',
    model: mortal,
    tools: [pay('pay'), gate(pay('pay_after_approval'))],
    limits: { deadline: '1h' },
    ...(router ? { router: outputRouter({ budget: { window: 8000, maxOutput: 120 }, store }) } : {}),
  }).asTool()
  let runtime = createRuntime({ tools: [clerk], database: runs, worker: false })
  const start = (): void => {
    runtime = createRuntime({ tools: [clerk], database: runs })
    void runtime.runs()
  }
  const { id } = await runtime.start(clerk, { task: 'Pay.' })
  start()
  let hasWaited = false
  for (let round = 0; round < 200; round++) {
    await runs.idle()
    await settled()
    const run = await unlessKilled(runtime.run(id))
    const status = run === undefined ? undefined : (await unlessKilled(run.status()))?.status
    if (run === undefined || status === undefined) continue
    if (status === 'completed' || status === 'failed' || status === 'cancelled') {
      const result = await run.result().catch((error: unknown) => error)
      runs.crash()
      return { status, result, asked, paid, crashes, orders }
    }
    if (status !== 'waiting') {
      if (!(await clock.next())) await settled()
      continue
    }
    if (!hasWaited && killedParked) {
      hasWaited = true
      crashes++
      runs.crash()
      start()
      continue
    }
    if (end === 'cancel') await unlessKilled(run.cancel('enough'))
    else {
      const [item] = (await unlessKilled(runtime.inbox.list({ run: id }))) ?? []
      // The clock of a run stands still while it waits for people.
      if (end === 'late') await clock.advance(3_700_000)
      if (item === undefined) await clock.next()
      else if (end !== 'reject') await unlessKilled(runtime.inbox.approve(item.request.id, 'bob'))
      else await unlessKilled(runtime.inbox.reject(item.request.id, 'bob', 'no'))
    }
  }
  throw new Error('The run did not end.')
}

test(
  '[T18] [G5] a durable agent ends wherever its workers die and however its gates are decided; answers and effects count once',
  { timeout: 600_000 },
  async () => {
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { status, result, asked, paid, crashes, orders } = await play(plan)
        seen.set(status, (seen.get(status) ?? 0) + 1)
        const isGated = orders > 1
        if (!isGated || plan.end !== 'cancel') expect(result).toMatchObject({ ok: true, text: 'Done.' })
        else expect(status).toBe('cancelled')
        // An answer that was on its way when the worker died is asked for again, and no other.
        for (const [turn, times] of asked) expect(times).toBeLessThanOrEqual(plan.killedAsking.includes(turn) ? 2 : 1)
        for (const keys of paid.values()) expect(new Set(keys).size).toBe(1)
        // The result of a keyed effect may be lost with its worker: then it is asked for again, under the same key.
        for (const keys of paid.values()) expect(keys.length).toBeLessThanOrEqual(1 + crashes)
      }),
      { numRuns: isFull ? 1500 : 40 },
    )
    expect([...seen.keys()].toSorted()).toEqual(['cancelled', 'completed'])
  },
)
