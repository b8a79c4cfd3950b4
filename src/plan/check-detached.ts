import type { Finding } from './finding.ts'
import { partPath, type Place, type Survey } from './survey.ts'

/**
 * A step that runs durably by itself may go on after the call of its whole has ended: the steps after it then never run. In a durable run of the
 * whole, it is a part of that run.
 */
export function checkDetached({ root }: Survey): readonly Finding[] {
  const findings: Finding[] = []
  const seen = new Set<Place>()
  const left: Visit[] = [{ place: root, path: root.path, whole: undefined, undoneBy: undefined }]
  for (let visit = left.pop(); visit !== undefined; visit = left.pop()) {
    const { place, path, whole, undoneBy } = visit
    if (place.plan.detaches === true) {
      if (whole !== undefined) findings.push(detached(path, whole, undoneBy))
      continue
    }
    if (seen.has(place)) continue
    seen.add(place)
    const { layer, compensates } = place.plan
    const around = { whole: layer ? whole : path, undoneBy: compensates === true ? path : undoneBy }
    for (const { part, place: inside } of place.parts.toReversed())
      if (inside !== undefined) left.push({ place: inside, path: partPath(place, part, path), ...around })
  }
  return findings
}

interface Visit {
  readonly place: Place
  readonly path: string
  /** The path of the nearest tool around it that is no layer. */
  readonly whole: string | undefined
  /** The path of the nearest tool around it that undoes its parts. */
  readonly undoneBy: string | undefined
}

function detached(path: string, whole: string, undoneBy: string | undefined): Finding {
  const message =
    undoneBy === undefined
      ? `'${path}' runs durably by itself. If '${whole}' is called in memory, it ends with a receipt while '${path}' waits for a person, and the steps after it never run.`
      : `'${path}' runs durably by itself, and '${undoneBy}' undoes its steps. A call of '${undoneBy}' in memory is refused: nobody could undo its steps while '${path}' waits for a person.`
  return {
    severity: 'warning',
    code: 'detached_step',
    path,
    message,
    hint: `Run the whole durably, by runtime.start or durable(...), and give it the tool without durable(...).`,
  }
}
