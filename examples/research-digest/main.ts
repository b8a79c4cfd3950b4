import assert from 'node:assert/strict'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { AgentTool } from 'toolwright'
import { agent } from 'toolwright/agent'
import { gptTokens, type OutputRouter, outputRouter } from 'toolwright/context'
import { type ScriptedTurn, scriptedModelServer } from 'toolwright/testing'
import { arctic, coast, river, searchArchives } from './archives.ts'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const TASK = 'Which paper about otters is cited most, and how often?'
const ANSWER = 'The most cited paper is "otters at night: a census of 1,904 dens" (river-1077), with 4211 citations.'
const search = (name: string): ScriptedTurn => ({ toolCalls: [{ name, arguments: { topic: 'otters' } }] })

const count = await gptTokens()

interface Digest {
  readonly modelCalls: number
  /** Tokens of all requests to the model together. */
  readonly tokens: number
  /** What the model had read when it answered. */
  readonly read: string
}

/** Lets an agent write the digest, with a model that plays a script. */
async function digest(turns: readonly ScriptedTurn[], tools: readonly AgentTool<never>[], router?: OutputRouter): Promise<Digest> {
  await using server = await scriptedModelServer({ turns: [...turns, { text: ANSWER }] })
  const researcher = agent({
    name: 'researcher',
    role: 'Researcher',
    goal: 'Answer questions from the archives.',
    model: createOpenAICompatible({ name: 'scripted', baseURL: server.url })('scripted'),
    tools: [...tools],
    ...(router === undefined ? {} : { router }),
  })
  const result = await researcher.run(TASK)
  assert.ok(result.ok, result.text)
  assert.equal(result.value.text, ANSWER)
  const bodies = server.requests.map(({ body }) => JSON.stringify(body))
  return { modelCalls: bodies.length, tokens: bodies.reduce((sum, body) => sum + count(body), 0), read: bodies.at(-1) ?? '' }
}

// The usual way: the model searches each archive, and reads all that comes back.
const plain = await digest([search(river.name), search(coast.name), search(arctic.name)], [river, coast, arctic])
// One tool, and the facts that matter for the task.
const router = outputRouter({ budget: { window: 32_000, maxOutput: 800 }, countTokens: count })
const routed = await digest([search(searchArchives.name)], [searchArchives], router)

// Both models could read the answer.
for (const { read } of [plain, routed]) {
  assert.match(read, /river-1077/)
  assert.match(read, /4211/)
}
assert.equal(plain.modelCalls, 4)
assert.equal(routed.modelCalls, 2)
assert.ok(routed.tokens * 20 < plain.tokens, `${routed.tokens} of ${plain.tokens} tokens`)

print(`three tools, all outputs whole:   ${plain.modelCalls} model calls, ${plain.tokens} tokens`)
print(`one tool with a quorum, a router: ${routed.modelCalls} model calls, ${routed.tokens} tokens`)
