import { DEFAULT_DEADLINE_MS } from '../tool/engine/call-root.ts'
import type { Place, Survey } from './survey.ts'
import { forwardParts } from './undoable-steps.ts'

/** In what time a tool of a plan has to end. */
export interface TimeLimit {
  readonly ms: number
  /** Nobody named a deadline: it is the one of every call without one. */
  readonly isDefault: boolean
}

/** For every tool the time that is left for it at most, by the deadlines around it and its own. In several places, the shortest counts. What undoes has a time of its own. */
export function timeLimits({ root, upwards }: Survey, givenMs: number | undefined): ReadonlyMap<Place, TimeLimit> {
  const named = Math.min(givenMs ?? Infinity, root.behaviour.deadlineMs ?? Infinity)
  const isDefault = named === Infinity && givenMs === undefined
  const limits = new Map<Place, TimeLimit>([[root, { ms: isDefault ? DEFAULT_DEADLINE_MS : named, isDefault }]])
  for (const place of upwards.toReversed()) {
    const around = limits.get(place)
    if (around === undefined) continue
    for (const { place: inner } of forwardParts(place)) {
      if (inner === undefined) continue
      const limit = shorter(around, inner.behaviour.deadlineMs)
      if (limit.ms < (limits.get(inner)?.ms ?? Infinity) || !limits.has(inner)) limits.set(inner, limit)
    }
  }
  return limits
}

function shorter(around: TimeLimit, ownMs: number | undefined): TimeLimit {
  return ownMs === undefined || ownMs >= around.ms ? around : { ms: ownMs, isDefault: false }
}
