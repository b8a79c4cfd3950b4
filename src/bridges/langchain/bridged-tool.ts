import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager'
import type { ToolRunnableConfig } from '@langchain/core/tools'
import { InboxError } from '../../review/inbox-error.ts'
import { mayAsk } from '../../plan/gates.ts'
import { decideRequest } from '../../runtime/decide-request.ts'
import type { DurableParts } from '../../runtime/durable.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Listener } from '../../tool/event.ts'
import { digest } from '../../tool/journal/hash.ts'
import type { OfferedSpecification } from '../../tool/resolve/offered-tools.ts'
import type { ToolSuccess } from '../../tool/result/result.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import type { SharedCallOptions } from '../../tool/shared-option-names.ts'
import { callIdentity, type CallIdentity } from '../call-identity.ts'
import { callRun, callTool } from '../call-tool.ts'
import { CHANNELS } from '../channels.ts'
import { openRequests } from '../durable-answers.ts'
import type { CallEnd } from '../parked-call.ts'
import { judgedDecision } from '../parked-reviews.ts'
import { progressOutput } from '../progress-feed.ts'
import { type OpenRequest, ToolRun } from '../tool-run.ts'
import type { Bridge } from './bridge.ts'
import { droppedError, wasTakenBack } from '../dropped-calls.ts'
import { GraphReviews } from './graph-reviews.ts'
import { type GraphTask, graphTaskOf, stepOf } from './graph-task.ts'
import { loadLangGraph } from './load-lang-chain.ts'
import { originalTask } from './original-task.ts'

/** What LangChain says about a call. */
export interface LangChainCall {
  readonly config: ToolRunnableConfig
  readonly runManager: CallbackManagerForToolRun | undefined
}

interface Parts {
  readonly tool: AgentTool
  readonly offered: OfferedSpecification | undefined
  readonly durable: DurableParts | undefined
}

/** One call, with all that its ways to the door need. */
interface Calling {
  readonly identity: CallIdentity
  readonly shared: SharedCallOptions
  readonly signal: AbortSignal | undefined
  readonly on: readonly Listener[]
}

interface InGraph {
  readonly task: GraphTask
  readonly reviews: GraphReviews
}

/** The name of the custom event that reports progress. */
const PROGRESS = 'toolwright_progress'

const LATE = 'a person decided about this step after its time was over.'

const BACK = 'the graph went back to an earlier checkpoint, and it cannot be known which call this one repeats.'

/** One tool as LangChain calls it. In a graph that can be resumed, its calls stop at interrupts, and each of them runs once. */
export class BridgedTool {
  readonly name: string
  readonly tool: AgentTool
  readonly offered: OfferedSpecification | undefined
  readonly #durable: DurableParts | undefined
  readonly #bridge: Bridge
  readonly #mayAsk: boolean

  constructor(name: string, { tool, offered, durable }: Parts, bridge: Bridge) {
    const { policy, runtime } = bridge.options
    this.#mayAsk = (policy ?? runtime?.shared.policy) !== undefined || mayAsk(tool)
    this.name = name
    this.tool = tool
    this.offered = offered
    this.#durable = durable
    this.#bridge = bridge
  }

  /** A success with what the model reads of it. */
  routed(success: ToolSuccess, config: ToolRunnableConfig): Promise<ToolSuccess> {
    return this.#bridge.routed.told(success, { tool: this.tool, caller: this.#bridge.sharedBy(config, graphTaskOf(config)) })
  }

  /** The end of a call; rejects with the interrupt of a graph. */
  async call(input: unknown, { config, runManager }: LangChainCall): Promise<CallEnd> {
    const task = graphTaskOf(config)
    const shared = this.#bridge.sharedBy(config, task)
    const toolCallId = config.toolCall?.id ?? ''
    // Some models reuse the ids of calls: the task tells them apart.
    const idIn = ({ thread }: GraphTask, its: string): string => digest(JSON.stringify([thread, its, toolCallId]))
    const id = task === undefined ? toolCallId : idIn(task, task.id)
    const identity = { ...callIdentity({ tool: this.tool, name: this.name, input, toolCallId: id }, shared), toolCallId }
    const calling = { identity, shared, signal: config.signal, on: reporters(config, runManager) }
    const durable = this.#durable === undefined ? undefined : { ...this.#durable, scope: id }
    if (task === undefined) return durable === undefined ? this.#begin(calling) : this.#callDurably(durable, calling, undefined)
    return task.calls.during(async (call) => {
      const { interrupt } = await loadLangGraph()
      const its = { task, reviews: new GraphReviews(task, interrupt, { identity, call }) }
      if (durable === undefined) return this.#callInGraph(calling, its)
      const original = (await originalTask(task.id, config)) ?? (this.tool.effect === 'read' ? task.id : undefined)
      if (original === undefined) return { thrown: droppedError(this.name, BACK) }
      return this.#callDurably({ ...durable, scope: idIn(task, original) }, calling, its)
    })
  }

  async #callDurably(durable: DurableParts & { readonly scope: string }, calling: Calling, graph: InGraph | undefined): Promise<CallEnd> {
    const { identity, shared, signal } = calling
    const isScoped = graph !== undefined || (shared.session === undefined && identity.toolCallId !== '')
    const rules = { review: shared.review, scope: isScoped ? durable.scope : undefined, isSameCall: graph !== undefined }
    const reviews = shared.review === undefined ? graph?.reviews : undefined
    for (;;) {
      const { end, waiting: run } = await callRun(durable, identity.input, { shared, signal, rules, decoder: this.offered?.decoder })
      if (reviews === undefined || run === undefined) return end
      const [item, ...others] = await openRequests(durable.runtime, run)
      if (item === undefined) return end
      await reviews.ask([item, ...others], ({ request }, resumed) =>
        decideRequest(durable.runtime, request.id, { ...resumed, channel: CHANNELS.langChain }),
      )
    }
  }

  /** The run waits in memory where the graph stops, and is found again when its node runs again; so is one that has ended. */
  async #callInGraph(calling: Calling, { task, reviews }: InGraph): Promise<CallEnd> {
    const { identity, signal, shared } = calling
    const { calls } = this.#bridge
    const { key } = identity
    const its = { key, step: stepOf(task), tool: this.tool }
    const dropped = calls.get(key) === undefined ? calls.droppedEffect(its) : undefined
    if (dropped !== undefined && (await dropped)) return { thrown: droppedError(this.name, LATE) }
    // Nothing is awaited from here to `keep`: of equal calls at the same time, one begins.
    const found = calls.get(key)
    let call = found ?? { ...its, run: this.#run(calling) }
    for (;;) {
      calls.keep(call)
      const { run } = call
      run.calledBy(shared.principal)
      const stopFollowing = run.follow(signal)
      await run.settled()
      stopFollowing()
      if (run.end !== undefined) {
        const isTakenBack = wasTakenBack(run, this.tool)
        if (isTakenBack) calls.forget(call)
        else calls.ended(call)
        if (!isTakenBack || call !== found || signal?.aborted === true) return run.end
        // It was cancelled with the last execution of the node. What this execution begins is its answer, however it ends.
        call = calls.get(key) ?? { ...its, run: this.#run(calling) }
        continue
      }
      const [open, ...others] = run.open
      if (open === undefined) continue
      await reviews.ask([open, ...others], (asked, { decision }) => this.#decide(run, asked, { decision, clock: shared.clock }))
    }
  }

  #run(calling: Calling): ToolRun {
    const { review } = calling.shared
    return new ToolRun({
      signal: calling.signal,
      later: review,
      isApproved: review !== undefined,
      // A call that is not expected to ask is not listened to: it parks at its first request.
      begin: ({ on, ...options }) => this.#call({ ...calling, on: this.#mayAsk ? [...calling.on, on] : calling.on }, options),
    })
  }

  /** Why the decision does not count; undefined where it does. */
  async #decide(
    run: ToolRun,
    open: OpenRequest,
    { decision, clock }: { readonly decision: ReviewDecision; readonly clock: SharedCallOptions['clock'] },
  ): Promise<string | undefined> {
    const find = (): OpenRequest => {
      if (run.open.includes(open)) return open
      throw new InboxError('unknown_request', `'${open.request.id}' is not open any more.`)
    }
    try {
      const made = { decision, by: decision.by, reviewers: open.reviewers }
      open.prepared = await judgedDecision(find, made, { channel: CHANNELS.langChain, now: () => clock?.now() ?? Date.now() })
      run.approve(new Set([open.request.id]))
      return undefined
    } catch (error) {
      if (error instanceof InboxError) return error.message
      throw error
    }
  }

  #begin(calling: Calling): Promise<CallEnd> {
    const { signal } = calling
    return this.#call(calling, { signal }).then(
      (result) => ({ result }),
      (thrown: unknown) => ({ thrown }),
    )
  }

  #call({ identity, shared, on }: Calling, own: Pick<Parameters<typeof callTool>[1], 'signal' | 'review'>): ReturnType<typeof callTool> {
    const { runtime } = this.#bridge.options
    return callTool({ tool: this.tool, identity }, { ...own, on }, { shared, runtime, decoder: this.offered?.decoder })
  }
}

interface Writing {
  readonly writer?: ((chunk: unknown) => void) | null | undefined
}

/** Reports of progress go to the stream `custom` of a graph, and to callbacks as custom events. Nobody's trouble with them is the tool's. */
function reporters(config: ToolRunnableConfig, runManager: LangChainCall['runManager']): readonly Listener[] {
  const { writer } = config as Writing
  if (typeof writer !== 'function' && runManager === undefined) return []
  return [
    (event) => {
      if (event.type !== 'call.progressed') return
      const { progress } = progressOutput(event)
      if (typeof writer === 'function') writer({ type: PROGRESS, ...progress })
      runManager?.handleCustomEvent(PROGRESS, progress).catch(() => {})
    },
  ]
}
