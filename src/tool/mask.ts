import { isRecord, type JsonSchema } from './schema/json-schema.ts'

/** What stands where a secret was. */
export const MASK = '••••••'

const SENSITIVE_NAME =
  /pass(word|phrase|code|wd)|^(pwd|pin|otp|ssn|iban|cvv|cvc)$|secret|(^|[_-])token$|token$|api[_-]?key|private[_-]?key|access[_-]?key|authori[sz]ation|cookie|credential|card[_-]?number/i

const MAX_DEPTH = 32

/** A field is a secret when its schema says so (`sensitive: true`, `writeOnly: true`, `format: 'password'`) or its name does. */
function isSensitive(name: string, schema: unknown): boolean {
  if (isRecord(schema)) {
    const declared = schema['sensitive'] ?? schema['writeOnly']
    if (typeof declared === 'boolean') return declared
    if (schema['format'] === 'password') return true
  }
  return SENSITIVE_NAME.test(name)
}

/** A view of the value with its secrets masked; the value itself stays as it is. */
export function mask(value: unknown, schema?: JsonSchema, spoken: ReadonlySet<string> = new Set()): unknown {
  return view(value, schema, spoken, 0)
}

/** Replaces the given secrets wherever they stand in a text. */
export function maskText(text: string, spoken: ReadonlySet<string>): string {
  let masked = text
  for (const secret of spoken) masked = masked.replaceAll(secret, MASK)
  return masked
}

/** Puts back the true values where an edited copy still shows the mask. */
export function unmask(edited: unknown, original: unknown): unknown {
  if (edited === MASK) return original
  if (Array.isArray(edited))
    return edited.map((each: unknown, index) => unmask(each, Array.isArray(original) ? original[index] : undefined))
  if (!isRecord(edited)) return edited
  const fields = isRecord(original) ? original : {}
  return Object.fromEntries(
    Object.entries(edited).map(([key, each]) => [key, unmask(each, Object.hasOwn(fields, key) ? fields[key] : undefined)]),
  )
}

/** The strings that `mask` hides, so that they can be hidden in texts too. Very short ones would hide too much. */
export function secretsIn(value: unknown, schema?: JsonSchema): readonly string[] {
  const found: string[] = []
  collect(value, schema, found, 0)
  return found
}

function view(value: unknown, schema: unknown, spoken: ReadonlySet<string>, depth: number): unknown {
  if (typeof value === 'string') return maskText(value, spoken)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((each) => view(each, itemsOf(schema), spoken, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const field = fieldOf(schema, key)
      return [key, hides(key, field, each) ? MASK : view(each, field, spoken, depth + 1)]
    }),
  )
}

function collect(value: unknown, schema: unknown, found: string[], depth: number): void {
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) for (const each of value) collect(each, itemsOf(schema), found, depth + 1)
  else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) {
      const field = fieldOf(schema, key)
      if (hides(key, field, each)) found.push(...stringsOf(each, depth))
      else collect(each, field, found, depth + 1)
    }
  }
}

function hides(key: string, schema: unknown, value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean' && isSensitive(key, schema)
}

const SHORTEST_SECRET = 4

function stringsOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value.length >= SHORTEST_SECRET ? [value] : []
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.values(value).flatMap((each) => stringsOf(each, depth + 1))
}

function fieldOf(schema: unknown, key: string): unknown {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  return isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
}

function itemsOf(schema: unknown): unknown {
  return isRecord(schema) ? schema['items'] : undefined
}
