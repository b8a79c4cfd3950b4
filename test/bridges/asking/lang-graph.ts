import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { Command, MemorySaver, type StateSnapshot } from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { createRuntime, type Runtime } from 'toolwright'
import { type ReviewInterrupt, toLangChain } from 'toolwright/langchain'
import { deskOf } from './desk.ts'
import { Processes } from './processes.ts'
import { type Answer, type Driver, EXPIRY_MS, type PlannedCall, type Stored, type World } from './driver.ts'
import { edited } from './ledger.ts'
import { type Shown, shownIn } from './program.ts'
import { Waiting } from './waiting.ts'

interface Place {
  readonly thread: string
  readonly from: From
  readonly checkpoint: string
}

interface StoredGraph extends Stored, Place {
  /** By the place of a question: the id of its interrupt, and that of its request. */
  readonly interrupts: readonly Interrupted[]
}

/**
 * Where a graph goes on: at its end so far, at the checkpoint, though it has gone on since, or in a copy of the checkpoint, which has the answers of
 * nobody.
 */
type From = 'end' | 'checkpoint' | 'copy'

interface Interrupted {
  readonly interrupt: string
  readonly request: string
  readonly shown: Shown
}

interface Process {
  readonly agent: ReturnType<typeof createReactAgent>
  readonly runtime: Runtime | undefined
  readonly waiting: Waiting
}

/** `v1`: the calls of a turn are one task of the graph. `v2`: each is a task. */
export type GraphVersion = 'v1' | 'v2'

export async function langGraphDriver(world: World, version: GraphVersion): Promise<Driver<StoredGraph>> {
  const { ledger } = world
  const checkpointer = new MemorySaver()
  const plans = new Map<string, readonly PlannedCall[]>()
  const llm = new PlayingChatModel(world, plans)
  const begun = async (): Promise<Process> => {
    const { database, now } = world
    const { tools, clock } = world.begin()
    const runtime = database === undefined ? undefined : createRuntime({ tools, database })
    const waiting = new Waiting(now)
    const { tools: made } = await toLangChain(tools, { clock, expiry: EXPIRY_MS, runtime, on: waiting.on })
    return { agent: createReactAgent({ llm, tools: made, checkpointer, version }), runtime, waiting }
  }
  const processes = new Processes(begun)
  const desk = deskOf(() => processes.here)
  const running = new Set<string>()
  /** Where two executions of a thread overlap, what one of them shows may be gone: nothing is known to wait. */
  const mixed = new Set<string>()
  const alone = async <T>(thread: string, run: () => Promise<T>): Promise<T> => {
    if (running.has(thread)) mixed.add(thread)
    else mixed.delete(thread)
    running.add(thread)
    return run().finally(() => {
      running.delete(thread)
      if (mixed.has(thread)) processes.here.waiting.clear()
    })
  }
  /** The tasks whose results LangGraph has. It goes on with these, also where a copy in another process has asked about their calls again. */
  const settledTasks = async (thread: string): Promise<ReadonlySet<string>> => {
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: thread } })
    return new Set(tuple?.pendingWrites?.flatMap(([task, channel]) => (channel.startsWith('__') ? [] : [task])))
  }
  const ran = async (given: unknown, { thread, from, checkpoint }: Place, signal?: AbortSignal): Promise<StoredGraph | undefined> => {
    const { agent, waiting } = processes.here
    const configurable = { thread_id: thread, ...(from === 'end' ? {} : { checkpoint_id: checkpoint }) }
    const said: unknown = await agent.invoke(given as never, { configurable, ...(signal === undefined ? {} : { signal }) })
    const { __interrupt__: all = [] } = said as {
      readonly __interrupt__?: readonly { readonly id: string; readonly value: ReviewInterrupt }[]
    }
    if (all.length === 0) return undefined
    const { config, tasks } = (await agent.getState({ configurable: { thread_id: thread } })) as StateSnapshot
    const settled = await settledTasks(thread)
    const isSettled = (interrupt: string): boolean =>
      tasks.some((task) => settled.has(task.id) && task.interrupts.some((each) => each.id === interrupt))
    const interrupts = all.map(({ id, value }): Interrupted => {
      const shown = shownIn(value.request.why)[0] as Shown
      if (!isSettled(id)) waiting.show(value.id, shown)
      return { interrupt: id, request: value.id, shown }
    })
    const place =
      from === 'checkpoint' ? { from, checkpoint } : { from: 'end' as const, checkpoint: String(config.configurable?.['checkpoint_id']) }
    const questions = interrupts.map(({ request, shown }) => ({ shows: new Map([[request, shown]]) }))
    return { thread, ...place, interrupts, questions, answers: new Map() }
  }
  return {
    carries: ['approve', 'edit', 'reject', 'stop', 'leave'],
    desk: world.database === undefined ? undefined : desk,
    start: (turn) => {
      const thread = `thread ${plans.size}`
      plans.set(thread, turn)
      return ran({ messages: thread }, { thread, from: 'end', checkpoint: '' })
    },
    answer: async (stored, answers) => ({ ...stored, answers: new Map([...stored.answers, ...answers]) }),
    resume: async ({ interrupts, answers, ...place }, signal) => {
      const { thread } = place
      const given = interrupts.flatMap((each, at) => {
        const answer = answers.get(at) ?? 'leave'
        return answer === 'leave' ? [] : [{ interrupt: each.interrupt, value: resumed(answer, each) }]
      })
      const [only] = given
      const values = Object.fromEntries(given.map(({ interrupt, value }) => [interrupt, value]))
      const resume = given.length === 1 ? only?.value : values
      // Without an answer, LangGraph copies the checkpoint.
      const from = place.from === 'checkpoint' && given.length === 0 ? 'copy' : place.from
      // Calls in memory are not known again in a copy.
      if (from === 'copy' && world.database === undefined) for (const { tool, input } of plans.get(thread) ?? []) ledger.made(tool, input)
      for (const { value } of given) processes.here.waiting.delete(value.id)
      const run = (): Promise<StoredGraph | undefined> =>
        ran(given.length === 0 ? null : new Command({ resume }), { ...place, from }, signal)
      return alone(thread, run).catch(() => 'refused' as const)
    },
    open: async () => (world.database === undefined ? processes.here.waiting.open : desk.open()),
    drop: (stored, how) =>
      how % 2 === 0 ? { ...stored, from: 'checkpoint' } : { ...stored, from: 'copy', interrupts: [], questions: [], answers: new Map() },
    enter: (process) => processes.enter(process),
    close: () => processes.close(),
  }
}

function resumed(answer: Exclude<Answer, 'leave'>, { request: id, shown }: Interrupted) {
  return answer === 'edit' ? { id, action: answer, input: edited(shown.input) } : { id, action: answer }
}

/** Calls what is planned for the thread that the user names; then it is done. */
class PlayingChatModel extends BaseChatModel {
  readonly #world: World
  readonly #plans: ReadonlyMap<string, readonly PlannedCall[]>

  constructor(world: World, plans: ReadonlyMap<string, readonly PlannedCall[]>) {
    super({})
    this.#world = world
    this.#plans = plans
  }

  override _llmType(): string {
    return 'playing'
  }

  override bindTools(): this {
    return this
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const isFirst = !messages.some((each) => AIMessage.isInstance(each))
    const calls = isFirst ? (this.#plans.get(String(messages[0]?.content)) ?? []) : []
    const tool_calls = calls.map(({ tool, input }, place) => ({
      id: this.#world.callId(place),
      name: tool,
      args: { input },
      type: 'tool_call' as const,
    }))
    const message = calls.length === 0 ? new AIMessage('Done.') : new AIMessage({ content: '', tool_calls })
    return Promise.resolve({ generations: [{ text: '', message }] })
  }
}
