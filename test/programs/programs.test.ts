import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { autoReview } from '../../src/review/auto-review.ts'
import { memoryJournal } from '../../src/tool/journal/journal.ts'
import { buildProgram } from './build-program.ts'
import { generateProgram } from './generate-program.ts'
import { orderFailure, type PlaceOrder, treatOrder } from './leaf-order.ts'
import type { Program, ProgramKind } from './program.ts'
import { RandomStream } from './random-stream.ts'
import { simplerPrograms } from './simpler-programs.ts'
import { allIn, COMBINATORS, EXAMPLES, KINDS, ROWS, showProgram } from './table.ts'

function kindsIn(program: Program): ProgramKind[] {
  return allIn(program).map(({ kind }) => kind)
}

function generated(seed: number): Program {
  return generateProgram(new RandomStream(seed), { leaves: 3 + (seed % 9) })
}

describe('the table', () => {
  const folders = readdirSync(join(root, 'src/combinators'), { withFileTypes: true }).filter((entry) => entry.isDirectory())

  test('has a row for every folder of src/combinators, and for nothing else', () => {
    expect(Object.keys(COMBINATORS).toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
  })

  test.each(Object.entries(COMBINATORS))('has kinds, examples and wrong arguments of %s', (_name, { kinds, examples, wrong }) => {
    expect(Object.keys(kinds)).not.toEqual([])
    expect(Object.keys(examples)).not.toEqual([])
    expect(wrong.tools).not.toEqual([])
    expect(wrong.others).not.toEqual([])
  })

  test('names no kind and no example twice', () => {
    const rows = Object.values(ROWS)
    expect(rows.flatMap(({ kinds }) => Object.keys(kinds)).toSorted()).toEqual(KINDS.toSorted())
    expect(rows.flatMap(({ examples }) => Object.keys(examples)).toSorted()).toEqual(Object.keys(EXAMPLES).toSorted())
  })
})

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
