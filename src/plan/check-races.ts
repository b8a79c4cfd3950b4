import type { Finding } from './finding.ts'
import { partPath, type Place, type PlacedPart, type Survey } from './survey.ts'
import { isUndone } from './undoable-steps.ts'

/** The losers of a race are cancelled half-way, or have run for nothing; so are the parts beside a failure that ends the whole. Sagas undo themselves. */
export function checkRaces({ places }: Survey, fallible: ReadonlySet<Place>, undoable: ReadonlySet<Place>): readonly Finding[] {
  return places.flatMap((whole) => {
    const parts = whole.parts.filter((each) => !isUndone(whole, each, undoable))
    if (whole.plan.order === 'race') return parts.flatMap((each) => racedPart(whole, each))
    return whole.plan.cancels === true ? parts.flatMap((each) => cancelledPart(whole, each, fallible)) : []
  })
}

function racedPart(whole: Place, { part }: PlacedPart): readonly Finding[] {
  if (part.tool.effect === 'read') return []
  const path = partPath(whole, part)
  const message = `'${path}' changes something (${part.tool.effect}), and may be cancelled or left behind when another part has answered.`
  return [
    {
      severity: 'error',
      code: 'raced_effect',
      path,
      message,
      hint: 'Race only what reads or what a saga undoes; or put the effect after the race.',
    },
  ]
}

/** Irreversible parts are reported by `checkOrder`. */
function cancelledPart(whole: Place, { part, place }: PlacedPart, fallible: ReadonlySet<Place>): readonly Finding[] {
  if (part.tool.effect !== 'write' || place === undefined || !fallible.has(place)) return []
  const path = partPath(whole, part)
  const message = `'${path}' changes something (write), and is cancelled half-way when another item fails.`
  return [
    {
      severity: 'warning',
      code: 'raced_effect',
      path,
      message,
      hint: "Collect failures (onFailure: 'collect'), or take one item at a time.",
    },
  ]
}
