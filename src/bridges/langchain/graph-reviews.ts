import type { CallIdentity } from '../call-identity.ts'
import type { GraphTask, Interrupt } from './graph-task.ts'
import { type AskedReview, type Resumed, reviewInterrupt } from './review-interrupt.ts'

/** Asks a person about the requests of one call by the interrupts of its task. */
export class GraphReviews {
  readonly #task: GraphTask
  readonly #interrupt: Interrupt
  readonly #identity: CallIdentity
  readonly #call: object

  constructor(task: GraphTask, interrupt: Interrupt, { identity, call }: { readonly identity: CallIdentity; readonly call: object }) {
    this.#task = task
    this.#interrupt = interrupt
    this.#identity = identity
    this.#call = call
  }

  /**
   * Records the decision of a person about one of the open requests of the call; `record` says why it does not count. Where there is none,
   * the graph stops, but not before the decision about another call of the step is recorded: the process may end then.
   */
  async ask<A extends AskedReview>(
    open: readonly [A, ...A[]],
    record: (asked: A, resumed: Resumed) => Promise<string | undefined>,
  ): Promise<void> {
    const { calls } = this.#task
    const given = this.#task.given(this.#interrupt)
    const named = open.find(({ request }) => request.id === given?.id)
    if (given?.isOpen === true && named !== undefined) {
      await given.decide((resumed) => record(named, resumed))
      calls.changed()
      return
    }
    if (given !== undefined) await calls.rest(this.#call, () => given.isSettled)
    const asked = named ?? open[0]
    this.#interrupt(reviewInterrupt(asked, this.#identity, given?.problemFor(asked.request.id)))
  }
}
