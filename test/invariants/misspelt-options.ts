import {
  annotate,
  autoReview,
  backoff,
  byPerson,
  callTogether,
  callWithRetry,
  check,
  compound,
  consoleReview,
  createInbox,
  createRuntime,
  createTrace,
  defineConfig,
  delayedReview,
  durable,
  explain,
  humanInput,
  isSound,
  recordFigures,
  resolve,
  type Runtime,
  service,
  signWebhookAnswer,
  tool,
  verifyWebhookSignature,
  webhookReview,
} from 'toolwright'
import { allotStrict, dialect } from 'toolwright/dialects'
import { aiSdkModel, aiSdkPeer, aiSdkReviews, fromAiSdk, toAiSdk } from 'toolwright/ai-sdk'
import { contextMemory, memoryOutputs, outputRouter, postgresContext } from 'toolwright/context'
import { basicKit, datetime, fileRead, fileWrite } from 'toolwright/kits/basic'
import { fromLangChain, langChainPeer, toLangChain } from 'toolwright/langchain'
import { bearerAuth, connectMcp, connectMcpServers, createMcpServer, mcpHandler, serveStdio } from 'toolwright/mcp'
import { fromOpenAiAgents, openAiAgentsPeer, toOpenAiAgents } from 'toolwright/openai-agents'
import { drawRun } from 'toolwright/run'
import { openStore, postgresIdempotency, storeLocation } from 'toolwright/store'
import { openTelemetry, startTelemetry } from 'toolwright/telemetry'
import { memoryRuns, recordingReview, replayFromEveryPrefix, runInSegments, scriptedModelServer, scriptedTool } from 'toolwright/testing'

import { z } from 'zod'
import { COMBINATORS } from '../programs/table.ts'
import { estimated, type Misspeller, untyped } from '../programs/wrong-arguments.ts'
import { AGENT_MISSPELLERS } from './misspelt-agent-options.ts'
import { SERVICE_MISSPELLERS } from './misspelt-service-options.ts'
import { WEB_MISSPELLERS } from './misspelt-web-options.ts'

const definition = { name: 'echo', description: 'Says it again.', effect: 'read', execute: (input: string) => input } as const
const echo = tool(definition)
const whole = { name: 'desk', description: 'Serves.' }
const yes = (): boolean => true
const weather = { weather: { inputSchema: z.object({}), execute: yes } }
const words = { type: 'object', properties: { word: { type: 'string' } } } as const

/** A runtime for one question, with a run of `echo` in it. */
async function inRuntime(ask: (runtime: Runtime, run: string) => unknown): Promise<void> {
  const runtime = createRuntime({ tools: [echo], database: memoryRuns(), worker: {} })
  try {
    const { id } = await runtime.start(echo, 'x')
    await ask(runtime, id)
  } finally {
    await runtime.close()
  }
}

/** The options of a runtime that are read when its database is opened. */
async function opening(options: object): Promise<void> {
  const runtime = createRuntime({ database: memoryRuns(), ...options })
  try {
    await runtime.runs()
  } finally {
    await runtime.close()
  }
}

const inCompound =
  (run: (context: never) => unknown): (() => Promise<unknown>) =>
  () =>
    compound({ ...whole, parts: { echo }, run: (_input, context) => run(context as never) as never }).call('x')

const combinators: Readonly<Record<string, Misspeller>> = Object.assign(
  {},
  ...Object.values(COMBINATORS).map(({ wrong }) => wrong.misspelt),
)

/** By the places of `optionPlaces`. */
export const MISSPELLERS: Readonly<Record<string, Misspeller>> = {
  ...combinators,
  'AgentTool.call(options)': (odd) => echo.call('x', odd),
  'CallOptions.reviewers': (odd) => echo.call('x', { reviewers: odd }),
  'CallOptions.stores': (odd) => echo.call('x', { stores: odd }),
  'ExecuteOptions.reviewers': (odd) => echo.execute('x', { reviewers: odd }),
  'ExecuteOptions.stores': (odd) => echo.execute('x', { stores: odd }),
  'byPerson(options)': (odd) => byPerson(odd),
  'defineConfig(config)': (odd) => defineConfig(odd),
  'ToolwrightConfig.database': (odd) => createRuntime(defineConfig({ database: odd })),
  'DatabaseOptions.encryption': (odd) => createRuntime({ database: { encryption: { key: 'k', ...odd } } }),
  'ToolwrightConfig.mcpServers[]': (odd) => untyped(defineConfig)({ mcpServers: { a: { command: 'x', ...odd } } }),
  'ToolwrightConfig.mcpServers[].metadata[]': (odd) =>
    untyped(defineConfig)({ mcpServers: { a: { command: 'x', metadata: { echo: odd } } } }),
  'ToolwrightConfig.reviewers': (odd) => createRuntime(defineConfig({ reviewers: odd })),
  'ToolwrightConfig.stores': (odd) => createRuntime(defineConfig({ stores: odd })).call(echo, 'x'),
  'ToolwrightConfig.retryReads': (odd) => opening(defineConfig({ retryReads: odd })),
  'ToolwrightConfig.app': (odd) => opening(defineConfig({ app: odd })),
  'ToolwrightConfig.worker': (odd) => createRuntime(defineConfig({ worker: odd })),
  'WorkerOptions.limits[]': (odd) => createRuntime({ worker: { limits: { echo: odd } } }),
  'ToolLimit.rate': (odd) => createRuntime({ worker: { limits: { echo: { rate: { count: 1, per: '1s', ...odd } } } } }),
  'WorkerOptions.retention': (odd) => createRuntime({ worker: { retention: odd } }),
  'humanInput(options)': (odd) => humanInput(odd),
  'check(options)': (odd) => check(echo, odd),
  'CheckOptions.reviewers': (odd) => check(echo, { reviewers: odd }),
  'explain(options)': (odd) => explain(echo, odd),
  'ExplainOptions.figures[]': (odd) => explain(echo, { figures: { 'echo@0.0.0': { calls: 1, ...odd } } }),
  'isSound(options)': (odd) => isSound([], odd),
  'recordFigures(options)': (odd) => recordFigures(odd),
  'autoReview(decision)': (odd) => autoReview({ action: 'continue', ...odd }),
  'consoleReview(options)': (odd) => consoleReview(odd),
  'delayedReview(options)': (odd) => delayedReview({ after: '1s', ...odd }),
  'DelayedReviewOptions.decision': (odd) => delayedReview({ after: '1s', decision: { action: 'continue', ...odd } }),
  'Inbox.list(filter)': async (odd) => {
    await inRuntime((runtime) => runtime.inbox.list({})) // a database takes what is right
    await createInbox().list(odd)
  },
  'Inbox.approve(options)': (odd) => createInbox().approve('id', 'ada', odd),
  'Inbox.edit(change)': (odd) => createInbox().edit('id', { input: 1, ...odd }),
  'Inbox.edit(options)': (odd) => createInbox().edit('id', { input: 1 }, 'ada', odd),
  'createInbox(options)': (odd) => createInbox(odd),
  'webhookReview(options)': (odd) => webhookReview({ url: 'https://desk.example.com', secret: 's', ...odd }),
  'signWebhookAnswer(answer)': (odd) => signWebhookAnswer({ id: 'i', body: '', secret: 's', ...odd }),
  'verifyWebhookSignature(message)': (odd) => verifyWebhookSignature({ headers: {}, body: '', secret: 's', ...odd }),
  'RunHandle.until(options)': (odd) => inRuntime(async (runtime, run) => (await runtime.run(run)).until(yes, odd)),
  'RunHandle.result(options)': (odd) => inRuntime(async (runtime, run) => (await runtime.run(run)).result(odd)),
  'RunHandle.events(options)': (odd) =>
    inRuntime(async (runtime, run) => (await runtime.run(run)).events(odd)[Symbol.asyncIterator]().next()),
  'RunHandle.settle(word)': (odd) =>
    inRuntime(async (runtime, run) => (await runtime.run(run)).settle('echo', { happened: true, value: 1, ...odd })),
  'Runs.start(options)': (odd) => inRuntime(async (runtime) => (await runtime.runs()).start(echo, 'x', odd)),
  'StartOptions.retryReads': (odd) => inRuntime((runtime) => runtime.start(echo, 'x', { retryReads: odd })),
  'Runs.list(options)': (odd) => inRuntime(async (runtime) => (await runtime.runs()).list(odd)),
  'Runs.show(options)': (odd) => inRuntime(async (runtime, run) => (await runtime.runs()).show(run, odd)),
  'Runs.export(options)': (odd) => inRuntime(async (runtime, run) => (await runtime.runs()).export(run, odd)),
  'Runs.recorded(options)': (odd) => inRuntime(async (runtime) => (await runtime.runs()).recorded(odd)),
  'Runs.prune(options)': (odd) => inRuntime(async (runtime) => (await runtime.runs()).prune({ keep: 1, ...odd })),
  'Runs.resume(options)': (odd) => inRuntime(async (runtime) => (await runtime.runs()).resume(odd)),
  'createRuntime(options)': (odd) => createRuntime(odd),
  'RuntimeOptions.database': (odd) => createRuntime({ database: odd }),
  'RuntimeOptions.app': (odd) => opening({ app: odd }),
  'RuntimeOptions.worker': (odd) => createRuntime({ worker: odd }),
  'RuntimeOptions.reviewers': (odd) => createRuntime({ reviewers: odd }),
  'RuntimeOptions.stores': (odd) => createRuntime({ stores: odd }).call(echo, 'x'),
  'RuntimeOptions.retryReads': (odd) => opening({ retryReads: odd }),
  'ToolResolution.call(options)': async (odd) => (await resolve([echo])).call('echo', 'x', odd),
  'Runtime.call(options)': (odd) => createRuntime().call(echo, 'x', odd),
  'Runtime.callByName(options)': (odd) => createRuntime({ tools: [echo] }).callByName('echo', 'x', odd),
  'Runtime.start(options)': (odd) => inRuntime((runtime) => runtime.start(echo, 'x', odd)),
  'durable(options)': (odd) => durable(echo, createRuntime({ database: memoryRuns() }), odd),
  'allotStrict(options)': (odd) => allotStrict([{ name: 'echo', parameters: words }], 'gemini', odd),
  'DialectOptions.limits': (odd) => dialect(words, 'gemini', { limits: odd }),
  'dialect(options)': (odd) => dialect(words, 'gemini', odd),
  'createTrace(options)': (odd) => createTrace(odd),
  'Trace.draw(options)': (odd) => createTrace().draw(odd),
  'compound(definition)': (odd) => compound({ ...whole, parts: {}, run: () => 1, ...odd }),
  'CompoundDefinition.estimates': estimated((odd) => compound({ ...whole, parts: {}, run: () => 1, ...odd })),
  'CompoundDefinition.requireApproval': (odd) => compound({ ...whole, parts: {}, run: () => 1, requireApproval: odd }),
  'ApprovalOptions.approvals': (odd) => tool({ ...definition, requireApproval: { approvals: odd } }),
  'ToolContext.call(options)': (odd) => inCompound((context) => untyped((context as { call: unknown }).call)('a', echo, 'x', odd))(),
  'ToolContext.review(question)': (odd) =>
    inCompound((context) => untyped((context as { review: unknown }).review)({ why: 'w', ...odd }))(),
  'ReviewQuestion.approvals': (odd) =>
    inCompound((context) => untyped((context as { review: unknown }).review)({ why: 'w', approvals: odd }))(),
  'ToolContext.ask(options)': (odd) => inCompound((context) => untyped((context as { ask: unknown }).ask)({ question: 'q', ...odd }))(),
  'backoff(options)': (odd) => backoff(odd),
  'callTogether(calls)[]': (odd) => inCompound((context) => callTogether(context, { a: { tool: echo, input: 'x', ...odd } }))(),
  'callTogether(options)': (odd) => inCompound((context) => callTogether(context, { a: { tool: echo, input: 'x' } }, odd))(),
  'callWithRetry(call)': (odd) =>
    inCompound((context) => callWithRetry(context, { label: 'a', tool: echo, input: 'x', backoff: backoff(), ...odd }))(),
  'Tool(annotation)': (odd) => annotate({ add: yes }, { add: { description: 'Adds.', ...odd } }),
  'ToolAnnotation.estimates': (odd) => resolve([annotate({ add: yes }, { add: { description: 'Adds.', estimates: odd } })]),
  'resolve(options)': (odd) => resolve([echo], odd),
  'service(options)': (odd) => service(odd),
  'tool(definition)': (odd) => tool({ ...definition, ...odd }),
  'ToolDefinition.requireApproval': (odd) => tool({ ...definition, requireApproval: odd }),
  'ToolDefinition.estimates': estimated((odd) => tool({ ...definition, ...odd })),
  'aiSdkModel(options)': (odd) => aiSdkModel('openai/gpt-5-mini', odd),
  'aiSdkPeer(options)': (odd) => aiSdkPeer(odd),
  'FromAiSdkOptions.metadata[]': (odd) => untyped(fromAiSdk)(weather, { metadata: { weather: odd } }),
  'AdoptedMetadata.requireApproval': (odd) => untyped(fromAiSdk)(weather, { metadata: { weather: { requireApproval: odd } } }),
  'AdoptedMetadata.estimates': (odd) => untyped(fromAiSdk)(weather, { metadata: { weather: { estimates: odd } } }),
  'fromAiSdk(options)': (odd) => untyped(fromAiSdk)(weather, odd),
  'AiSdkReviews.approve(options)': (odd) => aiSdkReviews().approve('id', 'ada', odd),
  'AiSdkReviews.edit(change)': (odd) => aiSdkReviews().edit('id', { input: 1, ...odd }),
  'aiSdkReviews(options)': (odd) => aiSdkReviews(odd),
  ...AGENT_MISSPELLERS,
  ...SERVICE_MISSPELLERS,
  ...WEB_MISSPELLERS,
  'outputRouter(options)': (odd) => untyped(outputRouter)({ budget: 100, ...odd }),
  'OutputRouterOptions.budget': (odd) => untyped(outputRouter)({ budget: { window: 100, ...odd } }),
  'OutputRouterOptions.weights': (odd) => untyped(outputRouter)({ budget: 100, weights: odd }),
  'OutputRouterOptions.rules[]': (odd) => untyped(outputRouter)({ budget: 100, rules: [{ when: {}, ...odd }] }),
  'RoutingRule.when': (odd) => untyped(outputRouter)({ budget: 100, rules: [{ when: odd }] }),
  'OutputRouter.conversation(options)': (odd) => outputRouter({ budget: 100 }).conversation(odd),
  'RoutedConversation.admit(options)': async (odd) =>
    outputRouter({ budget: 100 })
      .conversation()
      .admit(await echo.call('x'), odd),
  'RoutedConversation.compile(options)': (odd) => outputRouter({ budget: 100 }).conversation().compile([], odd),
  'contextMemory(options)': (odd) => contextMemory(odd),
  'ContextMemory.remember(owner)': (odd) => contextMemory().remember('x', 'session', odd),
  'ContextMemory.recall(owner)': (odd) => contextMemory().recall('x', odd),
  'RoutedConversation.compile(items)[]': (odd) =>
    outputRouter({ budget: 100 })
      .conversation()
      .compile([odd as never]),
  'memoryOutputs(options)': (odd) => memoryOutputs(odd),
  'postgresContext(options)': (odd) => postgresContext({} as never, odd),
  'PostgresContextOptions.app': (odd) => postgresContext({} as never, { app: odd }),
  'toAiSdk(options)': (odd) => toAiSdk([echo], odd),
  'ToAiSdkOptions.reviewers': (odd) => toAiSdk([echo], { reviewers: odd }),
  'ToAiSdkOptions.stores': (odd) => toAiSdk([echo], { stores: odd }),
  'fromLangChain(options)': (odd) => untyped(fromLangChain)([], odd),
  'langChainPeer(options)': (odd) => langChainPeer(odd),
  'toLangChain(options)': (odd) => toLangChain([echo], odd),
  'ToLangChainOptions.reviewers': (odd) => toLangChain([echo], { reviewers: odd }),
  'ToLangChainOptions.stores': (odd) => toLangChain([echo], { stores: odd }),
  'fromOpenAiAgents(options)': (odd) => untyped(fromOpenAiAgents)([], odd),
  'openAiAgentsPeer(options)': (odd) => openAiAgentsPeer(odd),
  'toOpenAiAgents(options)': (odd) => toOpenAiAgents([echo], odd),
  'ToOpenAiAgentsOptions.reviewers': (odd) => toOpenAiAgents([echo], { reviewers: odd }),
  'ToOpenAiAgentsOptions.stores': (odd) => toOpenAiAgents([echo], { stores: odd }),
  'basicKit(given)': (odd) => basicKit({ root: '.', ...odd }),
  'BasicKitOptions.requireApproval': (odd) => basicKit({ root: '.', requireApproval: odd }),
  'datetime(options)': (odd) => datetime(odd),
  'fileRead(options)': (odd) => fileRead({ root: '.', ...odd }),
  'fileWrite(options)': (odd) => fileWrite({ root: '.', ...odd }),
  'FileWriteOptions.requireApproval': (odd) => fileWrite({ root: '.', requireApproval: odd }),
  'createMcpServer(options)': (odd) => createMcpServer({ tools: [echo], ...odd }),
  'connectMcp(options)': (odd) => connectMcp({ command: 'no-such-program', ...odd }),
  'connectMcp(options).roots[]': (odd) => untyped(connectMcp)({ command: 'no-such-program', roots: [odd] }),
  'connectMcp(options).metadata[]': (odd) => untyped(connectMcp)({ command: 'no-such-program', metadata: { echo: odd } }),
  'McpToolMetadata.requireApproval': (odd) =>
    untyped(connectMcp)({ command: 'no-such-program', metadata: { echo: { requireApproval: odd } } }),
  'McpToolMetadata.estimates': (odd) => untyped(connectMcp)({ command: 'no-such-program', metadata: { echo: { estimates: odd } } }),
  'connectMcpServers(entries)[]': (odd) => untyped(connectMcpServers)({ a: { command: 'no-such-program', ...odd } }),
  'connectMcpServers(entries)[].metadata[]': (odd) =>
    untyped(connectMcpServers)({ a: { command: 'no-such-program', metadata: { echo: odd } } }),
  'connectMcpServers(options)': (odd) => untyped(connectMcpServers)({}, odd),
  'ConnectMcpServersOptions.roots[]': (odd) => untyped(connectMcpServers)({}, { roots: [odd] }),
  'McpServerOptions.reviewers': (odd) => createMcpServer({ tools: [echo], reviewers: odd }),
  'McpServerOptions.select': (odd) => createMcpServer({ tools: [echo], select: odd }),
  'McpServerOptions.stores': (odd) => createMcpServer({ tools: [echo], stores: odd }),
  'bearerAuth(options)': (odd) => bearerAuth({ issuer: 'https://a.example', resource: 'https://b.example', ...odd }),
  'mcpHandler(options)': (odd) => mcpHandler({ tools: [echo], ...odd }),
  'McpHandlerOptions.select': (odd) => mcpHandler({ tools: [echo], select: odd }),
  'McpHandlerOptions.limits': (odd) => mcpHandler({ tools: [echo], limits: odd }),
  'McpHttpLimits.rate': (odd) => mcpHandler({ tools: [echo], limits: { rate: { calls: 1, per: '1s', ...odd } } }),
  'McpHttpLimits.refusals': (odd) => mcpHandler({ tools: [echo], limits: { refusals: { calls: 1, per: '1s', ...odd } } }),
  'McpHandlerOptions.waiting': (odd) => mcpHandler({ tools: [echo], waiting: odd }),
  'McpServerOptions.waiting': (odd) => createMcpServer({ tools: [echo], waiting: odd }),
  'McpHandlerOptions.reviewers': (odd) => mcpHandler({ tools: [echo], reviewers: odd }),
  'McpHandlerOptions.stores': (odd) => mcpHandler({ tools: [echo], stores: odd }),
  'McpHandler.close(options)': async (odd) => (await mcpHandler({ tools: [echo] })).close(odd),
  'serveStdio(options)': (odd) => serveStdio({ tools: [echo], ...odd }),
  'drawRun(given)': (odd) => drawRun({} as never, odd),
  'openStore(options)': (odd) => openStore(odd),
  'postgresIdempotency(options)': (odd) => postgresIdempotency({} as never, odd),
  'PostgresIdempotencyOptions.app': (odd) => postgresIdempotency({} as never, { app: odd }),
  'storeLocation(options)': (odd) => storeLocation(odd),
  'openTelemetry(options)': (odd) => openTelemetry(odd),
  'startTelemetry(options)': (odd) => startTelemetry({ traces: 'environment', ...odd }),
  'StartTelemetryOptions.prometheus': (odd) => startTelemetry({ prometheus: { port: 0, ...odd } }),
  'memoryRuns(options)': (odd) => memoryRuns(odd),
  'scriptedModelServer(options)': (odd) => scriptedModelServer({ turns: [], ...odd }),
  'ScriptedModelServerOptions.turns[]': (odd) => scriptedModelServer({ turns: [odd] } as never),
  'ScriptedReply.toolCalls[]': (odd) => scriptedModelServer({ turns: [{ toolCalls: [{ name: 'a', arguments: {}, ...odd }] }] }),
  'ScriptedReply.usage': (odd) => scriptedModelServer({ turns: [{ text: 'a', usage: odd }] } as never),
  'recordingReview(script)[]': (odd) => recordingReview({ action: 'continue', ...odd }),
  'replayFromEveryPrefix(given)': (odd) => replayFromEveryPrefix(echo, 'x', odd),
  'runInSegments(given)': (odd) => runInSegments(echo, 'x', { decide: () => ({ action: 'continue' }), ...odd } as never),
  'SegmentOptions.options': (odd) => runInSegments(echo, 'x', { decide: yes, options: odd } as never),
  'SegmentOptions.options.reviewers': (odd) => runInSegments(echo, 'x', { decide: yes, options: { reviewers: odd } } as never),
  'SegmentOptions.options.stores': (odd) => runInSegments(echo, 'x', { decide: yes, options: { stores: odd } } as never),
  'scriptedTool(options)': (odd) => scriptedTool({ name: 's', answers: [{ value: 1 }], ...odd }),
  'ScriptedOptions.answers[]': (odd) => scriptedTool({ name: 's', answers: [{ value: 1, ...odd }] } as never),
  'ScriptedOptions.estimates': estimated((odd) => scriptedTool({ name: 's', answers: [{ value: 1 }], ...odd })),
}
