import { declaredFor } from '../schema/declared.ts'
import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import { ShapeReader } from '../schema/shape.ts'
import { MASK } from '../tool/mask.ts'
import { didYouMean } from '../tool/resolve/did-you-mean.ts'
import { nearestNames } from '../tool/resolve/nearest-names.ts'

const MAX_DEPTH = 200

export interface EditedInput {
  /** What the person wrote: an input, or a merge patch. */
  readonly written: unknown
  /** What comes of it. */
  readonly edited: unknown
  readonly original: unknown
}

/** Fields that a person wrote, and that neither the schema nor the original has: probably misspelled. A tool would drop them without a word. */
export function undeclaredFields(input: EditedInput, schema: JsonSchema): readonly string[] {
  const found: string[] = []
  look(input, schema, { path: [], reader: new ShapeReader(schema), found })
  return found
}

interface Place {
  readonly path: readonly string[]
  readonly reader: ShapeReader
  readonly found: string[]
}

function look({ written, edited, original }: EditedInput, schema: JsonSchema, place: Place): void {
  const { path, reader, found } = place
  if (path.length > MAX_DEPTH || isMasked(original)) return
  const declared = declaredFor(edited, schema, reader)
  if (Array.isArray(written)) {
    const before = mergedItems(original)
    for (const [index, item] of written.entries()) {
      const itemSchema = declared.item(index)
      if (itemSchema !== undefined)
        look({ written: item, edited: item, original: before }, itemSchema, { ...place, path: [...path, String(index)] })
    }
  } else if (isRecord(written)) {
    for (const [key, value] of Object.entries(written)) {
      const fieldSchema = declared.field(key)
      const here = [...path, key]
      const before = fieldIn(original, key)
      if (fieldSchema !== undefined)
        look({ written: value, edited: fieldIn(edited, key), original: before }, fieldSchema, { ...place, path: here })
      else if (declared.closed && before === undefined && !key.includes(MASK)) found.push(unknownField(here, namesIn(schema, reader)))
    }
  }
}

function unknownField(path: readonly string[], names: ReadonlySet<string>): string {
  const whole = (name: string): string => [...path.slice(0, -1), name].join('.')
  const known = [...names]
  const near = nearestNames(path.at(-1) ?? '', known).map(whole)
  return `there is no field '${path.join('.')}'. ${didYouMean(near, `The fields are: ${known.map(whole).join(', ') || 'none'}.`)}`
}

/** The fields that a schema names, in all its options. */
function namesIn(schema: JsonSchema, reader: ShapeReader, seen = new Set<JsonSchema>()): ReadonlySet<string> {
  if (seen.has(schema)) return new Set()
  seen.add(schema)
  const { all, unions } = reader.read(schema)
  const own = all.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : []))
  return new Set([...own, ...unions.flat().flatMap((option) => [...namesIn(option, reader, seen)])])
}

/** Items may have been moved: what one of them had, each may have. */
function mergedItems(original: unknown): unknown {
  if (!Array.isArray(original)) return undefined
  if (original.some(isMasked)) return MASK
  return Object.fromEntries(original.filter(isRecord).flatMap((item) => Object.entries(item)))
}

function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.includes(MASK)
}

function fieldIn(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
