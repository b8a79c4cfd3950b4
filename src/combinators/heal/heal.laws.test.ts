import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { endOf, replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import type { CallOptions } from '../../tool/context.ts'
import type { ErrorClass } from '../../tool/errors/error-codes.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { mayRepeat } from '../../tool/metadata.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { heal } from './heal.ts'
import { repairRules } from './repair-rules.ts'

interface Fault {
  readonly class: ErrorClass
  readonly retryable: boolean
  readonly outcome: 'failed' | 'not_started' | 'unknown'
}

interface Ran {
  readonly input: { readonly n: number }
  readonly key: string
  readonly fault: Fault | undefined
}

const fault: fc.Arbitrary<Fault> = fc.record({
  class: fc.constantFrom<ErrorClass>(
    'transient',
    'rate_limited',
    'input_validation',
    'authorization',
    'semantic',
    'not_found',
    'server',
    'rejected',
  ),
  retryable: fc.boolean(),
  outcome: fc.constantFrom('failed', 'not_started', 'unknown'),
})

const plan = fc.record({
  faults: fc.array(fault, { maxLength: 5 }),
  attempts: fc.integer({ min: 1, max: 4 }),
  effect: fc.constantFrom('read', 'write'),
  idempotent: fc.constantFrom<(boolean | 'keyed')[]>(false, true, 'keyed'),
  /** The inputs that the repairer proposes, in turn. */
  proposals: fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant('five')), { maxLength: 4 }),
  given: fc.constantFrom<unknown>({ n: 1 }, { n: '1' }, { N: 1 }, { n: 'many' }),
})

type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

/** The same tool in every run: it fails by its key and attempt, not by what it remembers. */
function build({ faults, attempts, effect, idempotent, proposals }: Plan) {
  const ran: Ran[] = []
  const scripted = tool({
    name: 'scripted',
    description: 'Fails by script.',
    effect,
    idempotent,
    inputSchema: z.object({ n: z.int() }),
    execute: (input, { idempotencyKey: key, path }) => {
      const next = faults[Number(/@(\d+)/.exec(path)?.[1] ?? 1) - 1]
      ran.push({ input, key, fault: next })
      if (next !== undefined) throw new ToolError('By script.', next)
      return input.n
    },
  })
  const repairers = [
    ({ input, problem }: { readonly input: { readonly n: number }; readonly problem?: string | undefined }) => {
      const proposal = proposals[(Number(input.n) || 0) % Math.max(1, proposals.length)]
      return problem !== undefined || proposal === undefined ? undefined : { input: { n: proposal } }
    },
  ]
  return { healed: heal(scripted, { attempts, base: 10, repairers }), scripted, ran }
}

/** No fake clock waits for a file. */
beforeAll(() => repairRules())

describe('heal', () => {
  test('keeps its bounds whatever fails and whatever is proposed [H1] [H2]', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const { healed, scripted, ran } = build(given)
        const clock = fakeClock()
        const end = await endOf(clock, healed.call(given.given as never, { clock, deadline: Infinity, random: () => 0.5 }))
        if (!('result' in end)) throw end.rejected
        const { result } = end
        expect(ran.length).toBeLessThanOrEqual(given.attempts)
        // One key belongs to one input.
        for (const one of ran) for (const other of ran) if (one.key === other.key) expect(one.input).toEqual(other.input)
        const unknown = ran.findIndex(({ fault: met }) => met?.outcome === 'unknown')
        if (unknown !== -1 && !mayRepeat(scripted)) expect(ran.length).toBe(unknown + 1)
        // Nothing goes around a person.
        expect(ran.slice(0, -1).some(({ fault: met }) => met?.class === 'rejected')).toBe(false)
        // The history is complete.
        const history = (result.attempts ?? []).filter(({ skipped }) => skipped === undefined)
        if (result.attempts !== undefined) expect(history.map(({ number }) => number)).toEqual(history.map((_each, index) => index + 1))
        if (result.ok && history.length > 0) expect(history.at(-1)?.error).toBeUndefined()
      }),
      { numRuns: 100 },
    )
  })

  test('comes to the same end from every prefix of its record [H2]', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        // A write that is repeated after a crash may have taken effect before, and says so.
        const steady: Plan = { ...given, effect: 'read' }
        const { diverged } = await replayFromEveryPrefix(build(steady).healed, given.given as never, {
          options: () => ({ random: () => 0.5 }),
        })
        expect(diverged).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('asks neither repairers nor the model again when a run is resumed, and goes on with the same input', async () => {
    const asked: string[] = []
    const look = tool({ name: 'look', description: 'd', inputSchema: z.object({ n: z.int() }), effect: 'read', execute: ({ n }) => n })
    const options = (journal: CallOptions['journal']): CallOptions => ({
      journal,
      clock: fakeClock(),
      idempotencyKey: 'k',
      model: { generate: () => (asked.push('model'), Promise.resolve({ text: '', value: { input: { n: 7 } }, usage: { tokens: 3 } })) },
    })
    const healed = heal(look, { repairers: [() => void asked.push('own')], model: true })
    const journal = memoryJournal([])
    const first = await healed.call({ n: 'some' } as never, options(journal))
    expect(first.text).toBe('7\nNote: The input was repaired. model: called with {"n":7}')
    expect([first.ok, first.usage, asked]).toEqual([true, { tokens: 3, costUsd: 0 }, ['own', 'model']])
    const again = await healed.call({ n: 'some' } as never, options(memoryJournal(journal.entries)))
    expect([again.text, again.usage, asked.length]).toEqual([first.text, { tokens: 3, costUsd: 0 }, 2])
  })

  test('a closed gate inside stays closed for every repaired input', async () => {
    const ran: unknown[] = []
    const act = tool({
      name: 'act',
      description: 'd',
      inputSchema: z.object({ n: z.int() }),
      effect: 'write',
      execute: (input) => void ran.push(input),
    })
    const healed = heal(gate(act), { attempts: 4, repairers: [() => ({ input: { n: 2 } })] })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<unknown>({ n: 1 }, { n: '1' }, '{"n": 1}', { input: { n: 1 } }), async (given) => {
        const result = await healed.call(given as never, { review: { review: () => ({ action: 'reject' }) } })
        expect([result.ok, ran.length]).toEqual([false, 0])
      }),
    )
  })
})
