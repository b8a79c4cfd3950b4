import { excerpt } from './quote.ts'
import type { StandardIssue } from './standard-schema.ts'

/** A union of which no option fits: what each option found, with paths from the union on. zod's issues have this shape. */
export interface UnionIssue extends StandardIssue {
  readonly errors: readonly (readonly StandardIssue[])[]
}

/** A field's name and a library's message may repeat parts of a huge input. */
const LONGEST_NAME = 80
const LONGEST_MESSAGE = 200
const LONGEST_UNION = 600
const LONGEST_LIST = 2500
/** A union inside unions may list the same problem a million times, and a long name is long in each text. */
const MOST_DESCRIBED = 300

/** All problems of one input in one line: `'email' is missing; 'amount': expected a number`. Only a flood of them is cut. */
export function describeIssues(issues: readonly StandardIssue[], value: unknown): string {
  const shown = new Set<string>()
  let length = 0
  let described = 0
  const budget: Budget = { left: MOST_DESCRIBED }
  for (const issue of issues) {
    if (length > LONGEST_LIST || budget.left <= 0) break
    const text = describeIssue(issue, { value, base: [], budget })
    described++
    if (shown.has(text)) continue
    shown.add(text)
    length += text.length
  }
  const more = issues.length - described
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** How many issues may still be described, those inside unions included. */
interface Budget {
  left: number
}

interface Place {
  readonly value: unknown
  /** Where the union stands that the issue belongs to. */
  readonly base: readonly PropertyKey[]
  readonly budget: Budget
}

function describeIssue(issue: StandardIssue, { value, base, budget }: Place): string {
  budget.left--
  const keys = [...base, ...Array.from(issue.path ?? [], (part) => (typeof part === 'object' ? part.key : part))]
  const options = optionsOf(issue)
  const closest = options.length > 0 ? describeOptions(options, { value, base: keys, budget }) : ''
  if (closest !== '') return closest
  const name = keys.map(String).join('.')
  const message = excerpt(messageOf(issue, name), LONGEST_MESSAGE)
  if (keys.length === 0) return message
  const shown = `'${excerpt(name, LONGEST_NAME)}'`
  if (valueAt(value, keys) !== undefined) return `${shown}: ${message}`
  return SAYS_MISSING.test(message) ? `${shown} is missing` : `${shown} is missing (${message})`
}

const SAYS_MISSING = /\b(?:undefined|missing|required)\b/i

/** Without repetition: zod and valibot say that something is invalid, arktype names the field. */
function messageOf(issue: StandardIssue, name: string): string {
  const text = String('problem' in issue ? issue.problem : issue.message)
  return text.startsWith(`${name} `) ? text.slice(name.length + 1) : text.replace(/^Invalid [a-z]+: /, '')
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let node = value
  for (const key of keys) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as Record<PropertyKey, unknown>)[key]
  }
  return node
}

/** zod and our own issues list failures option by option; valibot lists them as one. */
function optionsOf(issue: StandardIssue): readonly (readonly StandardIssue[])[] {
  if (isUnionIssue(issue)) return issue.errors
  if ('issues' in issue && Array.isArray(issue.issues)) return (issue.issues as readonly StandardIssue[]).map((each) => [each])
  return []
}

/** Whether an issue lists what each option of a union found. */
export function isUnionIssue(issue: StandardIssue): issue is UnionIssue {
  return 'errors' in issue && Array.isArray(issue.errors) && issue.errors.every((each) => Array.isArray(each))
}

/** The options that come closest: a wrong type or a wrong tag rules an option out, unless it does so with all. */
function describeOptions(options: readonly (readonly StandardIssue[])[], place: Place): string {
  const open = options.filter((option) => option.length > 0 && !option.some(rulesOut))
  const fewest = open.reduce((least, option) => Math.min(least, option.length), Infinity)
  const closest =
    open.length > 0 ? open.filter((option) => option.length === fewest) : options.map((option) => option.filter(rulesOut)).filter(hasAny)
  const texts = new Set<string>()
  let length = 0
  for (const option of closest) {
    if (length > LONGEST_UNION || place.budget.left <= 0) break
    const text = describeOption(option, place)
    if (!texts.has(text)) length += text.length
    texts.add(text)
  }
  return excerpt([...texts].join(', or '), LONGEST_UNION)
}

function describeOption(option: readonly StandardIssue[], place: Place): string {
  const texts: string[] = []
  let length = 0
  for (const issue of option) {
    if (length > LONGEST_UNION || place.budget.left <= 0) break
    const text = describeIssue(issue, place)
    texts.push(text)
    length += text.length
  }
  return texts.join(' and ')
}

function rulesOut(issue: StandardIssue): boolean {
  const code = 'code' in issue ? issue.code : undefined
  const depth = issue.path?.length ?? 0
  return (code === 'invalid_value' && depth <= 1) || (code === 'invalid_type' && depth === 0)
}

function hasAny(option: readonly StandardIssue[]): boolean {
  return option.length > 0
}
