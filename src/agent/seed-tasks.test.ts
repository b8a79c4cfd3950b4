import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ToolPipeline } from '../combinators/pipe/tool-pipeline.ts'
import { fileWrite } from '../kits/basic/files/file-write.ts'
import { jsonParser } from '../kits/basic/json-parser/json-parser.ts'
import { scriptedModelServer } from '../testing/model-server/scripted-model-server.ts'
import type { ScriptedTurn } from '../testing/model-server/scripted-turn.ts'
import { tool } from '../tool/tool.ts'
import { agent, type Agent } from './agent.ts'
import { inPhases } from './in-phases.ts'
import { task } from './task.ts'

const root = mkdtempSync(join(tmpdir(), 'seed-tasks-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const webSearch = tool({
  name: 'web_search',
  description: 'Searches the web.',
  effect: 'read',
  inputSchema: z.object({ query: z.string() }),
  execute: ({ query }) => ({ results: [{ title: `About ${query}`, url: 'https://example.com/1' }] }),
})

/** Searches, takes the first title and saves it: one tool for the model. */
const searchAndSave = ToolPipeline.builder()
  .name('search_and_save')
  .description('Searches the web and saves the title of the best result.')
  .step(webSearch)
  .adapter(({ text }) => ({ json: text, jsonPath: 'results[0].title', language: 'jmespath' as const }))
  .step(jsonParser())
  .adapter(({ text }) => ({ path: 'top.txt', content: text }))
  .step(fileWrite({ root, requireApproval: false }))
  .build()

interface Research {
  readonly by: Agent<undefined, 'researcher'>
  readonly bodies: () => readonly { readonly tools?: unknown; readonly messages: unknown }[]
}

/** An agent without tools of its own, over a script of the model. */
async function researcher(turns: readonly ScriptedTurn[], use: (research: Research) => Promise<void>): Promise<void> {
  await using server = await scriptedModelServer({ turns })
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url })('scripted')
  const by = agent({ name: 'researcher', role: 'Researcher', goal: 'Find what matters.', model, tools: [] })
  await use({ by, bodies: () => server.requests.map(({ body }) => body) })
  expect(server.unplayed).toEqual([])
}

test('a pipeline stands among the tools of a task, and the model calls it once [T18]', async () => {
  const turns = [{ toolCalls: [{ name: 'search_and_save', arguments: { query: 'AI trends' } }] }, { text: 'The result was saved.' }]
  await researcher(turns, async ({ by, bodies }) => {
    const research = task({
      description: 'Research AI trends and save the top result to disk',
      expectedOutput: 'Confirmation that the result was saved',
      tools: [searchAndSave],
      agent: by,
    })
    expect(await research.call({})).toMatchObject({ ok: true, text: 'The result was saved.', value: { turns: 2, toolCalls: 1 } })
    expect(readFileSync(join(root, 'top.txt'), 'utf8')).toBe('About AI trends')
    const [first] = bodies()
    expect(first?.tools).toMatchObject([{ function: { name: 'search_and_save', parameters: { required: ['query'] } } }])
    expect(JSON.stringify(first?.messages)).toContain('Expected output: Confirmation that the result was saved')
  })
})

test('phases in declared order: deterministic tasks first, then the one that needs a model [T18]', async () => {
  await researcher([{ text: 'One result: About bees.' }], async ({ by, bodies }) => {
    const search = task({
      name: 'search',
      description: 'Searches.',
      tool: webSearch,
      input: (_earlier, { topic }) => ({ query: String(topic) }),
    })
    const report = task({ name: 'report', description: 'Report on {{topic}}', expectedOutput: 'A sentence', agent: by })
    const result = await inPhases({ name: 'research', phases: [[search], [report]] }).call({ variables: { topic: 'bees' } })
    expect(result).toMatchObject({ ok: true, text: 'One result: About bees.', value: { search: { results: [{ title: 'About bees' }] } } })
    expect(JSON.stringify(bodies())).toContain("Result of the task 'search'")
  })
})
