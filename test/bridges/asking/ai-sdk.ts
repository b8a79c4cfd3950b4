import { generateText, isStepCount, type ModelMessage, type ToolApprovalResponse, type ToolCallPart } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createRuntime, type Runtime } from 'toolwright'
import { type AiSdkReviews, aiSdkReviews, toAiSdk } from 'toolwright/ai-sdk'
import {
  type Answer,
  type Driver,
  EXPIRY_MS,
  type PlannedCall,
  type ProcessParts,
  type Question,
  type Stored,
  type World,
} from './driver.ts'
import { deskOf } from './desk.ts'
import { Processes } from './processes.ts'
import { shownIn } from './program.ts'

interface StoredMessages extends Stored {
  readonly messages: readonly ModelMessage[]
  /** By the place of a question. */
  readonly approvalIds: readonly string[]
}

interface Process {
  readonly bridge: ReturnType<typeof toAiSdk<ProcessParts['tools']>>
  readonly reviews: AiSdkReviews
  readonly runtime: Runtime | undefined
}

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>
type Prompt = Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt']

const MOST_TURNS = 4
const usage: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

export async function aiSdkDriver(world: World): Promise<Driver<StoredMessages>> {
  const processes = new Processes(() => processOf(world))
  let plan: readonly PlannedCall[] | undefined
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const calls = plan ?? callsAgain(prompt, world)
      plan = undefined
      const content = calls.map(({ tool: toolName, input }, place) => ({
        type: 'tool-call' as const,
        toolCallId: world.callId(place),
        toolName,
        input: JSON.stringify({ input }),
      }))
      const unified = content.length === 0 ? 'stop' : 'tool-calls'
      const said = content.length === 0 ? [{ type: 'text' as const, text: 'Done.' }] : content
      return { content: said, finishReason: { unified, raw: undefined }, usage, warnings: [] }
    },
  })
  const ran = async (messages: readonly ModelMessage[], abortSignal?: AbortSignal): Promise<StoredMessages | undefined> => {
    const { tools, toolApproval } = processes.here.bridge
    const { responseMessages } = await generateText({
      model,
      messages: [...messages],
      tools,
      toolApproval,
      stopWhen: isStepCount(MOST_TURNS),
      maxRetries: 0,
      ...(abortSignal === undefined ? {} : { abortSignal }),
    })
    const requests = responseMessages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'tool-approval-request' ? [part] : [])),
    )
    if (requests.length === 0) return undefined
    return {
      messages: [...messages, ...responseMessages],
      questions: requests.map(({ reason }) => questionOf(reason ?? '')),
      approvalIds: requests.map(({ approvalId }) => approvalId),
      answers: new Map(),
    }
  }
  const desk = deskOf(() => processes.here)
  return {
    carries: ['approve', 'reject', 'leave'],
    start: (turn) => {
      plan = turn
      return ran([{ role: 'user', content: 'Go.' }])
    },
    answer: async (stored, answers) => ({ ...stored, answers: new Map([...stored.answers, ...answers]) }),
    resume: async (stored, signal) => {
      const messages = messagesOf(stored)
      // The SDK calls no tool that was denied.
      await processes.here.bridge.reviews.rejectDenied(messages)
      return ran(messages, signal).catch(() => 'refused' as const)
    },
    desk,
    open: desk.open,
    deny: (stored) => processes.here.bridge.reviews.rejectDenied(messagesOf(stored)),
    drop: (stored, how) => ({ ...stored, messages: dropped(stored.messages, how) }),
    giveUp: async (stored, place) => {
      const messages = messagesOf(stored)
      const calls = callsIn(messages)
      const call = calls[place % Math.max(1, calls.length)]
      if (call === undefined) return
      const options = { toolCallId: call.toolCallId, messages, abortSignal: AbortSignal.abort(new Error('Given up.')), context: {} }
      await Promise.resolve(processes.here.bridge.tools[call.toolName]?.execute(call.input as never, options)).catch(() => undefined)
    },
    enter: (process) => processes.enter(process),
    close: () => processes.close(),
  }
}

function processOf({ begin, database }: World): Process {
  const { tools, clock } = begin()
  const reviews = aiSdkReviews({ expiry: EXPIRY_MS, clock })
  const runtime = database === undefined ? undefined : createRuntime({ tools, database })
  return { reviews, runtime, bridge: toAiSdk(tools, { reviews, session: 'chat', clock, runtime }) }
}

/** The last line of a reason names the requests, in the order of the lines before. */
function questionOf(reason: string): Question {
  const ids = (/\[requests (?<ids>[^\]]*)\]$/.exec(reason)?.groups?.['ids'] ?? '').split(' ')
  const shown = shownIn(reason)
  if (shown.length !== ids.length) throw new Error(`The reason names ${ids.length} requests, and shows ${shown.length}: ${reason}`)
  return { shows: new Map(shown.map((each, at) => [ids[at] ?? '', each])) }
}

function messagesOf({ messages, approvalIds, answers }: StoredMessages): ModelMessage[] {
  const content = [...answers].flatMap(([at, answer]: [number, Answer]): readonly ToolApprovalResponse[] =>
    answer === 'leave' ? [] : [{ type: 'tool-approval-response', approvalId: approvalIds[at] ?? '', approved: answer === 'approve' }],
  )
  return content.length === 0 ? [...messages] : [...messages, { role: 'tool', content }]
}

/** A program shortens its conversation: the last turn of the model and what comes after it stay. */
function dropped(messages: readonly ModelMessage[], how: number): readonly ModelMessage[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const kept = messages.filter((_message, at) => at === 0 || at >= last || (at + how) % 2 === 0)
  return kept.length === messages.length ? messages.slice(Math.max(0, last - 1)) : kept
}

function callsIn(messages: readonly ModelMessage[]): readonly ToolCallPart[] {
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content.filter((part): part is ToolCallPart => part.type === 'tool-call') : [],
  )
}

/** The calls that the model is told to make again. */
function callsAgain(prompt: Prompt, { ledger }: World): readonly PlannedCall[] {
  const last = prompt.at(-1)
  const calls = prompt.flatMap((each) => (each.role === 'assistant' ? each.content.filter((part) => part.type === 'tool-call') : []))
  if (last?.role !== 'tool' || calls.length >= 2 * MOST_TURNS) return []
  return last.content.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    const told = JSON.stringify(part.output)
    const call = calls.findLast(({ toolCallId }) => toolCallId === part.toolCallId)
    if (call === undefined || !told.includes('again with exactly the same input')) return []
    const { input } = call.input as PlannedCall
    // Nothing of that call is known to this process.
    if (told.includes('did not ask')) ledger.made(call.toolName, input)
    return [{ tool: call.toolName, input }]
  })
}
