import { adapt } from '../../tool/adapt.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { callPart } from '../../tool/seam/parts.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { failure, type ReturnedFailure } from '../../tool/result/returned.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'

/** Under which it is recorded, after each turn, whether the loop is done. */
export const STOP_LABEL = 'loop.stop'

export interface LoopPlan {
  readonly tool: AgentTool
  readonly until: (value: unknown, count: number) => boolean
  readonly next?: ((value: unknown, input: unknown, count: number) => unknown) | undefined
  readonly maxTurns: number
  readonly whenExhausted?: 'fail' | 'last' | undefined
}

/** A failed turn ends the loop. Whether it goes on is recorded, turn by turn: a later version of the predicate does not rewrite the past. */
export async function runLoop(plan: LoopPlan, given: unknown, whole: Whole): Promise<SettledResult | ReturnedFailure> {
  const { tool, until, next, maxTurns } = plan
  let input = given
  for (let count = 1; ; count++) {
    const result = await callPart(whole, { label: 'turn', tool, input })
    if (!result.ok) return result
    const { value } = result
    const isDone = await whole.decide(STOP_LABEL, () => adapt(`'until' of '${whole.tool}'`, () => until(value, count)))
    if (isDone) return result
    if (count === maxTurns) return exhausted(plan, result, whole)
    const before = input
    input = next === undefined ? value : adapt(`'next' of '${whole.tool}'`, () => next(value, before, count))
  }
}

function exhausted({ maxTurns, whenExhausted }: LoopPlan, result: SettledSuccess, whole: Whole): SettledSuccess | ReturnedFailure {
  const turns = maxTurns === 1 ? 'once' : `${maxTurns} times`
  if (whenExhausted !== 'last') {
    return failure(`'${whole.tool}' ran ${turns}, and 'until' was still not true.`, { code: 'loop_exhausted' })
  }
  return withIssue(result, { severity: 'warning', message: `Ended after it ran ${turns}; 'until' was still not true.` })
}
