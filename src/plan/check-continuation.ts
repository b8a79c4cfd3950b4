import { takesText } from '../schema/json-schema.ts'
import type { Finding } from './finding.ts'
import { partPath, type Place, type Survey } from './survey.ts'

/** After a failure the next step gets an error message: few schemas take one. */
export function checkContinuation({ places }: Survey, fallible: ReadonlySet<Place>): readonly Finding[] {
  return places.flatMap((whole) =>
    whole.plan.continues !== true
      ? []
      : whole.parts.flatMap(({ part, place }, index): Finding[] => {
          const before = whole.parts[index - 1]
          if (before?.place === undefined || place === undefined || part.takes !== 'previous') return []
          if (!fallible.has(before.place) || takesText(place.behaviour.input.schema)) return []
          const path = partPath(whole, part)
          const message = `If '${before.part.label}' fails, '${part.label}' gets its error message, which is unlikely to fit its schema.`
          return [{ severity: 'warning', code: 'continue_into_typed', path, message, hint: 'Stop at the first failure, or take a text.' }]
        }),
  )
}
