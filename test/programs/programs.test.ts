import { expect, test } from 'vitest'
import { autoReview } from '../../src/review/auto-review.ts'
import { memoryJournal } from '../../src/tool/journal/journal.ts'
import { buildProgram } from './build-program.ts'
import { generateProgram } from './generate-program.ts'
import { orderFailure, type PlaceOrder, treatOrder } from './leaf-order.ts'
import { partsOf, type Program, type ProgramKind } from './program.ts'
import { RandomStream } from './random-stream.ts'
import { showProgram } from './show-program.ts'
import { simplerPrograms } from './simpler-programs.ts'

const KINDS: readonly ProgramKind[] = [
  ...(['leaf', 'pipe', 'parallel', 'map', 'loop', 'gate', 'saga', 'sleep', 'seq', 'flows'] as const),
  ...(['ask', 'deadline', 'branch', 'classify', 'cache', 'idempotent'] as const),
]

function kindsIn(program: Program): ProgramKind[] {
  return [program.kind, ...partsOf(program).flatMap(kindsIn)]
}

function generated(seed: number): Program {
  return generateProgram(new RandomStream(seed), { leaves: 3 + (seed % 9) })
}

test('every kind of program comes up, and the same seed gives the same program', () => {
  const programs = Array.from({ length: 300 }, (_, seed) => generated(seed))
  expect(new Set(programs.flatMap(kindsIn))).toEqual(new Set(KINDS))
  expect(programs.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, seed) => generated(seed)))
  expect(new Set(programs.map(showProgram)).size).toBeGreaterThan(250)
})

test('kinds that are left out do not come up', () => {
  const without = new Set<ProgramKind>(['saga', 'gate'])
  const programs = Array.from({ length: 100 }, (_, seed) => generateProgram(new RandomStream(seed), { leaves: 8, without }))
  expect(programs.flatMap(kindsIn).filter((kind) => without.has(kind))).toEqual([])
})

test('every generated program is a tool, and each of its orders carries its run and a key', async () => {
  const orders: Parameters<PlaceOrder>[0][] = []
  const times = new Map<string, number>()
  const order: PlaceOrder = async (each) => {
    orders.push(each)
    times.set(each.key, (times.get(each.key) ?? 0) + 1)
    const { says } = treatOrder(each.mode, times.get(each.key) ?? 1)
    if (says !== 'done') throw orderFailure(each, says)
  }
  const without = new Set<ProgramKind>(['sleep', 'gate', 'ask'])
  for (let seed = 0; seed < 30; seed++) {
    const program = generateProgram(new RandomStream(seed), { leaves: 6, without })
    const { tool } = buildProgram(program, { prefix: 'r0_', order })
    const review = autoReview({ action: 'continue' })
    const result = await tool.call('x', { journal: memoryJournal(), task: `run ${seed}`, deadline: '20s', review })
    expect(typeof result.ok, showProgram(program)).toBe('boolean')
  }
  expect(orders.length).toBeGreaterThan(60)
  expect(orders.every(({ run, key, path }) => run.startsWith('run ') && key !== '' && path.startsWith('r0_'))).toBe(true)
})

test('what is simpler can be built, and shrinking comes to an end', () => {
  for (let seed = 0; seed < 20; seed++) {
    let program = generated(seed)
    let steps = 0
    for (;;) {
      for (const simpler of simplerPrograms(program)) buildProgram(simpler, { prefix: 'r0_', order: async () => {} })
      const [next] = simplerPrograms(program)
      if (next === undefined) break
      program = next
      expect(++steps).toBeLessThan(200)
    }
    expect(program.kind).toBe('leaf')
  }
})
