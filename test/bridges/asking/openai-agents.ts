import { Agent, type Model, type ModelRequest, type ModelResponse, Runner, RunState, Usage } from '@openai/agents'
import { createRuntime, type Runtime } from 'toolwright'
import { type OpenAiAgentsBridge, toOpenAiAgents } from 'toolwright/openai-agents'
import { deskOf } from './desk.ts'
import { Processes } from './processes.ts'
import { type Driver, EXPIRY_MS, type PlannedCall, type ProcessParts, type Question, type Stored, type World } from './driver.ts'
import { type Shown, shownIn } from './program.ts'

interface StoredState extends Stored {
  readonly text: string
  /** In which it was stored. */
  readonly life: number
}

interface Process {
  readonly bridge: OpenAiAgentsBridge<ProcessParts['tools']>
  readonly reviews: OpenAiAgentsBridge<ProcessParts['tools']>['reviews']
  readonly agent: Agent
  readonly runtime: Runtime | undefined
}

const runner = new Runner({ tracingDisabled: true })
const MOST_TURNS = 4

export async function openAiAgentsDriver(world: World): Promise<Driver<StoredState>> {
  const model = new PlayingModel(world)
  const processes = new Processes(() => processOf(world, model))
  const stateOf = (text: string): Promise<RunState<unknown, Agent>> => RunState.fromString(processes.here.agent, text)
  const ran = async (
    given: string | RunState<unknown, Agent>,
    { signal, rejectedBefore = false }: { readonly signal?: AbortSignal | undefined; readonly rejectedBefore?: boolean } = {},
  ): Promise<StoredState | undefined> => {
    const { state, interruptions } = await runner.run(processes.here.agent, given, {
      maxTurns: MOST_TURNS + 2,
      ...(signal === undefined ? {} : { signal }),
    })
    if (interruptions.length === 0) return undefined
    const questions = await Promise.all(
      interruptions.map(async (each): Promise<Question> => {
        const requests = await processes.here.reviews.requests(each, state)
        return { shows: new Map(requests.map(({ id, why }) => [id, shownIn(why)[0] as Shown])) }
      }),
    )
    const text = state.toString()
    const { life } = world.ledger
    // The SDK does not read every state that it writes.
    const isReadable = await stateOf(text).then(
      () => true,
      () => false,
    )
    return isReadable ? { text, life, questions, answers: new Map(), rejectedBefore } : undefined
  }
  const desk = deskOf(() => processes.here)
  return {
    carries: ['approve', 'reject', 'leave'],
    start: (turn) => {
      model.plan = turn
      return ran('Go.')
    },
    answer: async (stored, answers) => {
      const state = await stateOf(stored.text)
      const given = new Map(stored.answers)
      for (const [at, item] of state.getInterruptions().entries()) {
        const answer = answers.get(at) ?? 'leave'
        // To read a state tells its rejections.
        if (answer === 'leave' || given.get(at) === 'reject') continue
        if (answer === 'approve') state.approve(item)
        else state.reject(item)
        given.set(at, answer)
      }
      return { ...stored, text: state.toString(), answers: given }
    },
    resume: async (stored, signal) => {
      const state = await stateOf(stored.text)
      for (const item of state.history)
        if (item.type === 'function_call_result' && !model.toldBefore.has(item.callId)) model.toldBefore.set(item.callId, stored.life)
      const rejectedBefore = stored.rejectedBefore === true || [...stored.answers.values()].includes('reject')
      return ran(state, { signal, rejectedBefore }).catch(() => 'refused' as const)
    },
    desk,
    open: desk.open,
    deny: async ({ text }) => processes.here.reviews.rejectDenied(await stateOf(text)),
    giveUp: async ({ text }, place) => {
      const state = await stateOf(text)
      const calls = state.history.flatMap((item) => (item.type === 'function_call' ? [item] : []))
      const toolCall = calls[place % Math.max(1, calls.length)]
      if (toolCall === undefined) return
      const signal = AbortSignal.abort(new Error('Given up.'))
      await processes.here.bridge.named[toolCall.name]?.invoke(state._context, toolCall.arguments, { toolCall, signal })
    },
    enter: (process) => processes.enter(process),
    close: () => processes.close(),
  }
}

async function processOf({ begin, database }: World, model: Model): Promise<Process> {
  const { tools, clock } = begin()
  const runtime = database === undefined ? undefined : createRuntime({ tools, database })
  const bridge = await toOpenAiAgents(tools, { session: 'chat', clock, expiry: EXPIRY_MS, runtime })
  return { bridge, runtime, reviews: bridge.reviews, agent: new Agent({ name: 'Desk', model, tools: bridge.tools }) }
}

/** Calls what is planned; calls again what it is told to call again; else it is done. */
class PlayingModel implements Model {
  plan: readonly PlannedCall[] | undefined
  /** The calls whose results stand in a state that a run went on with, and the lives in which the states were stored. */
  readonly toldBefore = new Map<string, number>()
  /** The calls that it has made again. */
  readonly #repeated = new Set<string>()
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    const { plan } = this
    const planned = plan?.map((each) => ({ name: each.tool, arguments: JSON.stringify({ input: each.input }) })) ?? this.#callsAgain(input)
    this.plan = undefined
    // The SDK takes a call with the id of an approved one as approved. So a model that calls again gives another id.
    const { callId } = plan === undefined ? { callId: this.#world.newId } : this.#world
    if (planned.length === 0) {
      const content = [{ type: 'output_text' as const, text: 'Done.' }]
      return { usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content }] }
    }
    const output = planned.map((each, place) => ({
      type: 'function_call' as const,
      callId: callId(place),
      status: 'completed' as const,
      ...each,
    }))
    return { usage: new Usage(), output }
  }

  async *getStreamedResponse(): AsyncGenerator<never> {}

  #callsAgain(input: ModelRequest['input']): readonly { readonly name: string; readonly arguments: string }[] {
    const items = typeof input === 'string' ? [] : input
    const calls = items.flatMap((item) => (item.type === 'function_call' ? [item] : []))
    const lastCall = items.findLastIndex((item) => item.type === 'function_call')
    return items.slice(lastCall + 1).flatMap((item) => {
      if (item.type !== 'function_call_result' || !JSON.stringify(item.output).includes('again with exactly the same input')) return []
      const call = calls.findLast(({ callId }) => callId === item.callId)
      if (call === undefined || calls.length >= 2 * MOST_TURNS) return []
      const { input: given } = JSON.parse(call.arguments) as PlannedCall
      // A state that is used twice tells an old result twice, and the model then makes another call, of which no tool hears that it is the same.
      if (this.toldBefore.has(call.callId) && this.#repeated.has(call.callId)) this.#world.ledger.made(call.name, given)
      else this.#world.ledger.madeAgain(call.name, given, this.toldBefore.get(call.callId))
      this.#repeated.add(call.callId)
      return [{ name: call.name, arguments: call.arguments }]
    })
  }
}
