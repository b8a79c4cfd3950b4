import { isRecord } from '../../schema/json-schema.ts'
import type { RunDecision, RunStep } from './run-record.ts'
import { stepPath } from './run-steps.ts'

/** How a group of calls side by side ended, as far as its records show. */
export interface GroupEnd {
  /** The path of the tool that ran them, without attempts. */
  readonly path: string
  /** Enough of them succeeded. */
  readonly isMet: boolean
  /** When, in milliseconds since the epoch. */
  readonly at: number
  /** The labels of those that were under way at its end. */
  readonly cancelled: readonly string[]
}

/** The records that groups leave at their end. No label of a part begins with a dot. */
const ENDED = /^(.*)\/\.ended[^/]*$/
const BEST = /^(.*)\/\.best$/

/** The groups of a run whose end is recorded: races, quorums, results after a time, and the choice of the best. */
export function groupEnds(steps: readonly RunStep[], decisions: readonly RunDecision[]): readonly GroupEnd[] {
  return decisions.flatMap(({ path, value, at }): readonly GroupEnd[] => {
    const best = BEST.exec(stepPath(path))?.[1]
    if (best !== undefined) return [{ path: best, isMet: true, at, cancelled: [] }]
    const group = ENDED.exec(stepPath(path))?.[1]
    if (group === undefined || !isRecord(value)) return []
    const ended = steps.filter(isBelow(group, textsIn(value['ended'])))
    return [{ path: group, isMet: isMet(ended), at, cancelled: textsIn(value['cancelled']) }]
  })
}

/** A group ends with the success that was still needed, or with the failure after which no success could be enough. */
function isMet(steps: readonly RunStep[]): boolean {
  const last = steps.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).at(-1)
  return last !== undefined && last.error === undefined && 'output' in last
}

function isBelow(group: string, labels: readonly string[]): (step: RunStep) => boolean {
  const known = new Set(labels)
  return ({ path }) => path.startsWith(`${group}/`) && known.has(path.slice(group.length + 1).split('/', 1)[0] ?? '')
}

function textsIn(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter((each) => typeof each === 'string') : []
}

/** The steps, with what their group and the end of the run made of them. */
export function withStanding(steps: readonly RunStep[], groups: readonly GroupEnd[], isOver: boolean): readonly RunStep[] {
  return steps.map((step) => {
    const around = groups.filter(({ path }) => step.path.startsWith(`${path}/`))
    const hasEnded = step.error !== undefined || 'output' in step
    const cut = around.find((group) => isBelow(group.path, group.cancelled)(step))
    if (cut !== undefined && !hasEnded) return { ...step, standing: 'cancelled', endedAt: cut.at, durationMs: cut.at - step.startedAt }
    if (cut !== undefined ? step.error?.class === 'cancelled' : !hasEnded && isOver) return { ...step, standing: 'cancelled' }
    return step.error !== undefined && around.some((group) => group.isMet) ? { ...step, standing: 'not needed' } : step
  })
}
