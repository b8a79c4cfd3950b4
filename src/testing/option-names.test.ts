import { expect, test } from 'vitest'
import { toAiSdk } from '../bridges/ai-sdk/to-ai-sdk.ts'
import { createMcpServer } from '../bridges/mcp/create-mcp-server.ts'
import { branch } from '../combinators/branch/branch.ts'
import { classify } from '../combinators/branch/classify.ts'
import { when } from '../combinators/branch/route.ts'
import { cache } from '../combinators/cache/cache.ts'
import { gate } from '../combinators/gate/gate.ts'
import { idempotent } from '../combinators/idempotent/idempotent.ts'
import { loop } from '../combinators/loop/loop.ts'
import { map } from '../combinators/map/map.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { saga } from '../combinators/saga/saga.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { durable } from '../runtime/durable.ts'
import { compound } from '../tool/compound.ts'
import { tool } from '../tool/tool.ts'
import { memoryRuns } from './memory-runs.ts'
import { scriptedModelServer } from './model-server/scripted-model-server.ts'
import { replayFromEveryPrefix } from './replay-from-every-prefix.ts'
import { runInSegments } from './run-in-segments.ts'
import { scriptedTool } from './scripted-tool.ts'

const definition = { name: 'echo', description: 'Says it again.', effect: 'read', execute: (input: string) => input } as const
const echo = tool(definition)
const whole = { name: 'desk', description: 'Serves.' }

/** A typo in an untyped program, and the name that is meant. */
const MISSPELT: Readonly<Record<string, readonly [make: () => unknown, meant: string]>> = {
  tool: [() => tool({ ...definition, requireAproval: true } as never), 'requireApproval'],
  'the approval of a tool': [() => tool({ ...definition, requireApproval: { wen: () => true } } as never), 'when'],
  compound: [() => compound({ name: 'c', description: 'd', parts: {}, run: () => 1, permisions: [] } as never), 'permissions'],
  gate: [() => gate(echo, { aproval: true } as never), 'approval'],
  'the approvals of a gate': [() => gate(echo, { approvals: { excludeRequestor: false } } as never), 'excludeRequester'],
  cache: [() => cache(echo, { ttl: '1s', maxEntrys: 3 } as never), 'maxEntries'],
  loop: [() => loop(echo, { until: () => true, maxTurns: 3, maxTurn: 4 } as never), 'maxTurns'],
  map: [() => map(echo, { concurency: 3 } as never), 'concurrency'],
  parallel: [() => parallel({ echo }, { joins: undefined, concurency: 3 } as never), 'concurrency'],
  idempotent: [() => idempotent(echo, { keepfor: '1d' } as never), 'keepFor'],
  saga: [() => saga({ ...whole, inputschema: {} } as never), 'inputSchema'],
  'a step of a saga': [() => saga(whole).step('a', echo, { compensated: 'irreversible' } as never), 'compensate'],
  'a compensation': [
    () => saga(whole).step('a', echo, { compensate: { with: echo, class: 'reversible', input: () => 'a', attempt: 2 } as never }),
    'attempts',
  ],
  branch: [() => branch({ ...whole, otherwize: echo } as never, [when(() => true, echo)] as never), 'otherwise'],
  classify: [() => classify((() => []) as never, { ...whole, routes: {}, treshold: 1 } as never), 'threshold'],
  createRuntime: [() => createRuntime({ tool: [echo] } as never), 'tools'],
  durable: [() => durable(echo, createRuntime({ database: memoryRuns() }), { patiance: '1s' } as never), 'patience'],
  toAiSdk: [() => toAiSdk([echo], { principle: { id: 'ada', permissions: [] } } as never), 'principal'],
  createMcpServer: [() => createMcpServer({ tools: [echo], instruction: 'Be kind.' } as never), 'instructions'],
  memoryRuns: [() => memoryRuns({ clok: undefined, clocks: 1 } as never), 'clock'],
  scriptedTool: [() => scriptedTool({ name: 's', answers: [{ value: 1 }], efect: 'read' } as never), 'effect'],
  replayFromEveryPrefix: [() => replayFromEveryPrefix(echo, 'x', { option: () => ({}) } as never), 'options'],
  runInSegments: [() => runInSegments(echo, 'x', { decide: () => ({ action: 'continue' }), pik: 1 } as never), 'pick'],
  scriptedModelServer: [() => scriptedModelServer({ turns: [], clok: 1 } as never), 'clock'],
  'a turn of scriptedModelServer': [() => scriptedModelServer({ turns: [{ toolCall: [] }] } as never), 'toolCalls'],
  'a tool call of scriptedModelServer': [
    () => scriptedModelServer({ turns: [{ toolCalls: [{ name: 'a', argument: {} }] }] } as never),
    'arguments',
  ],
}

test.each(Object.entries(MISSPELT))('a misspelt option of %s is refused, with the name that is meant', async (_what, [make, meant]) => {
  const made = (async () => make())()
  await expect(made).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringContaining(`Did you mean '${meant}'`) })
})
