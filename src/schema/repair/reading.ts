import { isSameJson } from '../json-schema.ts'
import { quote } from '../quote.ts'

/** One change of a repair. `from` and `to` are the values at the path; undefined for a field that is not there. */
export interface RepairChange {
  /** `items[2].price`; empty for the whole input. */
  readonly path: string
  readonly from: unknown
  readonly to: unknown
  readonly rule: string
  /** The more a rule assumes, the more it costs: 1 for a notation, 6 for a slip of the pen. */
  readonly cost: number
}

/** The rule of a change that leaves out an unknown field. */
export const DROPPED = 'unknown field dropped'

/** A value that the given one may stand for. */
export interface Reading {
  readonly value: unknown
  readonly cost: number
  readonly changes: readonly RepairChange[]
}

/** No reading, or no single one. */
export interface NoReading {
  readonly because: string
}

export type Outcome = Reading | NoReading

export function isReading(outcome: Outcome): outcome is Reading {
  return 'changes' in outcome
}

/** A value that fits as it is. */
export function unchanged(value: unknown): Reading {
  return { value, cost: 0, changes: [] }
}

/** A value by one change. */
export function reading(change: RepairChange): Reading {
  return { value: change.to, cost: change.cost, changes: [change] }
}

/** A reading of a changed value, with the change before it. */
export function after(change: RepairChange, { value, cost, changes }: Reading): Reading {
  return { value, cost: cost + change.cost, changes: [change, ...changes] }
}

/** Two different values whose costs differ by less are a tie. */
const MARGIN = 2

/** The cheapest reading. If another value is almost as cheap, there is none: to choose would be a guess. */
export function settle(readings: readonly Reading[], because: () => string): Outcome {
  let best: Reading | undefined
  for (const each of readings) if (best === undefined || each.cost < best.cost) best = each
  if (best === undefined) return { because: because() }
  const { value, cost } = best
  const rival = readings.find((each) => each.cost < cost + MARGIN && !isSameJson(each.value, value))
  return rival === undefined ? best : { because: `it could be ${quote(value)} or ${quote(rival.value)}` }
}
