import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { memoryIdempotency } from '../../src/combinators/idempotent/memory-idempotency.ts'
import { comparable } from '../../src/testing/replay-from-every-prefix.ts'
import { type FakeClock, fakeClock } from '../../src/testing/fake-clock.ts'
import { endOf, replayFromEveryPrefix, type RunEnd } from '../../src/testing/replay-from-every-prefix.ts'
import type { CallOptions } from '../../src/tool/context.ts'
import { type JournalEntry, memoryJournal } from '../../src/tool/journal/journal.ts'
import { buildProgram } from './build-program.ts'
import { generateProgram } from './generate-program.ts'
import { type LeafOrder, orderFailure, type PlaceOrder, treatOrder } from './leaf-order.ts'
import type { Program, ProgramKind } from './program.ts'
import { RandomStream } from './random-stream.ts'
import { simplerPrograms } from './simpler-programs.ts'
import { kindNamed, kindOf, KINDS, partsOf, showProgram } from './table.ts'

const PROGRAMS_OF_A_KIND = 20

/** A ledger that takes its time, and knows how often each order has come. */
function ledger(orders: LeafOrder[] = []): PlaceOrder {
  return async (order, { clock }) => {
    orders.push(order)
    await new Promise<void>((resolve) => void clock.timer(order.ms, resolve))
    const { says } = treatOrder(order.mode, orders.filter(({ key }) => key === order.key).length)
    if (says !== 'done') throw orderFailure(order, says)
  }
}

/** People who agree, and a store of keys that knows nothing of earlier runs. */
function company(): CallOptions {
  return {
    stores: { idempotency: memoryIdempotency() },
    review: { review: ({ kind }) => (kind === 'question' ? { action: 'answer', value: 'x' } : { action: 'continue' }) },
  }
}

function programsOf(root: ProgramKind, without: ReadonlySet<ProgramKind> = new Set()): Program[] {
  return Array.from({ length: PROGRAMS_OF_A_KIND }, (_, seed) => generateProgram(new RandomStream(seed), { leaves: 5, root, without }))
}

/** What they remember of a run is not in its journal: inside of others they may answer otherwise when the run is taken up. */
const REMEMBERING = new Set(KINDS.filter((kind) => kindNamed(kind).remembers !== undefined))

/** With leaves that may be repeated and say the same each time, and without races against the time. */
function steady(program: Program): Program {
  if (program.kind === 'leaf') return { ...program, isKeyed: true, mode: program.mode === 'ok' ? 'ok' : 'refused' }
  const { timeless = (node: Program) => node, withParts } = kindOf(program)
  return timeless(withParts(program, partsOf(program).map(steady)))
}

/** The first of the programs for which a law does not hold, made as simple as it can be, in one line. */
async function counterexample(programs: readonly Program[], holds: (program: Program) => Promise<boolean>): Promise<string | undefined> {
  for (const program of programs) {
    if (await holds(program)) continue
    return (await counterexample([...simplerPrograms(program)], holds)) ?? showProgram(program)
  }
  return undefined
}

describe.each(KINDS)('a recorded run of a %s', (root) => {
  test('is replayed to its end, and asks the ledger for nothing [C2] [C3] [C4] [G4]', { timeout: 60_000 }, async () => {
    const run = async (program: Program, past: readonly JournalEntry[], clock: FakeClock) => {
      const orders: LeafOrder[] = []
      const journal = memoryJournal(past)
      const { tool } = buildProgram(program, { prefix: 'r0_', order: ledger(orders) })
      const end = await endOf(clock, tool.call('x', { ...company(), clock, journal, idempotencyKey: 'replayed-run' }))
      return { end: essenceOf(end), entries: [...journal.entries], orders }
    }
    const found = await counterexample(programsOf(root), async (program) => {
      const clock = fakeClock()
      const live = await run(program, [], clock)
      const replayed = await run(program, live.entries, clock)
      return replayed.orders.length === 0 && isDeepStrictEqual(replayed.end, live.end)
    })
    expect(found).toBeUndefined()
  })

  test('comes to the same end from every prefix of its journal [C2] [C3] [C4] [G4]', { timeout: 60_000 }, async () => {
    const found = await counterexample(programsOf(root, REMEMBERING).map(steady), async (program) => {
      const { tool } = buildProgram(program, { prefix: 'r0_', order: ledger() })
      const { diverged } = await replayFromEveryPrefix(tool, 'x', { options: company })
      return diverged.length === 0
    })
    expect(found).toBeUndefined()
  })
})

/** Without the steps: the parts of a step that a deadline cut off may fail in other words when they are replayed. */
function essenceOf(end: RunEnd): unknown {
  return 'rejected' in end ? end.rejected.message : { ...(comparable(end.result) as object), steps: undefined }
}
