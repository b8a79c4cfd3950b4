import type { Json, JsonObject } from './json.ts'
import { writeKey } from './path-segment.ts'

/** A value and the way that leads to it. The way is written out only for a message. */
export interface Place {
  readonly value: Json
  readonly parent: Place | undefined
  readonly step: string | number
}

/** A place below another, which holds such a key or index. */
export function placeAt(parent: Place, step: string | number): Place {
  const value = (parent.value as JsonObject & readonly Json[])[step as number] ?? null
  return { value, parent, step }
}

export function pathOf(place: Place): string {
  const steps: string[] = []
  for (let each = place; each.parent !== undefined; each = each.parent) {
    steps.push(typeof each.step === 'number' ? `[${each.step}]` : writeKey(each.step))
  }
  return `$${steps.toReversed().join('')}`
}
