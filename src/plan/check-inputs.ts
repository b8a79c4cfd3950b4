import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import { allowsNoValue } from '../schema/subsumes/subsumes.ts'
import type { Finding } from './finding.ts'
import type { Place, Survey } from './survey.ts'

/** Parts that share the input of the whole may ask for what contradicts each other: then no input ever passes. */
export function checkInputs({ places }: Survey): readonly Finding[] {
  return places.flatMap((place) => {
    if (!sharesInput(place) || !isContradiction(place.behaviour.input.schema)) return []
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

/** What several parts ask of one value stands in an `allOf`, of the whole or of a field: without one, there is nothing to look for. */
function isContradiction(schema: JsonSchema): boolean {
  const { properties } = schema
  const isJoined =
    'allOf' in schema || (isRecord(properties) && Object.values(properties).some((field) => isRecord(field) && 'allOf' in field))
  return isJoined && allowsNoValue(schema)
}

/** It takes what all of several parts take together. */
function sharesInput({ plan, parts, behaviour: { input, forwardsInput } }: Place): boolean {
  return forwardsInput && !plan.layer && parts.length > 1 && !parts.some(({ place }) => place?.behaviour.input === input)
}
