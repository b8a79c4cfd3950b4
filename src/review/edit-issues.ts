import { declaredFor } from '../schema/declared.ts'
import { describeIssues } from '../schema/describe-issues.ts'
import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import { ShapeReader } from '../schema/shape.ts'
import type { StandardIssue } from '../schema/standard-schema.ts'
import { type Contract, contractOf } from '../tool/contract.ts'
import { mergePatch } from '../tool/secrets/merge-patch.ts'
import { encode } from '../tool/journal/codec.ts'
import { MASK } from '../tool/secrets/mask.ts'
import { didYouMean } from '../schema/did-you-mean.ts'
import { nearestNames } from '../schema/nearest-names.ts'
import type { ReviewRequest } from '../tool/review.ts'
import type { InputChange } from './inbox.ts'

/** The reason why an edit is probably a mistake, or undefined. The tool validates the true values when it is called. */
export async function editIssues({ input, inputSchema }: ReviewRequest, change: InputChange): Promise<string | undefined> {
  const isPatch = 'patch' in change
  const written = isPatch ? change.patch : change.input
  const unkept = dataIssue(written)
  if (unkept !== undefined) return unkept
  if (isPatch && isRecord(input) && !isRecord(written))
    return `a patch of this input is an object with the fields to change, such as {"${Object.keys(input)[0] ?? 'field'}": ...}, not ${kindOf(written)}`
  if (inputSchema === undefined) return undefined
  const edited = isPatch ? mergePatch(input, written) : written
  const unknown = undeclaredFields({ written, edited, original: input }, inputSchema)
  if (unknown.length > 0) return unknown.join(' ')
  const issues = await issuesOf(edited, inputSchema)
  if (issues.length === 0) return undefined
  // The tool took the original: issues of the original come from conversions of the schema, and do not count.
  const before = new Set((await issuesOf(input, inputSchema)).map(signature))
  const own = issues.filter((issue) => !before.has(signature(issue)) && (!isPatch || isTouched(pathOf(issue), written, input)))
  return own.length === 0 ? undefined : describeIssues(own, edited)
}

function dataIssue(value: unknown): string | undefined {
  try {
    encode(value)
    return undefined
  } catch (error) {
    return `it is not plain data (${error instanceof Error ? error.message : String(error)})`
  }
}

/** The issues of a value whose secrets are masked. */
async function issuesOf(value: unknown, schema: JsonSchema): Promise<readonly StandardIssue[]> {
  let contract: Contract
  try {
    contract = contractOf(schema, 'inputSchema')
  } catch {
    // A schema that cannot be read here is left to the tool.
    return []
  }
  const { issues = [] } = await contract.validate(value)
  return issues.filter((issue) => !isAboutMasked(issue, value))
}

/** An option of a union may fail by a mask anywhere in it. */
function isAboutMasked(issue: StandardIssue, value: unknown): boolean {
  let node = value
  for (const key of pathOf(issue)) node = typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[key] : undefined
  return 'errors' in issue ? hasMask(node) : typeof node === 'string' && node.includes(MASK)
}

function hasMask(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(MASK)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMask)
}

function pathOf({ path = [] }: StandardIssue): readonly string[] {
  return path.map((part) => String(typeof part === 'object' ? part.key : part))
}

function signature(issue: StandardIssue): string {
  return JSON.stringify([pathOf(issue), issue.message])
}

/** Whether a patch could have caused an issue. A patch inside a masked value cannot be checked here. */
function isTouched(path: readonly string[], patch: unknown, original: unknown): boolean {
  if (!isRecord(patch)) return true
  if (original === MASK) return false
  const [key, ...rest] = path
  if (key === undefined) return true
  return Object.hasOwn(patch, key) && isTouched(rest, patch[key], isRecord(original) ? original[key] : undefined)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

const MAX_DEPTH = 200

interface EditedInput {
  /** The text of the person: an input, or a merge patch. */
  readonly written: unknown
  /** The resulting input. */
  readonly edited: unknown
  readonly original: unknown
}

/** Fields that a person wrote, and that neither the schema nor the original has: probably misspelled. A tool would drop them silently. */
function undeclaredFields(input: EditedInput, schema: JsonSchema): readonly string[] {
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

/** Items may have been moved: a field of one item may be in each. */
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
