import type { Finding } from './finding.ts'
import { partPath, type Place, type Survey } from './survey.ts'
import { forwardParts, isUndone } from './undoable-steps.ts'

/** A step of a saga with an effect should declare how it is undone, or that it cannot be. */
export function checkCompensations({ places }: Survey, undoable: ReadonlySet<Place>): readonly Finding[] {
  return places.flatMap((whole) => {
    if (whole.plan.compensates !== true) return []
    const missing = forwardParts(whole).filter((each) => each.part.compensation === undefined && !isUndone(whole, each, undoable))
    return missing.map(({ part }): Finding => {
      const path = partPath(whole, part)
      return {
        severity: 'warning',
        code: 'missing_compensation',
        path,
        message: `'${path}' changes something (${part.tool.effect}) and has no compensation: when '${whole.path}' fails, it is not undone.`,
        hint: "Give the step compensate: { with, class, input }, or compensate: 'irreversible' if it cannot be undone.",
      }
    })
  })
}
