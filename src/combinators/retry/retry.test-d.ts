import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { tool } from '../../tool/tool.ts'
import { retry } from './retry.ts'

const look = tool({
  name: 'look',
  description: 'd',
  inputSchema: z.object({ id: z.string() }),
  effect: 'read',
  execute: ({ id }) => id.length,
})

test('a retried tool is of the type of the tool [H2]', () => {
  expectTypeOf(retry(look)).toEqualTypeOf<AgentTool<{ id: string }, number, 'look'>>()
  const patient = retry(look, {
    attempts: 5,
    base: '1s',
    max: 60_000,
    retryIf: (failure) => {
      expectTypeOf(failure).toEqualTypeOf<FailureDetails>()
      return failure.code === 'odd'
    },
  })
  expectTypeOf(patient).toEqualTypeOf<AgentTool<{ id: string }, number, 'look'>>()
})

test('options of a retry are checked', () => {
  // @ts-expect-error not a duration
  retry(look, { base: '1 second' })
  // @ts-expect-error no such option
  retry(look, { tries: 3 })
  // @ts-expect-error a rule is synchronous
  retry(look, { retryIf: async () => true })
  // @ts-expect-error not a tool
  retry(() => 1)
})
