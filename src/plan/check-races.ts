import type { Finding } from './finding.ts'
import { partPath, type Survey } from './survey.ts'

/** Who loses a race is cancelled half-way, or has run for nothing. */
export function checkRaces({ places }: Survey): readonly Finding[] {
  return places.flatMap((place) =>
    place.plan.raced !== true
      ? []
      : place.parts.flatMap(({ part }): Finding[] => {
          if (part.tool.effect === 'read') return []
          const path = partPath(place, part)
          const message = `'${path}' changes something (${part.tool.effect}), and may be cancelled or left behind when another part has answered.`
          return [{ severity: 'error', code: 'raced_effect', path, message, hint: 'Race only what reads; put the effect after the race.' }]
        }),
  )
}
