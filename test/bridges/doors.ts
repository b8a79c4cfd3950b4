import { Command, MemorySaver } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { Agent, Runner } from '@openai/agents'
import { generateText, isStepCount, type ModelMessage } from 'ai'
import type { EventRecorder } from 'toolwright/testing'
import type { AgentTool, Principal, Runtime } from 'toolwright'
import { aiSdkReviews, toAiSdk } from 'toolwright/ai-sdk'
import { type ReviewInterrupt, toLangChain } from 'toolwright/langchain'
import { createMcpServer, mcpHandler } from 'toolwright/mcp'
import { toOpenAiAgents } from 'toolwright/openai-agents'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel, toldLast } from '../fixtures/ai-sdk/scripted-language-model.ts'
import { ScriptedChatModel, toolMessages } from '../fixtures/langchain/scripted-chat-model.ts'
import { connectInProcess } from '../fixtures/mcp/in-process.ts'
import { httpClient, listening } from '../fixtures/mcp/over-http.ts'
import type { Revision } from '../fixtures/mcp/raw-client.ts'
import { ScriptedAgentModel } from '../fixtures/openai-agents/scripted-agent-model.ts'

/** What a person decides, in the words of each door. */
export type Decision =
  | { readonly action: 'approve' }
  | { readonly action: 'edit'; readonly patch: Readonly<Record<string, unknown>> }
  | { readonly action: 'reject'; readonly reason: string }

/** One call of a tool. A person who is asked again, about what they have edited, approves it. */
interface Asked {
  readonly tool: AgentTool
  readonly input: Record<string, unknown>
  readonly decision: Decision
  readonly on: EventRecorder
  /** With one, the call is a durable run. */
  readonly runtime: Runtime | undefined
  /** Who calls; it is asked anew wherever a program would ask anew. */
  readonly principal?: (() => Principal) | undefined
  /** The person is shown the request: all of it that this door gives them, as a text. */
  readonly onAsked?: ((shown: string) => void) | undefined
}

/** Calls the tool as a model does, decides as a person does, and gives what the model reads at the end. */
export type Door = (asked: Asked) => Promise<string>

const session = 'chat-7'
const ada = (): Principal => ({ id: 'ada', permissions: [] })

const aiSdk: Door = async ({ tool, input, decision, on, runtime, principal = ada, onAsked }) => {
  const kept = aiSdkReviews()
  const bridge = () => toAiSdk([tool], { principal: principal(), session, on, runtime, reviews: kept })
  const messages: ModelMessage[] = [{ role: 'user', content: 'Go.' }]
  const model = scriptedLanguageModel([{ id: 'c1', tool: tool.name, input }], 'Done.')
  // A server makes the tools anew for each of its requests.
  const ask = (history: ModelMessage[], asked = model, { tools, toolApproval } = bridge()) =>
    generateText({ model: asked, messages: history, tools, toolApproval, stopWhen: isStepCount(3) })
  const paused = await ask(messages)
  onAsked?.(JSON.stringify(paused.content.filter(({ type }) => type === 'tool-approval-request')))
  const { reviews } = bridge()
  if (decision.action === 'edit') await editAt(runtime, { edit: (change) => reviews.edit('c1', change) }, decision.patch)
  const history = answered(messages, paused, decision.action !== 'reject', decision.action === 'reject' ? decision.reason : undefined)
  const { responseMessages } = await ask(history)
  if (decision.action === 'edit') await approveAgain(runtime)
  if (decision.action === 'edit' && JSON.stringify(toldLast(model)).includes('A person must approve')) {
    // The model is told to make the call again, and a person is asked about the edited input then.
    const repeating = scriptedLanguageModel([{ id: 'c2', tool: tool.name, input }], 'Done.')
    const later = [...history, ...responseMessages]
    await ask(answered(later, await ask(later, repeating), true), repeating)
  }
  if (decision.action === 'reject') {
    // The SDK does not call a tool that was denied: the run hears of it at the next call, or so.
    await reviews.rejectDenied(history)
  }
  return JSON.stringify(toldLast(model))
}

const langChain: Door = async ({ tool, input, decision, on, runtime, principal = ada, onAsked }) => {
  const { tools } = await toLangChain([tool], { caller: () => ({ principal: principal(), session }), on, runtime })
  const llm = new ScriptedChatModel([{ id: 'c1', name: tool.name, args: input }], 'Done.')
  const agent = createReactAgent({ llm, tools, checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: 't1' } }
  const shown = openInterrupt(await agent.invoke({ messages: 'Go.' }, config))
  onAsked?.(JSON.stringify(shown))
  const next = await agent.invoke(new Command({ resume: { id: shown?.id, ...decision } }), config)
  const again = openInterrupt(next)
  const { messages } = again === undefined ? next : await agent.invoke(new Command({ resume: { id: again.id, action: 'approve' } }), config)
  return JSON.stringify(toolMessages(messages).map(({ content }) => content))
}

function openInterrupt(state: object): ReviewInterrupt | undefined {
  const { __interrupt__: open } = state as { readonly __interrupt__?: readonly { readonly value?: unknown }[] }
  return open?.[0]?.value as ReviewInterrupt | undefined
}

const openAiAgents: Door = async ({ tool, input, decision, on, runtime, principal = ada, onAsked }) => {
  const { tools, reviews } = await toOpenAiAgents([tool], { caller: () => ({ principal: principal(), session }), on, runtime })
  const model = new ScriptedAgentModel([{ id: 'c1', name: tool.name, args: input }], 'Done.')
  const agent = new Agent({ name: 'Desk', model, tools })
  const runner = new Runner({ tracingDisabled: true })
  const { state, interruptions } = await runner.run(agent, 'Go.')
  onAsked?.(JSON.stringify(await Promise.all(interruptions.map((each) => reviews.requests(each, state)))))
  for (const each of interruptions) {
    if (decision.action === 'edit') await editAt(runtime, { edit: (change) => reviews.edit('c1', change) }, decision.patch)
    if (decision.action === 'reject') state.reject(each, { message: decision.reason })
    else state.approve(each)
  }
  await reviews.rejectDenied(state)
  await runner.run(agent, state)
  if (decision.action === 'edit') await approveAgain(runtime)
  if (decision.action === 'edit' && JSON.stringify(model.told).includes('A person must approve')) {
    const repeating = new Agent({
      name: 'Desk',
      model: new ScriptedAgentModel([{ id: 'c2', name: tool.name, args: input }], 'Done.'),
      tools,
    })
    const again = await runner.run(repeating, 'Again.')
    for (const each of again.interruptions) again.state.approve(each)
    await runner.run(repeating, again.state)
  }
  return JSON.stringify(model.told)
}

const mcp =
  (revision: Revision): Door =>
  async ({ tool, input, decision, on, runtime, principal = ada, onAsked }) => {
    const server = await createMcpServer({
      principal: livePrincipal(principal),
      session,
      tools: [tool],
      on,
      ...(runtime === undefined ? {} : { runtime }),
    })
    const answer = (message: string) => (onAsked?.(message), { action: 'accept', content: formOf(decision) } as const)
    const client = await connectInProcess(server, revision, { answer })
    const { content } = await client.callTool({ name: tool.name, arguments: input })
    await client.close()
    await server.close()
    return JSON.stringify(content)
  }

const mcpOverHttp =
  (revision: Revision): Door =>
  async ({ tool, input, decision, on, runtime, principal = ada, onAsked }) => {
    const auth = (): { readonly principal: Principal } => ({ principal: principal() })
    const handler = await mcpHandler({ session, tools: [tool], on, auth, ...(runtime === undefined ? {} : { runtime }) })
    const answer = (message: string) => (onAsked?.(message), { action: 'accept', content: formOf(decision) } as const)
    const client = await httpClient(await listening(handler.node), revision, { token: 'ada', answer })
    const { content } = await client.callTool({ name: tool.name, arguments: input })
    await client.close()
    await handler.close()
    return JSON.stringify(content)
  }

/** The one caller of a server that was started for it: its permissions are read where they are kept. */
function livePrincipal(principal: () => Principal): Principal {
  const { id } = principal()
  return {
    id,
    get permissions() {
      return principal().permissions
    },
  }
}

function formOf(decision: Decision): Record<string, string> {
  if (decision.action === 'edit') return { decision: 'edit', input: JSON.stringify(decision.patch) }
  return { decision: decision.action, ...(decision.action === 'reject' ? { reason: decision.reason } : {}) }
}

type Change = { readonly patch: unknown }

/** A durable request is edited in the inbox, one in memory at the bridge. */
async function editAt(
  runtime: Runtime | undefined,
  memory: { readonly edit: (change: Change) => Promise<void> },
  patch: unknown,
): Promise<void> {
  if (runtime === undefined) return memory.edit({ patch })
  const [item] = await runtime.inbox.list()
  await runtime.inbox.edit(item?.request.id ?? '', { patch })
}

/** A durable call whose edit is shown again waits in the inbox, and the model has its receipt. */
async function approveAgain(runtime: Runtime | undefined): Promise<void> {
  for (const { request, run } of (await runtime?.inbox.list()) ?? []) {
    await runtime?.inbox.approve(request.id)
    if (run !== undefined) await (await runtime?.run(run))?.result()
  }
}

/** Every door through which a model reaches a tool. A new bridge is one more row. */
export const DOORS: readonly (readonly [string, Door])[] = [
  ['AI SDK', aiSdk],
  ['LangChain', langChain],
  ['OpenAI Agents', openAiAgents],
  ['MCP 2025-11-25', mcp('2025-11-25')],
  ['MCP 2026-07-28', mcp('2026-07-28')],
  ['MCP over HTTP, 2025-11-25', mcpOverHttp('2025-11-25')],
  ['MCP over HTTP, 2026-07-28', mcpOverHttp('2026-07-28')],
]
