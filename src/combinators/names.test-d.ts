import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { branch } from './branch/branch.ts'
import { classify } from './branch/classify.ts'
import { when } from './branch/route.ts'
import { loop } from './loop/loop.ts'
import { map } from './map/map.ts'
import { parallel } from './parallel/parallel.ts'
import { into } from './pipe/into.ts'
import { pipe } from './pipe/pipe.ts'
import { saga } from './saga/saga.ts'

const echo = tool({ name: 'echo', description: 'd', inputSchema: z.string(), execute: (text) => text })
const whole = { name: 'whole', description: 'd' } as const
const until = () => true

test('a whole has the name that it was given as the type of its name', () => {
  expectTypeOf(map(echo, { name: 'whole' }).name).toEqualTypeOf<'whole'>()
  expectTypeOf(map(echo, { name: 'whole', onFailure: 'collect' }).name).toEqualTypeOf<'whole'>()
  expectTypeOf(loop(echo, { name: 'whole', until, maxTurns: 2 }).name).toEqualTypeOf<'whole'>()
  expectTypeOf(parallel({ a: echo, b: echo }, { name: 'whole' }).name).toEqualTypeOf<'whole'>()
  expectTypeOf(branch({ name: 'whole', description: 'd' }, [when(until, echo)]).name).toEqualTypeOf<'whole'>()
  expectTypeOf(branch(whole, [when(until, echo)]).name).toEqualTypeOf<'whole'>()
  const sure = () => [{ route: 'a', confidence: 1 }]
  expectTypeOf(
    classify(sure, { name: 'whole', description: 'd', routes: { a: { tool: echo, description: 'A.' } } }).name,
  ).toEqualTypeOf<'whole'>()
  expectTypeOf(saga(whole).step('a', echo).build().name).toEqualTypeOf<'whole'>()
  expectTypeOf(saga({ name: 'whole', description: 'd' }).step('a', echo).build().name).toEqualTypeOf<'whole'>()
})

test('without a name, the compiler promises none', () => {
  expectTypeOf(map(echo)).toEqualTypeOf<AgentTool<readonly string[], string[]>>()
  expectTypeOf(loop(echo, { until, maxTurns: 2 })).toEqualTypeOf<AgentTool<string, string>>()
  expectTypeOf(parallel({ a: echo }).name).toEqualTypeOf<string>()
  const name: string = 'whole'
  expectTypeOf(map(echo, { name }).name).toEqualTypeOf<string>()
  expectTypeOf(map(echo, { name: undefined }).name).toEqualTypeOf<string>()
})

test('later steps of a pipeline know the result of such a whole by its name', () => {
  const words = tool({ name: 'words', description: 'd', inputSchema: z.string(), execute: (text) => text.split(' ') })
  const loud = map(echo, { name: 'loud' })
  const count = tool({ name: 'count', description: 'd', inputSchema: z.number(), execute: (n) => n })
  pipe(
    words,
    loud,
    into(({ results }) => {
      expectTypeOf(results.loud.value).toEqualTypeOf<string[]>()
      // @ts-expect-error no step has this name
      void results.lowd
      return results.loud.value.length
    }, count),
  )
})
