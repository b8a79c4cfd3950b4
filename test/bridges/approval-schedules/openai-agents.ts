import { Agent, type Model, type ModelRequest, type ModelResponse, Runner, RunState, Usage } from '@openai/agents'
import { toOpenAiAgents } from 'toolwright/openai-agents'
import type { Answer, Framework, Stored } from './schedule.ts'
import { type Asked, EXPIRY_MS, type PlannedCall, type World } from './world.ts'

interface StoredState extends Stored {
  readonly text: string
  /** By the id of the call. */
  readonly byCall: ReadonlyMap<string, Asked>
  readonly answers: ReadonlyMap<string, Answer>
}

const runner = new Runner({ tracingDisabled: true })
const MOST_TURNS = 4

export async function openAiAgentsFramework(world: World): Promise<Framework<StoredState>> {
  const options = { session: 'chat', clock: world.clock, expiry: EXPIRY_MS, on: world.listener } as const
  const model = new PlayingModel(world)
  const begun = async () => {
    const { tools, named, reviews } = await toOpenAiAgents(world.tools, options)
    const watched = tools.map((each) => ({
      ...each,
      needsApproval: ((context, input, callId = '') =>
        world.within(callId, () => each.needsApproval(context, input, callId))) as typeof each.needsApproval,
      invoke: ((context, text, details) =>
        world.within(details?.toolCall?.callId ?? '', () => each.invoke(context, text, details))) as typeof each.invoke,
    }))
    return { named, reviews, agent: new Agent({ name: 'Desk', model, tools: watched }) }
  }
  let { named, reviews, agent } = await begun()
  const storedOf = (text: string, byCall: ReadonlyMap<string, Asked>, answers: ReadonlyMap<string, Answer>): StoredState => {
    const of = (answer: Answer): readonly Asked[] => [...byCall].flatMap(([id, asked]) => (answers.get(id) === answer ? [asked] : []))
    return { text, byCall, answers, asked: [...byCall.values()], approved: of('approve'), denied: of('deny') }
  }
  const ran = async (given: string | RunState<unknown, typeof agent>, before: StoredState | undefined, signal?: AbortSignal) => {
    const { state, interruptions } = await runner.run(agent, given, {
      maxTurns: MOST_TURNS + 2,
      ...(signal === undefined ? {} : { signal }),
    })
    if (interruptions.length === 0) return undefined
    const byCall = new Map(before?.byCall)
    for (const each of interruptions) {
      if (each.rawItem.type !== 'function_call') continue
      const requests = new Set((await reviews.requests(each, state)).map(({ id }) => id))
      byCall.set(each.rawItem.callId, { requests: new Set([...(byCall.get(each.rawItem.callId)?.requests ?? []), ...requests]) })
    }
    const text = state.toString()
    // The SDK does not read every state that it writes.
    const isReadable = await stateOf(text)
      .then(() => true)
      .catch(() => false)
    return isReadable ? storedOf(text, byCall, before?.answers ?? new Map()) : undefined
  }
  const stateOf = (text: string): Promise<RunState<unknown, typeof agent>> => RunState.fromString(agent, text)
  return {
    start: async (turn) => {
      model.plan = turn
      return ran('Go.', undefined).catch(() => undefined)
    },
    answer: async ({ text, byCall, answers: given }, next) => {
      const state = await stateOf(text)
      const answers = new Map(given)
      for (const [at, item] of state.getInterruptions().entries()) {
        const answer = next[at] ?? 'leave'
        if (item.rawItem.type !== 'function_call' || answer === 'leave') continue
        if (answer === 'approve') state.approve(item)
        else state.reject(item)
        answers.set(item.rawItem.callId, answer)
      }
      return storedOf(state.toString(), byCall, answers)
    },
    resume: async (stored, signal) => ran(await stateOf(stored.text), stored, signal).catch(() => 'refused' as const),
    reject: async ({ text }) => reviews.rejectDenied(await stateOf(text)),
    giveUp: async ({ text }, place) => {
      const state = await stateOf(text)
      const calls = state.history.flatMap((item) => (item.type === 'function_call' ? [item] : []))
      const toolCall = calls[place % Math.max(1, calls.length)]
      if (toolCall === undefined) return
      const signal = AbortSignal.abort(new Error('Given up.'))
      const invoke = async () => named[toolCall.name]?.invoke(state._context, toolCall.arguments, { toolCall, signal })
      await world.within(toolCall.callId, invoke)
    },
    waiting: () => reviews.list().map(({ request }) => request.id),
    edit: (id) => edit(reviews, id),
    restart: async () => {
      ;({ named, reviews, agent } = await begun())
    },
  }
}

export async function edit(
  { list, edit: prepare }: Pick<Awaited<ReturnType<typeof toOpenAiAgents>>['reviews'], 'list' | 'edit'>,
  id: string,
): Promise<void> {
  const input = list().find(({ request }) => request.id === id)?.request.input
  await prepare(id, { input: `${String(input)}!` })
}

/** Calls what is planned; calls again what it is told to call again; else it is done. */
class PlayingModel implements Model {
  plan: readonly PlannedCall[] | undefined
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    const items = typeof input === 'string' ? [] : input
    const calls = items.flatMap((item) => (item.type === 'function_call' ? [item] : []))
    const lastCall = items.findLastIndex((item) => item.type === 'function_call')
    const again = items.slice(lastCall + 1).flatMap((item) => {
      if (item.type !== 'function_call_result' || !JSON.stringify(item.output).includes('again with exactly the same input')) return []
      const call = calls.findLast(({ callId }) => callId === item.callId)
      return call === undefined || calls.length >= 2 * MOST_TURNS ? [] : [{ name: call.name, arguments: call.arguments }]
    })
    const planned = this.plan?.map((each) => ({ name: each.tool, arguments: JSON.stringify({ input: each.input }) })) ?? again
    this.plan = undefined
    if (planned.length === 0) {
      const content = [{ type: 'output_text' as const, text: 'Done.' }]
      return { usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content }] }
    }
    const output = planned.map((each, place) => {
      const callId = this.#world.callId(place)
      this.#world.made(callId)
      return { type: 'function_call' as const, callId, status: 'completed' as const, ...each }
    })
    return { usage: new Usage(), output }
  }

  async *getStreamedResponse(): AsyncGenerator<never> {}
}
