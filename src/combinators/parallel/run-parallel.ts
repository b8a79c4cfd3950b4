import { acceptApart } from '../../tool/accepted-input.ts'
import { adapt } from '../../tool/adapt.ts'
import type { InputPort } from '../../tool/input/input-port.ts'
import { runGroup } from '../../tool/seam/group.ts'
import type { EndRule, Group } from '../../tool/seam/group-plan.ts'
import { isFinal } from '../../tool/retry-rules.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { Branch, ParallelPlan } from './branch.ts'
import type { Join } from './join.ts'
import { joinResults } from './join-results.ts'

export function runParallel(plan: ParallelPlan, input: unknown, whole: Whole): unknown {
  return runGroup(whole, plan.group, input, (ended) => joinResults(plan, ended, whole))
}

interface Given {
  readonly input: unknown
  readonly whole: Whole
}

/** No branch begins if too few of them take the input. Each validates it for itself afterwards. */
export function runJudged(plan: ParallelPlan, judge: InputPort, { input, whole }: Given): unknown {
  const judged = acceptApart(judge, input, whole.tool)
  return judged instanceof Promise ? judged.then(() => runParallel(plan, input, whole)) : runParallel(plan, input, whole)
}

interface Running {
  readonly join: Join
  readonly needed: number
  readonly limit: number
}

/** How the branches run side by side. */
export function groupOf(branches: readonly Branch[], { join, needed, limit }: Running): Group {
  const hasTransforms = branches.some(({ transform }) => transform !== undefined)
  return {
    parts: branches,
    limit,
    ...(hasTransforms ? { inputOf: (position: number, input: never) => inputOf(branches[position] as Branch, input) } : {}),
    ...(join.raced ? { rule: ruleOf(join, needed) } : {}),
  }
}

function inputOf({ label, transform }: Branch, input: never): unknown {
  if (transform === undefined) return input
  return adapt(`The input of branch '${label}'`, () => transform(input), { outcome: 'not_started' })
}

/** It ends when enough have succeeded, or no longer can. If a person, the caller or the clock stopped a branch, no other begins in its place. */
function ruleOf({ kind, stopsWhenMet, afterMs }: Join, needed: number): EndRule {
  return {
    afterMs,
    keepsOne: kind === 'first',
    after: (latest, { succeeded, underWay, toCome, isClosed }) => {
      const isShut = !latest.ok && (isClosed || (stopsWhenMet && isFinal(latest.error)))
      const left = underWay + (isShut ? 0 : toCome)
      if ((stopsWhenMet && succeeded >= needed) || left === 0 || succeeded + left < needed) return 'end'
      return isShut ? 'begin no more' : 'go on'
    },
  }
}
