import { describeIssues } from '../schema/describe-issues.ts'
import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import type { StandardIssue } from '../schema/standard-schema.ts'
import { mergePatch } from '../tool/engine/merge-patch.ts'
import { type Contract, contractOf } from '../tool/contract.ts'
import { encode } from '../tool/journal/codec.ts'
import { MASK } from '../tool/mask.ts'
import type { ReviewRequest } from '../tool/review.ts'
import type { InputChange } from './inbox-interface.ts'
import { undeclaredFields } from './undeclared-fields.ts'

/** Why an edit cannot be what the person meant, or undefined. The tool judges the true values when it is called. */
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
  // The tool took the original: what its JSON Schema has against that, it has against the schema's own conversions.
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

/** What can be said of a value whose secrets are hidden. */
async function issuesOf(value: unknown, schema: JsonSchema): Promise<readonly StandardIssue[]> {
  let contract: Contract
  try {
    contract = contractOf(schema, 'inputSchema')
  } catch {
    // What cannot be read here is left to the tool.
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

/** Whether a patch could have brought an issue about. Into what is masked it patches a value that is not known here. */
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
