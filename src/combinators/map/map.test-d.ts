import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { pipe } from '../pipe/pipe.ts'
import type { MapEntry } from './map-entry.ts'
import { map } from './map.ts'

const double = tool({ name: 'double', description: 'd', inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n * 2 })

test('a map takes a list of what its tool takes, and gives a list of what it gives [C4]', () => {
  expectTypeOf(map(double)).toEqualTypeOf<AgentTool<readonly { n: number }[], number[]>>()
  expectTypeOf(map(double, { concurrency: 2, onFailure: 'fail' })).toEqualTypeOf<AgentTool<readonly { n: number }[], number[]>>()
  expectTypeOf(map(double)).toExtend<AgentTool<{ n: number }[], number[]>>()
  // @ts-expect-error not such a list
  void map(double).call(['a'])
  // @ts-expect-error not a list
  void map(double).call({ n: 1 })
})

test('a map that collects gives an entry for each item', () => {
  const collected = map(double, { onFailure: 'collect' })
  expectTypeOf(collected).toEqualTypeOf<AgentTool<readonly { n: number }[], MapEntry<number>[]>>()
  void collected.call([]).then((result) => {
    if (!result.ok) return
    for (const entry of result.value) expectTypeOf(entry.ok ? entry.value : entry.error.code).toEqualTypeOf<number | string>()
  })
})

test('a map stands in a pipeline where its list fits', () => {
  const numbers = tool({ name: 'numbers', description: 'd', inputSchema: z.number(), execute: (n) => [{ n }] })
  expectTypeOf(pipe(numbers, map(double))).toEqualTypeOf<AgentTool<number, number[]>>()
  // @ts-expect-error the second map takes objects, not numbers
  pipe(numbers, map(double), map(double))
})

test('a map knows its options', () => {
  // @ts-expect-error neither fail nor collect
  map(double, { onFailure: 'ignore' })
  // @ts-expect-error a number
  map(double, { concurrency: '2' })
})
