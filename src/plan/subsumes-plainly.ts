import { isRecord, type JsonSchema } from '../tool/schema/json-schema.ts'
import { isPlainlyNarrower, saysOnly } from './subsumes-keywords.ts'

const MOST_LEVELS = 50

/** What plain objects and plain lists say; of anything else nothing is said here. */
const OF_OBJECT: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties'])
const OF_LIST: ReadonlySet<string> = new Set(['type', 'items'])

/** Fits at first sight, as most edges do: plain fields and lists that say the same. Where it is false, a closer look may still find that it fits. */
export function isPlainlyTaken(given: JsonSchema, taken: JsonSchema, level = 0): boolean {
  if (isPlainlyNarrower(given, taken)) return true
  if (given['type'] !== taken['type'] || given['nullable'] === true || level > MOST_LEVELS) return false
  if (taken['type'] === 'object') return saysOnly(taken, OF_OBJECT) && areFieldsTaken(given, taken, level + 1)
  return taken['type'] === 'array' && saysOnly(taken, OF_LIST) && areItemsTaken(given, taken, level + 1)
}

function areItemsTaken({ items: given, prefixItems }: JsonSchema, { items: taken }: JsonSchema, level: number): boolean {
  return isRecord(taken) && isRecord(given) && prefixItems === undefined && isPlainlyTaken(given, taken, level)
}

/** An object that lists its fields drops all others, as long as it is not open to more. */
function areFieldsTaken(given: JsonSchema, taken: JsonSchema, level: number): boolean {
  const { properties: ours, additionalProperties: others } = given
  const { properties: theirs, required = [], additionalProperties = false } = taken
  const promised: unknown = given['required'] ?? []
  if (!isRecord(ours) || !isRecord(theirs) || !Array.isArray(promised) || !Array.isArray(required) || additionalProperties !== false)
    return false
  if (!required.every((key) => promised.includes(key) && Object.hasOwn(theirs, key as string))) return false
  const isBounded = others === false && given['patternProperties'] === undefined
  for (const key in theirs) {
    const field = theirs[key]
    if (!isRecord(field) || ('default' in field && !promised.includes(key))) return false
    const own = Object.hasOwn(ours, key) ? ours[key] : undefined
    if (own === undefined ? !isBounded || promised.includes(key) : !isRecord(own) || !isPlainlyTaken(own, field, level)) return false
  }
  return true
}
