import type { ToolRunnableConfig } from '@langchain/core/tools'
import { isRecord } from '../../schema/json-schema.ts'
import type { CallIdentity } from '../call-identity.ts'
import { type AskedReview, readResume, type Resumed, resumedId, reviewInterrupt } from './review-interrupt.ts'

/** A task of a graph with a checkpointer. When it is resumed, its node runs again from the start. */
export interface GraphTask {
  readonly thread: string
  /** The same when the task runs again, and of no other task. */
  readonly id: string
  /** The resume values that a call of the task has read and that are for others of its calls. */
  readonly unclaimed: Map<string, Readonly<Record<string, unknown>>>
}

/** Resume values belong to one execution of a task; its calls share them by position only. */
const unclaimedOf = new WeakMap<object, GraphTask['unclaimed']>()

/** The task in which a tool is called; undefined outside a graph, or where the graph keeps no checkpoints and cannot be resumed. */
export function graphTaskOf({ configurable = {} }: ToolRunnableConfig): GraphTask | undefined {
  const { thread_id: thread, checkpoint_ns: id, __pregel_checkpointer: checkpointer, __pregel_scratchpad: scratchpad } = configurable
  if (!isRecord(checkpointer) || !isRecord(scratchpad) || thread === undefined || typeof id !== 'string') return undefined
  const unclaimed = unclaimedOf.get(scratchpad) ?? new Map<string, Readonly<Record<string, unknown>>>()
  unclaimedOf.set(scratchpad, unclaimed)
  return { thread: String(thread), id, unclaimed }
}

/** Of no other task, in any thread. */
export function stepOf({ thread, id }: GraphTask): string {
  return JSON.stringify([thread, id])
}

/** `interrupt` of LangGraph: it returns the next resume value of the task, or throws to stop the graph. */
export type Interrupt = (value: unknown) => unknown

/** Asks a person about the requests of one call by the interrupts of its task. */
export class GraphReviews {
  readonly #task: GraphTask
  readonly #interrupt: Interrupt
  readonly #identity: CallIdentity

  constructor(task: GraphTask, interrupt: Interrupt, identity: CallIdentity) {
    this.#task = task
    this.#interrupt = interrupt
    this.#identity = identity
  }

  /**
   * The decision about a request. The graph stops where there is none yet. LangGraph gives resume values by position, and calls of one task
   * may ask in another order when it runs again: only a value with the id of the request counts.
   */
  decisionAbout(asked: AskedReview, before: string | undefined): Resumed {
    const { unclaimed } = this.#task
    const { request } = asked
    let problem = before
    for (;;) {
      const value = unclaimed.get(request.id) ?? this.#interrupt(reviewInterrupt(asked, this.#identity, problem))
      const id = resumedId(value)
      if (!isRecord(value) || id === undefined)
        problem = `The resume value names no request. Resume with { id: '${request.id}', action: 'approve' }, or another action.`
      else if (id !== request.id) unclaimed.set(id, value)
      else {
        unclaimed.delete(id)
        const read = readResume(value)
        if ('decision' in read) return read
        problem = read.problem
      }
    }
  }
}
