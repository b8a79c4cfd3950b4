import type { AgentTool } from '../../tool/agent-tool.ts'
import { wasTakenBack } from '../dropped-calls.ts'
import { LatestOf } from '../latest-of.ts'
import { ParkedCalls, type ParkedCallsOptions } from '../parked-calls.ts'
import type { ToolRun } from '../tool-run.ts'

/** A call in a graph. */
export interface GraphCall {
  readonly run: ToolRun
  readonly key: string
  /** The step of the graph that it belongs to, which runs again as a whole. */
  readonly step: string
  readonly tool: AgentTool
}

/** How many steps are remembered whose calls were dropped. */
const MOST_STEPS = 10_000

/** Of each call by its key: whether it may have taken effect. */
type DroppedCalls = Map<string, Promise<boolean>>

/**
 * The calls in graphs: those that wait for a resume, and those that have ended, for a node that runs again. Of calls that are dropped, it is
 * remembered whether they may have taken effect: a person may still decide, and then their node runs again.
 */
export class GraphCalls {
  readonly #calls: ParkedCalls<GraphCall>
  /** The reads that have ended. There may be many of them, which must not displace calls that wait. A dropped one may be made again. */
  readonly #reads: ParkedCalls<GraphCall>
  /** The dropped calls of steps in which a person was waited for. */
  readonly #asking = new LatestOf<DroppedCalls>(MOST_STEPS)
  /** The same of other steps. They seldom run again, and must not displace those. */
  readonly #quiet = new LatestOf<DroppedCalls>(MOST_STEPS)

  constructor(options: Omit<ParkedCallsOptions<GraphCall>, 'onDrop'>) {
    this.#reads = new ParkedCalls({ ...options, onDrop: () => {} })
    this.#calls = new ParkedCalls({
      ...options,
      onDrop: (call, cause) => {
        const why = cause === 'expired' ? 'Nobody decided about the call in time.' : 'Too many calls wait for a decision.'
        const steps = call.run.end === undefined || this.#isAsking(call.step) ? this.#asking : this.#quiet
        if (call.run.end === undefined) call.run.withdraw(new DOMException(why, 'TimeoutError'))
        this.#remember(call, steps)
      },
    })
  }

  get(key: string): GraphCall | undefined {
    return this.#calls.get(key) ?? this.#reads.get(key)
  }

  /** Keeps a call; its time begins anew. */
  keep(call: GraphCall): void {
    const isRead = call.run.end !== undefined && call.tool.effect === 'read'
    if (isRead) this.#calls.forget(call)
    const calls = isRead ? this.#reads : this.#calls
    calls.keep(call, [call.key])
  }

  /** Keeps the end of a call for a node that runs again. A read that failed is made again then, unless a person decided about it. */
  ended(call: GraphCall): void {
    const { run, tool } = call
    const isGood = run.end !== undefined && 'result' in run.end && run.end.result.ok
    if (tool.effect === 'read' && !isGood && !run.hasAsked) this.forget(call)
    else this.keep(call)
  }

  forget(call: GraphCall): void {
    this.#calls.forget(call)
    this.#reads.forget(call)
  }

  /** Whether a call that was dropped may have taken effect; undefined for any other call. */
  droppedEffect({ key, step }: Pick<GraphCall, 'key' | 'step'>): Promise<boolean> | undefined {
    return (this.#asking.get(step) ?? this.#quiet.get(step))?.get(key)
  }

  #isAsking(step: string): boolean {
    return this.#asking.has(step) || this.#calls.all.some((each) => each.step === step && each.run.end === undefined)
  }

  #remember({ run, key, step, tool }: GraphCall, steps: LatestOf<DroppedCalls>): void {
    const ended = run.settled().then(() => run.end === undefined || !wasTakenBack(run, tool))
    const calls: DroppedCalls = this.#asking.take(step) ?? this.#quiet.take(step) ?? new Map()
    steps.set(step, calls.set(key, ended))
  }
}
