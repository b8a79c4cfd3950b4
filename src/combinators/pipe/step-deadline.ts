import type { AgentTool } from '../../tool/agent-tool.ts'

/** How the time of a pipeline is divided: the time for later steps is reserved, or each step gets its share. */
export type DeadlineSharing = 'reserve' | 'proportional'

/**
 * For every step, what it and the steps after it are expected to take. A step without an estimate counts as the mean of the known ones.
 * Undefined if nothing is known: then no time is reserved.
 */
export function expectedTimes(steps: readonly AgentTool[]): readonly number[] | undefined {
  const known = steps.map(({ estimates }) => estimates.latencyMs).filter((each) => each !== undefined)
  if (known.length === 0) return undefined
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length
  return steps.map(({ estimates }) => estimates.latencyMs ?? mean)
}

/** The limit of one step in milliseconds from now. */
export function stepLimit(sharing: DeadlineSharing, { index, count, expected, remainingMs }: StepTime): number | undefined {
  if (index === count - 1) return undefined
  const later = expected === undefined ? undefined : expected.slice(index + 1).reduce((sum, each) => sum + each, 0)
  if (sharing === 'reserve') return later === undefined ? undefined : Math.max(0, remainingMs - later)
  const own = expected?.[index]
  if (own === undefined || later === undefined) return remainingMs / (count - index)
  return own + later === 0 ? remainingMs : (remainingMs * own) / (own + later)
}

export interface StepTime {
  readonly index: number
  readonly count: number
  readonly expected: readonly number[] | undefined
  readonly remainingMs: number
}
