import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { heal } from './heal.ts'

const look = tool({
  name: 'look',
  description: 'd',
  inputSchema: z.object({ id: z.string() }),
  effect: 'read',
  execute: ({ id }) => id.length,
})

test('a healed tool is of the type of the tool [H2]', () => {
  expectTypeOf(heal(look)).toEqualTypeOf<AgentTool<{ id: string }, number, 'look'>>()
})

test('repairers know the input, and may propose none', () => {
  heal(look, {
    attempts: 5,
    base: '1s',
    model: true,
    repairers: [
      ({ input, error, schema, problem }, { model, signal }) => {
        expectTypeOf(input).toEqualTypeOf<{ id: string }>()
        expectTypeOf(error.message).toEqualTypeOf<string>()
        expectTypeOf(problem).toEqualTypeOf<string | undefined>()
        return model === undefined || signal.aborted || schema['type'] === undefined ? undefined : { input: { id: input.id.trim() } }
      },
    ],
  })
})

test('options are checked', () => {
  // @ts-expect-error no such option
  heal(look, { retries: 3 })
  // @ts-expect-error a model, or true
  heal(look, { model: false })
  // @ts-expect-error a list
  heal(look, { repairers: () => undefined })
  // @ts-expect-error a proposal has an input
  heal(look, { repairers: [() => ({ id: 'x' })] })
})
