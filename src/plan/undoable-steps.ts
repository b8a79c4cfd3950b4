import type { PlanPart } from '../tool/plan-node.ts'
import type { Place, PlacedPart, Survey } from './survey.ts'

/** A saga undoes it by a compensation. */
export function isCompensated({ compensation }: PlanPart): boolean {
  return compensation !== undefined && compensation !== 'irreversible'
}

/** The parts that run when nothing fails. */
export function forwardParts({ parts }: Place): readonly PlacedPart[] {
  return parts.filter(({ part }) => part.undoes === undefined)
}

/** The tools that leave nothing behind when they are undone as a whole: they only read, or consist of sagas that can undo all they do. */
export function undoableSteps({ upwards }: Survey): ReadonlySet<Place> {
  const undoable = new Set<Place>()
  for (const place of upwards) if (canBeUndone(place, undoable)) undoable.add(place)
  return undoable
}

function canBeUndone(place: Place, undoable: ReadonlySet<Place>): boolean {
  if (place.tool.effect === 'read') return true
  return place.parts.length > 0 && forwardParts(place).every((each) => isUndone(place, each, undoable))
}

/** Whether a part is undone when the whole is. Compensations belong to sagas. */
export function isUndone({ plan }: Place, { part, place }: PlacedPart, undoable: ReadonlySet<Place>): boolean {
  if (plan.compensates === true && part.compensation !== undefined) return isCompensated(part)
  return place !== undefined && undoable.has(place)
}
