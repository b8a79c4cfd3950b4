import { generateText, isStepCount, type ModelMessage, type ToolApprovalResponse, type ToolCallPart } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { aiSdkReviews, toAiSdk } from 'toolwright/ai-sdk'
import { edit } from './openai-agents.ts'
import type { Answer, Framework, Stored } from './schedule.ts'
import { type Asked, EXPIRY_MS, type PlannedCall, type World } from './world.ts'

interface StoredMessages extends Stored {
  readonly base: readonly ModelMessage[]
  /** By the id of the approval. */
  readonly byApproval: ReadonlyMap<string, Asked>
  readonly answers: ReadonlyMap<string, Answer>
  /** What earlier messages deny. */
  readonly deniedBefore: readonly Asked[]
}

interface Going {
  readonly abortSignal?: AbortSignal | undefined
  readonly deniedBefore?: readonly Asked[]
}

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>
type Prompt = Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt']

const MOST_TURNS = 4
const usage: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

export async function aiSdkFramework(world: World): Promise<Framework<StoredMessages>> {
  const processes = new Map<number, Process>()
  const enter = (number: number): Process => {
    const entered = processes.get(number) ?? processOf(world)
    processes.set(number, entered)
    return entered
  }
  let here = enter(0)
  let plan: readonly PlannedCall[] | undefined
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const calls = plan ?? callsAgain(prompt)
      plan = undefined
      const content = calls.map((each, place) => {
        const toolCallId = world.callId(place)
        world.made(toolCallId)
        return { type: 'tool-call' as const, toolCallId, toolName: each.tool, input: JSON.stringify({ input: each.input }) }
      })
      const unified = content.length === 0 ? 'stop' : 'tool-calls'
      return {
        content: content.length === 0 ? [{ type: 'text', text: 'Done.' }] : content,
        finishReason: { unified, raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
  const storedOf = (parts: Pick<StoredMessages, 'base' | 'byApproval' | 'answers' | 'deniedBefore'>): StoredMessages => {
    const of = (answer: Answer): readonly Asked[] =>
      [...parts.byApproval].flatMap(([id, asked]) => (parts.answers.get(id) === answer ? [asked] : []))
    return { ...parts, asked: [...parts.byApproval.values()], approved: of('approve'), denied: [...parts.deniedBefore, ...of('deny')] }
  }
  const ran = async (messages: readonly ModelMessage[], how: Going = {}): Promise<StoredMessages | undefined> => {
    const { abortSignal, deniedBefore = [] } = how
    const { reviews, tools, toolApproval } = here
    const given = { model, messages: [...messages], tools, toolApproval, stopWhen: isStepCount(MOST_TURNS) }
    const { content, responseMessages } = await generateText({
      ...given,
      maxRetries: 0,
      ...(abortSignal === undefined ? {} : { abortSignal }),
    })
    const byApproval = new Map<string, Asked>()
    for (const part of content) {
      if (part.type !== 'tool-approval-request') continue
      const { toolCallId, toolName, input } = part.toolCall
      const ofCall = reviews.list().filter((each) => each.toolCallId === toolCallId && each.toolName === toolName)
      const own = ofCall.filter(({ request }) => isAbout(request.input, input))
      byApproval.set(part.approvalId, { requests: new Set(own.map(({ request }) => request.id)) })
    }
    if (byApproval.size === 0) return undefined
    return storedOf({ base: [...messages, ...responseMessages], byApproval, answers: new Map(), deniedBefore })
  }
  return {
    start: async (turn) => {
      plan = turn
      return ran([{ role: 'user', content: 'Go.' }]).catch(() => undefined)
    },
    answer: async ({ answers: given, ...stored }, next) => {
      const answers = new Map(given)
      for (const [at, id] of [...stored.byApproval.keys()].entries()) if (next[at] !== 'leave') answers.set(id, next[at] ?? 'approve')
      return storedOf({ ...stored, answers })
    },
    resume: async (stored, signal) => {
      const messages = messagesOf(stored)
      // The SDK calls no tool that was denied.
      await here.reviews.rejectDenied(messages)
      return ran(messages, { abortSignal: signal, deniedBefore: stored.denied }).catch(() => 'refused' as const)
    },
    reject: (stored) => here.reviews.rejectDenied(messagesOf(stored)),
    giveUp: async (stored, place) => {
      const messages = messagesOf(stored)
      const calls = callsIn(messages)
      const call = calls[place % Math.max(1, calls.length)]
      if (call === undefined) return
      const abortSignal = AbortSignal.abort(new Error('Given up.'))
      const options = { toolCallId: call.toolCallId, messages, abortSignal, context: {} }
      await Promise.resolve(here.tools[call.toolName]?.execute?.(call.input as never, options)).catch(() => undefined)
    },
    waiting: () => here.reviews.list().map(({ request }) => request.id),
    edit: (id) => edit(here.reviews, id),
    enter: (number) => {
      here = enter(number)
      world.enter(number)
    },
  }
}

type Bridge = ReturnType<typeof toAiSdk<World['tools']>>
type Process = Pick<Bridge, 'tools' | 'toolApproval' | 'reviews'>

function processOf(world: World): Process {
  const reviews = aiSdkReviews({ expiry: EXPIRY_MS, clock: world.clock })
  return { reviews, ...watchedBridge(toAiSdk(world.tools, { reviews, session: 'chat', clock: world.clock, on: world.listener }), world) }
}

/** The same tools; what begins in them is known by the call. */
function watchedBridge(bridge: Bridge, world: World): Pick<Bridge, 'tools' | 'toolApproval'> {
  const tools = Object.entries(bridge.tools).map(([name, each]) => [
    name,
    {
      ...each,
      execute: (input: never, call: never) => world.within((call as ToolCallPart).toolCallId, async () => each.execute(input, call)),
    },
  ])
  const toolApproval = Object.entries(bridge.toolApproval).map(([name, ask]): [string, typeof ask] => [
    name,
    (input, call) => world.within(call.toolCallId, () => ask(input, call)),
  ])
  return { tools: Object.fromEntries(tools) as typeof bridge.tools, toolApproval: Object.fromEntries(toolApproval) }
}

function isAbout(shown: unknown, input: unknown): boolean {
  return String(shown).startsWith(String((input as { readonly input: unknown }).input))
}

function messagesOf({ base, answers }: StoredMessages): ModelMessage[] {
  const content = [...answers].map(([approvalId, answer]): ToolApprovalResponse => ({
    type: 'tool-approval-response',
    approvalId,
    approved: answer === 'approve',
  }))
  return content.length === 0 ? [...base] : [...base, { role: 'tool', content }]
}

function callsIn(messages: readonly ModelMessage[]): readonly ToolCallPart[] {
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content.filter((part): part is ToolCallPart => part.type === 'tool-call') : [],
  )
}

/** The calls that the model is told to make again. */
function callsAgain(prompt: Prompt): readonly PlannedCall[] {
  const last = prompt.at(-1)
  const calls = prompt.flatMap((each) => (each.role === 'assistant' ? each.content.filter((part) => part.type === 'tool-call') : []))
  if (last?.role !== 'tool' || calls.length >= 2 * MOST_TURNS) return []
  return last.content.flatMap((part) => {
    if (part.type !== 'tool-result' || !JSON.stringify(part.output).includes('again with exactly the same input')) return []
    const call = calls.findLast(({ toolCallId }) => toolCallId === part.toolCallId)
    return call === undefined ? [] : [{ tool: call.toolName, input: (call.input as PlannedCall).input } as PlannedCall]
  })
}
