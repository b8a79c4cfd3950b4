import { readDecision } from '../../tool/engine/read-decision.ts'
import type { Clock } from '../../tool/ports/clock.ts'
import type { Reviewers } from '../../tool/deciders.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest } from '../../tool/review.ts'
import type { RunNotices } from '../store/run-store.ts'

export interface ReviewerDeskParts {
  readonly review: ReviewHandler
  readonly notices: RunNotices
  readonly clock: Clock
  readonly reviewers: Reviewers | undefined
  readonly decide: (id: string, decision: ReviewDecision) => Promise<boolean>
  readonly warn: (message: string) => void
}

/**
 * Brings the requests of durable runs before the reviewer of the runtime, beside the inbox: the first decision counts. The run does not
 * wait for it here; a request that was decided or withdrawn elsewhere is taken back.
 */
export class ReviewerDesk {
  readonly #parts: ReviewerDeskParts
  readonly #asked = new Map<string, AbortController>()

  constructor(parts: ReviewerDeskParts) {
    this.#parts = parts
    parts.notices.on((kind, id) => {
      if (kind === 'decided' || kind === 'withdrawn') this.#takeBack(id)
    })
  }

  /** A run that is taken up again brings its open requests again: they are asked once. */
  ask(request: ReviewRequest): void {
    const { review, decide, warn, clock, reviewers } = this.#parts
    const { id } = request
    if (review.isAbsent === true || this.#asked.has(id)) return
    const controller = new AbortController()
    this.#asked.set(id, controller)
    const asking = async (): Promise<void> => {
      const decision = readDecision(await review.review(request, { signal: controller.signal, clock, reviewers }), request)
      if (controller.signal.aborted || (await decide(id, decision)) || controller.signal.aborted) return
      warn(`The decision of the reviewer on '${id}' does not count: it was decided before, or its decider may not decide it.`)
    }
    asking()
      .catch((error: unknown) => {
        if (!controller.signal.aborted) warn(`The reviewer could not be asked about '${id}', which waits in the inbox: ${String(error)}`)
      })
      .finally(() => this.#asked.delete(id))
  }

  #takeBack(id: string): void {
    this.#asked.get(id)?.abort(new DOMException('Somebody else has decided.', 'AbortError'))
  }
}
