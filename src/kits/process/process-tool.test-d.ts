import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { argv } from './argv.ts'
import type { ProcessOutput } from './process-options.ts'
import { processTool } from './process-tool.ts'

const BASE = { name: 'x', description: 'x', command: 'x' } as const

test('a string tool takes a text and gives the output of the program', () => {
  expectTypeOf(processTool(BASE)).toExtend<AgentTool<string, ProcessOutput>>()
})

test('JSON without a schema is unknown', () => {
  expectTypeOf(processTool({ ...BASE, stdout: 'json' })).toExtend<AgentTool<string, unknown>>()
})

test('schemas type the input, the functions over it and the output', () => {
  const made = processTool({
    ...BASE,
    inputSchema: z.object({ count: z.number().default(1) }),
    outputSchema: z.object({ sum: z.number() }),
    args: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ count: number }>()
      return argv`${input.count}`
    },
    cwd: { root: '.', folder: ({ count }) => String(count) },
  })
  expectTypeOf(made).toExtend<AgentTool<{ count?: number | undefined }, { sum: number }>>()
})

test('arguments are made by argv alone', () => {
  // @ts-expect-error a list of texts may hold anything
  processTool({ ...BASE, inputSchema: z.object({ a: z.string() }), args: ({ a }) => [a] })
  // @ts-expect-error an object is no argument
  void argv`${{ a: 1 }}`
})
