import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { endOf } from '../../testing/replay-from-every-prefix.ts'
import type { AgentTool } from '../agent-tool.ts'
import { compound } from '../compound.ts'
import type { ToolContext } from '../context.ts'
import { isConfigurationError } from '../errors/configuration-error.ts'
import { memoryJournal, type JournalEntry } from '../journal/journal.ts'
import { tool } from '../tool.ts'

/** One thing that a hand-written compound does. `act` names the effect itself, whatever the label is. */
interface Op {
  readonly does: 'effect' | 'read' | 'sleep' | 'decide' | 'flows'
  readonly act: number
  readonly label: string
  readonly flows: readonly (readonly Op[])[]
}

type Program = readonly Op[]

const op = (depth: number): fc.Arbitrary<Op> =>
  fc.record({
    does:
      depth > 0
        ? fc.constantFrom('effect', 'effect', 'effect', 'read', 'sleep', 'decide', 'flows')
        : fc.constantFrom('effect', 'read', 'sleep'),
    act: fc.nat(1_000_000),
    label: fc.constant(''),
    flows: depth > 0 ? fc.array(fc.array(op(depth - 1), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }) : fc.constant([]),
  }) as fc.Arbitrary<Op>

/** Every label and every effect occurs once. */
function numbered(ops: Program, next = { count: 0 }): Program {
  return ops.map((each) => {
    const act = ++next.count
    return { ...each, act, label: `s${act}`, flows: each.flows.map((flow) => numbered(flow, next)) }
  })
}

const program: fc.Arbitrary<Program> = fc.array(op(1), { minLength: 1, maxLength: 6 }).map((ops) => numbered(ops))

interface Change {
  readonly how: 'rename' | 'insert' | 'remove' | 'swap' | 'append'
  readonly at: number
}

const change: fc.Arbitrary<Change> = fc.record({ how: fc.constantFrom('rename', 'insert', 'remove', 'swap', 'append'), at: fc.nat(1000) })

const added = (does: Op['does']): Op => ({ does, act: 900, label: 's900', flows: [] })

function changed(ops: Program, { how, at }: Change): Program {
  const place = at % ops.length
  const next = [...ops]
  const here = ops[place] as Op
  if (how === 'rename') next[place] = { ...here, label: `${here.label}_new` }
  else if (how === 'insert') next.splice(place, 0, added(at % 2 === 0 ? 'effect' : 'sleep'))
  else if (how === 'remove') next.splice(place, 1)
  else if (how === 'append') next.push(added('effect'))
  else if (place + 1 < ops.length) [next[place], next[place + 1]] = [ops[place + 1] as Op, here]
  return next
}

/** Does what a program says; the world counts each effect by its name and not by its label. */
function built(ops: Program, done: number[]): AgentTool<string, unknown> {
  const act = tool({
    name: 'act',
    description: 'Takes effect.',
    effect: 'write',
    idempotent: 'keyed',
    execute: (input) => {
      done.push(Number(input))
      return 'done'
    },
  })
  const look = tool({ name: 'look', description: 'Reads.', effect: 'read', execute: () => 'seen' })
  const walk = async (list: Program, context: ToolContext): Promise<void> => {
    for (const { does, act: effect, label, flows } of list) {
      if (does === 'effect') await context.call(label, act, String(effect))
      else if (does === 'read') await context.call(label, look, 'x')
      else if (does === 'sleep') await context.sleep(5, label)
      else if (does === 'decide') await context.decide(label, () => effect)
      else await Promise.all(flows.map((flow) => walk(flow, context)))
    }
  }
  return compound({
    name: 'program',
    description: 'd',
    parts: { act, look },
    run: (_input, context) => walk(ops, context).then(() => 'end'),
  })
}

async function run(ops: Program, past: readonly JournalEntry[]) {
  const done: number[] = []
  const clock = fakeClock(past.length === 0 ? undefined : 1_700_000_100_000)
  const journal = memoryJournal(past)
  const end = await endOf(clock, built(ops, done).call('x', { journal, clock, idempotencyKey: 'run', deadline: Infinity }))
  return { done, entries: journal.entries, end }
}

describe('a run of a hand-written compound', () => {
  test('goes on from every prefix of its record without a false alarm [G5]', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(program, async (ops) => {
        const live = await run(ops, [])
        for (let prefix = 0; prefix <= live.entries.length; prefix++) {
          const { end } = await run(ops, live.entries.slice(0, prefix))
          expect('rejected' in end ? end.rejected.message : end.result.text).toBe('end')
        }
      }),
      { numRuns: 150 },
    )
  })

  test(
    'that is taken up under changed code either does no effect again, or is refused before any effect [O3] [G5]',
    { timeout: 60_000 },
    async () => {
      let refusals = 0
      await fc.assert(
        fc.asyncProperty(program, change, fc.nat(100), async (ops, how, cut) => {
          const live = await run(ops, [])
          const past = live.entries.slice(0, cut % (live.entries.length + 1))
          const before = past.flatMap((entry) =>
            entry.kind === 'call' && entry.tool === 'act' && entry.result !== undefined ? [entry.input] : [],
          )
          const { done, end } = await run(changed(ops, how), past)
          if ('rejected' in end) {
            refusals++
            if (!isConfigurationError(end.rejected)) throw end.rejected
            expect(end.rejected.code).toBe('replay_diverged')
            // What had begun under its key may be repeated under it; nothing new was begun.
            const open = past.flatMap((entry) => (entry.kind === 'call' && entry.result === undefined ? [entry.input] : []))
            expect(done.filter((each) => !open.includes(String(each)))).toEqual([])
          } else expect(done.filter((each) => before.includes(String(each)))).toEqual([])
        }),
        { numRuns: 600 },
      )
      expect(refusals).toBeGreaterThan(50)
    },
  )
})
