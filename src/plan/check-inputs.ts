import type { Finding } from './finding.ts'
import { allowsNoValue } from './schema-values.ts'
import type { Place, Survey } from './survey.ts'

/** Parts that share the input of the whole may ask for what contradicts each other: then no input ever passes. */
export function checkInputs({ places }: Survey): readonly Finding[] {
  return places.flatMap((place) => {
    if (!sharesInput(place) || !allowsNoValue(place.behaviour.input.schema)) return []
    const { path, plan, parts } = place
    const labels = parts.map(({ part }) => `'${part.label}'`)
    return [
      {
        severity: (plan.needs ?? parts.length) < parts.length ? 'warning' : 'error',
        code: 'unsatisfiable_input',
        path,
        message: `No input satisfies all parts of '${path}' (${labels.join(', ')}): what they ask for contradicts each other.`,
        hint: 'Give a part an input of its own, or change one of the schemas.',
      },
    ]
  })
}

/** It takes what all of several parts take together. */
function sharesInput({ plan, parts, behaviour: { input, handsOn } }: Place): boolean {
  return handsOn && !plan.layer && parts.length > 1 && !parts.some(({ place }) => place?.behaviour.input === input)
}
