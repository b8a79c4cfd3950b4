import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { comparable, replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../agent-tool.ts'
import { compound } from '../compound.ts'
import type { ToolContext } from '../context.ts'
import type { ReviewDecision, ReviewRequest } from '../review.ts'
import { tool } from '../tool.ts'
import { memoryJournal } from './journal.ts'

type Op =
  | { readonly op: 'charge' | 'look' | 'gated' | 'fail'; readonly amount: number }
  | { readonly op: 'decide' }
  | { readonly op: 'sleep'; readonly ms: number }
  | { readonly op: 'ask' }
  | { readonly op: 'inner' | 'both'; readonly ops: readonly Op[] }

const program: fc.Arbitrary<readonly Op[]> = fc.letrec<{ op: Op; ops: readonly Op[] }>((tie) => ({
  op: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.record({
      op: fc.constantFrom('charge' as const, 'look' as const, 'gated' as const, 'fail' as const),
      amount: fc.integer({ min: 0, max: 9 }),
    }),
    fc.constant({ op: 'decide' as const }),
    fc.record({ op: fc.constant('sleep' as const), ms: fc.integer({ min: 0, max: 5000 }) }),
    fc.constant({ op: 'ask' as const }),
    fc.record({ op: fc.constantFrom('inner' as const, 'both' as const), ops: tie('ops') }),
  ),
  ops: fc.array(tie('op'), { maxLength: 4 }),
})).ops

/** A world outside the run: it honours idempotency keys, as a payment service does. */
function world() {
  const charges = new Map<string, number>()
  let chosen = 0
  const charge = tool({
    name: 'charge',
    description: 'Charges once per key.',
    inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    effect: 'write',
    idempotent: 'keyed',
    execute: async ({ amount }, { idempotencyKey }) => {
      charges.set(idempotencyKey, amount)
      return amount * 10
    },
  })
  const look = tool({ name: 'look', description: 'Looks.', effect: 'read', execute: (what) => `seen ${what}` })
  const fail = tool({
    name: 'fail',
    description: 'Fails.',
    effect: 'read',
    execute: (what) => {
      throw new Error(`no ${what}`)
    },
  })
  const gated = gate(charge, { approval: ({ amount }) => amount > 3 })
  const parts = { charge, look, fail, gated }
  const follow = (ops: readonly Op[]): AgentTool<string, string> =>
    compound({
      name: `follow_${ops.length}_${depthOf(ops)}_${Math.abs(hash(JSON.stringify(ops)))}`,
      description: 'Follows a program.',
      parts: { ...parts, ...innerParts(ops) },
      run: async (input, context) => {
        const seen: string[] = [input]
        for (const op of ops) seen.push(await step(op, context))
        return seen.join(' ')
      },
    })
  const inner = new Map<string, AgentTool<string, string>>()
  const innerOf = (ops: readonly Op[]): AgentTool<string, string> => {
    const key = JSON.stringify(ops)
    const known = inner.get(key) ?? follow(ops)
    inner.set(key, known)
    return known
  }
  const innerParts = (ops: readonly Op[]): Record<string, AgentTool<string, string>> =>
    Object.fromEntries(ops.flatMap((op, index) => ('ops' in op ? [[`inner${index}`, innerOf(op.ops)]] : [])))
  const step = async (op: Op, context: ToolContext): Promise<string> => {
    switch (op.op) {
      case 'charge':
        return (await context.call('charge', charge, { amount: op.amount })).text
      case 'gated':
        return (await context.call('gated', gated, { amount: op.amount })).text
      case 'look':
        return (await context.call('look', look, String(op.amount))).text
      case 'fail':
        return (await context.call('fail', fail, String(op.amount))).text
      case 'decide':
        return await context.decide('coin', () => `coin ${++chosen > 0}`)
      case 'sleep':
        await context.sleep(op.ms)
        return 'slept'
      case 'ask':
        return String(await context.ask({ question: 'How many?', answerSchema: { type: 'number' } }).catch((error: Error) => error.message))
      case 'inner':
        return (await context.call('inner', innerOf(op.ops), 'in')).text
      case 'both': {
        const [a, b] = await Promise.all([context.call('left', innerOf(op.ops), 'l'), context.call('right', innerOf(op.ops), 'r')])
        return `${a.text} & ${b.text}`
      }
    }
  }
  return { charges, chosen: () => chosen, run: innerOf }
}

const depthOf = (ops: readonly Op[]): number => 1 + Math.max(0, ...ops.map((op) => ('ops' in op ? depthOf(op.ops) : 0)))
const hash = (text: string): number => [...text].reduce((sum, each) => (sum * 31 + (each.codePointAt(0) ?? 0)) | 0, 7)

/** A person who decides by what is asked, the same in every run. */
function decide(request: ReviewRequest): ReviewDecision {
  if (request.kind === 'question') return { action: 'answer', value: 4 }
  const { amount } = request.input as { amount: number }
  if (amount === 9) return { action: 'reject', reason: 'too much' }
  return amount > 6 ? { action: 'edit', patch: { amount: amount - 3 } } : { action: 'continue' }
}

describe('a recorded run', () => {
  test('comes to the same end from every prefix of its journal, and charges nothing twice [T14] [G4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(program, async (ops) => {
        const { charges, chosen, run } = world()
        const options = () => ({ review: { review: decide } })
        const { entries, diverged } = await replayFromEveryPrefix(run(ops), 'start', { options })
        expect(diverged).toEqual([])
        expect(charges.size).toBe(
          entries.filter((entry) => entry.kind === 'call' && entry.result !== undefined && /charge|gated$/.test(entry.path)).length,
        )
        const decided = entries.map((entry) => entry.kind === 'decision')
        const open = (prefix: number) => decided.slice(prefix).filter(Boolean).length
        expect(chosen()).toBe(open(0) + decided.reduce((sum, _each, prefix) => sum + open(prefix), 0))
      }),
      { numRuns: 200, seed: 20_261_115 },
    )
  })

  test('parked at every gate and taken up again, comes to the end of a run that waited [T14]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(program, fc.nat(5), async (ops, choice) => {
        const first = world()
        const { live } = await replayFromEveryPrefix(first.run(ops), 'start', { options: () => ({ review: { review: decide } }) })
        const second = world()
        const parked = await runInSegments(second.run(ops), 'start', { decide, pick: (open) => open[choice % open.length] })
        if (!('result' in parked.end) || !('result' in live)) throw new Error('a run was rejected')
        expect(comparable(parked.end.result)).toEqual(comparable(live.result))
        expect([...second.charges.values()].toSorted()).toEqual([...first.charges.values()].toSorted())
      }),
      { numRuns: 200, seed: 20_261_115 },
    )
  })
})

describe('what a journal holds', () => {
  const effect = { effect: 'write', idempotent: 'keyed' } as const
  const input = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const

  test('a run that does something else than it recorded is refused, and nothing runs', async () => {
    let runs = 0
    const pay = tool({ name: 'pay', description: 'Pays.', inputSchema: input, ...effect, execute: () => ++runs })
    let n = 1
    const unstable = compound({
      name: 'unstable',
      description: 'Reads the world without decide.',
      parts: { pay },
      run: async (_input, context, parts) => {
        await context.call('pay', parts.pay, { n: n++ }).catch(() => undefined)
        return 'swallowed'
      },
    })
    const journal = memoryJournal()
    await unstable.call('x', { journal })
    await expect(unstable.call('x', { journal: memoryJournal(journal.entries) })).rejects.toMatchObject({ code: 'replay_diverged' })
    expect(runs).toBe(1)
  })

  test('an approval holds for the input that was shown: with another the replay is refused [T14]', async () => {
    const review = { review: () => ({ action: 'continue' }) as const }
    const pay = gate(tool({ name: 'pay', description: 'Pays.', inputSchema: input, ...effect, execute: ({ n }) => n }))
    const journal = memoryJournal()
    await pay.call({ n: 1 }, { journal, review })
    const approved = journal.entries.filter((entry) => entry.kind === 'review')
    await expect(pay.call({ n: 2 }, { journal: memoryJournal(approved), review })).rejects.toMatchObject({ code: 'replay_diverged' })
    await expect(pay.call({ n: 1 }, { journal: memoryJournal(approved), review })).resolves.toMatchObject({ ok: true })
  })

  test('a sleep that was recorded ends when it was to end, not later', async () => {
    const nap = compound({
      name: 'nap',
      description: 'd',
      parts: {},
      run: async (_input, context) => (await context.sleep('10s'), context.clock.now()),
    })
    const journal = memoryJournal()
    const clock = fakeClock(0)
    await clock.until(nap.call('x', { journal, clock }))
    const later = fakeClock(4000)
    expect(await later.until(nap.call('x', { journal: memoryJournal(journal.entries), clock: later }))).toMatchObject({ value: 10_000 })
    const muchLater = fakeClock(60_000)
    expect(await nap.call('x', { journal: memoryJournal(journal.entries), clock: muchLater })).toMatchObject({ value: 60_000 })
  })

  test('a call that was interrupted runs again under its key when it may, and is reported as unknown when not [H1]', async () => {
    const keys: string[] = []
    const make = (idempotent: boolean | 'keyed') =>
      tool({
        name: 'pay',
        description: 'Pays.',
        inputSchema: input,
        effect: 'write',
        idempotent,
        execute: ({ n }, { idempotencyKey }) => {
          keys.push(idempotencyKey)
          return n
        },
      })
    const journal = memoryJournal()
    await make('keyed').call({ n: 1 }, { journal, idempotencyKey: 'run' })
    const interrupted = journal.entries.slice(0, 1)
    expect(interrupted).toMatchObject([{ kind: 'call', path: 'pay' }])
    expect(await make('keyed').call({ n: 1 }, { journal: memoryJournal(interrupted), idempotencyKey: 'run' })).toMatchObject({
      ok: true,
      value: 1,
    })
    expect(new Set(keys).size).toBe(1)
    const unknown = await make(false).call({ n: 1 }, { journal: memoryJournal(interrupted), idempotencyKey: 'run' })
    expect(unknown).toMatchObject({ ok: false, error: { code: 'outcome_unknown', outcome: 'unknown', retryable: false } })
    expect(keys.length).toBe(2)
  })

  test('an edit by a reviewer makes another idempotency key, an attempt does not [G4]', async () => {
    const keys: string[] = []
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: input,
      ...effect,
      execute: (_input, { idempotencyKey }) => void keys.push(idempotencyKey),
    })
    const gated = gate(pay)
    const twice = compound({
      name: 'twice',
      description: 'Tries twice.',
      parts: { pay, gated },
      run: async (_input, context, parts) => {
        await context.call('pay', parts.pay, { n: 1 })
        await context.call('pay', parts.pay, { n: 1 }, { attempt: 2 })
        await context.call('pay', parts.pay, { n: 1 }, { attempt: 3, generation: 1 })
      },
    })
    await twice.call('x', { idempotencyKey: 'run' })
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
    const keyOf = async (decision: ReviewDecision) => {
      await gated.call({ n: 1 }, { idempotencyKey: 'run', review: { review: () => decision } })
      return keys.at(-1)
    }
    const approved = await keyOf({ action: 'continue' })
    expect(await keyOf({ action: 'continue' })).toBe(approved)
    expect(await keyOf({ action: 'edit', patch: { n: 2 } })).not.toBe(approved)
  })

  test('what a call used counts in a replay as it did when it ran', async () => {
    const ask = tool({ name: 'ask', description: 'd', effect: 'read', execute: (_input, { usage }) => usage({ tokens: 5 }) })
    const outer = compound({ name: 'outer', description: 'd', parts: { ask }, run: (given, context) => context.call('ask', ask, given) })
    const journal = memoryJournal()
    const live = await outer.call('x', { journal })
    const again = await outer.call('x', { journal: memoryJournal(journal.entries) })
    expect([live.usage, again.usage]).toEqual([
      { tokens: 5, costUsd: 0 },
      { tokens: 5, costUsd: 0 },
    ])
  })

  test('a value that cannot be kept fails the step and says where it stands', async () => {
    const odd = tool({ name: 'odd', description: 'Gives a function.', effect: 'read', execute: () => ({ rows: [{ format: () => 1 }] }) })
    const result = await odd.call('x', { journal: memoryJournal() })
    expect(result).toMatchObject({ ok: false, error: { code: 'not_serializable', message: expect.stringContaining('$.rows[0].format') } })
    expect((await odd.call('x')).ok).toBe(true)
  })

  test('a journal that fails to write fails the step with an unknown outcome', async () => {
    const pay = tool({ name: 'pay', description: 'Pays.', ...effect, execute: () => 'paid' })
    const result = await pay.call('x', { journal: { read: () => undefined, write: () => Promise.reject(new Error('disk full')) } })
    expect(result).toMatchObject({ ok: false, error: { code: 'journal_failed', message: expect.stringContaining('disk full') } })
  })

  test('a person cannot be asked from inside a step of a recorded run [T14]', async () => {
    const review = { review: () => ({ action: 'continue' }) as const }
    const asks = tool({
      name: 'asks',
      description: 'Asks in code.',
      execute: async (_input, context) => (await context.review({ why: 'sure?' })).action,
    })
    await expect(asks.call('x', { review, journal: memoryJournal() })).rejects.toMatchObject({ code: 'review_inside_step' })
    expect((await asks.call('x', { review })).text).toBe('continue')
    const gated = gate(tool({ name: 'pay', description: 'Pays.', ...effect, execute: () => 'paid' }))
    const leaf = tool({ name: 'leaf', description: 'Calls a gated tool.', execute: (_input, context) => context.call('pay', gated, 'x') })
    await expect(leaf.call('x', { review, journal: memoryJournal() })).rejects.toMatchObject({ code: 'review_inside_step' })
    expect((await leaf.call('x', { review })).text).toBe('paid')
  })
})
