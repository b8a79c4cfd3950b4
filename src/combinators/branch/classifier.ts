import type { Logger } from '../../tool/ports/logger.ts'
import type { Model } from '../../tool/ports/model.ts'
import type { Principal } from '../../tool/principal.ts'
import type { Usage } from '../../tool/result/result.ts'

/** A route as a classifier knows it. */
export interface RouteDescription {
  readonly route: string
  /** Which inputs belong there. */
  readonly description: string
}

/** How sure a classifier is that a route is the right one, from 0 to 1. */
export interface RouteConfidence {
  readonly route: string
  readonly confidence: number
}

/** The part of the call's context that a classifier may use. */
export interface ClassifierContext {
  readonly model: Model | undefined
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
  readonly principal: Principal | undefined
  readonly services: Readonly<Record<string, unknown>>
  readonly log: Logger
  readonly usage: (usage: Usage) => void
}

/**
 * Says which route an input belongs to. It may ask a model, a service or a table; the answer is recorded, and a replay does not ask again.
 * A route that it does not name counts as 0, and so does a confidence that is not a number from 0 to 1.
 * @example
 * const byLength: Classifier<string> = (text) => [{ route: text.length > 80 ? 'letter' : 'note', confidence: 0.9 }]
 */
export type Classifier<V> = (
  input: V,
  routes: readonly RouteDescription[],
  context: ClassifierContext,
) => readonly RouteConfidence[] | Promise<readonly RouteConfidence[]>
