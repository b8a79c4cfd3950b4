import { describe, expect, test } from 'vitest'
import { createRuntime } from '../runtime/create-runtime.ts'
import { tool } from '../tool/tool.ts'
import { toAiSdk } from './ai-sdk/to-ai-sdk.ts'
import { toLangChain } from './langchain/to-lang-chain.ts'
import type { GivenTools } from './named-tools.ts'
import { toOpenAiAgents } from './openai-agents/to-openai-agents.ts'

const add = tool({ name: 'add', description: 'Adds.', effect: 'read', execute: (text) => text })
const sub = tool({ name: 'sub', description: 'Subtracts.', effect: 'read', execute: (text) => text })

/** The names of the tools that each bridge makes. */
const BRIDGES: Record<string, (given: GivenTools) => Promise<readonly string[]>> = {
  toAiSdk: async (given) => Object.keys(toAiSdk(given, { review: { review: () => ({ action: 'continue' }) } }).tools),
  toLangChain: async (given) => (await toLangChain(given)).tools.map(({ name }) => name),
  toOpenAiAgents: async (given) => (await toOpenAiAgents(given)).tools.map(({ name }) => name),
}

describe.each(Object.entries(BRIDGES))('%s', (bridge, named) => {
  test('takes a provider in a list for the tools that it has now [T10]', async () => {
    expect(await named([add, { tools: () => [sub] }])).toEqual(['add', 'sub'])
    await expect(named([add, { tools: () => [add] }])).rejects.toThrow("Duplicate tool name: 'add'")
  })

  const runtime = createRuntime({ tools: [add] })
  test.each<[string, unknown, string]>([
    ['a provider', { tools: () => [sub] }, `not a provider of tools: put it into a list, ${bridge}([provider]).`],
    ['a provider by name', { own: { tools: () => [sub] } }, `put it into a list, ${bridge}([provider]).`],
    ['a provider that promises', [{ tools: async () => [sub] }], 'write ...(await provider.tools()) in the list instead.'],
    ['a provider of no list', [{ tools: () => 7 }], 'gives 7 for tools(): it must return a list of tools.'],
    ['a provider of something else', [{ tools: () => [7] }], "Tool '7' for "],
    ['a runtime', runtime, `write ${bridge}([...], { runtime }), with the tools that the model may call.`],
    ['a runtime by name', { runtime }, `which is an option: write ${bridge}([...], { runtime }), with the tools`],
    ['a runtime in a list', [runtime], `which is an option: write ${bridge}([...], { runtime }), with the tools`],
    ['a single tool', add, 'not a single tool: put it into a list.'],
    ['nothing of ours', [{ name: 'x' }], 'Make one with tool({ ... }).'],
  ])('says what to write for %s [T10]', async (_what, given, says) => {
    await expect(named(given as GivenTools)).rejects.toThrow(says)
    await expect(named(given as GivenTools)).rejects.toMatchObject({ code: 'not_a_tool' })
  })
})
