import { Refused } from '../../schema/dialects/codec.ts'
import { describeIssues, isUnionIssue } from '../../schema/describe-issues.ts'
import { isEndless, measure } from '../../schema/measure.ts'
import type { StandardIssue } from '../../schema/standard-schema.ts'
import { ToolError } from '../errors/tool-error.ts'
import type { ModelArguments } from './arguments.ts'

type Keys = readonly PropertyKey[]

/** What a model sent, and the places in it of the parts of the input. */
export interface SentArguments {
  readonly sent: unknown
  readonly toDialect: (keys: Keys) => Keys
}

const known = new WeakMap<ModelArguments, SentArguments>()

interface Receiver {
  readonly toolName: string
  /** The input stands under `input`. */
  readonly wrapped: boolean
}

/** The arguments in the shape of the tool. Those without a meaning are refused as invalid input, at the place that the model knows. */
export function decodedArguments(given: ModelArguments, sent: unknown, { toolName, wrapped }: Receiver): unknown {
  // Validation refuses a value that is nested too deeply, without a walk through it.
  if (given.decoder === undefined || isEndless(measure(sent))) return sent
  try {
    const { value, toDialect } = given.decoder.read(sent)
    known.set(given, { sent, toDialect: wrapped ? (keys) => toDialect(['input', ...keys]) : toDialect })
    return value
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const message = `Invalid input for tool '${toolName}': '${error.path.map(String).join('.')}' ${error.message}.`
    throw new ToolError(message, { code: 'invalid_input', outcome: 'not_started' })
  }
}

/** What is known of arguments that were decoded. */
export function sentArguments(given: ModelArguments): SentArguments | undefined {
  return known.get(given)
}

const issuesOf = new WeakMap<ToolError, readonly StandardIssue[]>()

/** Remembers the problems behind an error about an input. */
export function withIssues(error: ToolError, issues: readonly StandardIssue[]): ToolError {
  issuesOf.set(error, issues)
  return error
}

/** The problems behind an error about an input; none behind any other. */
export function issuesBehind(thrown: unknown): readonly StandardIssue[] {
  return thrown instanceof ToolError ? (issuesOf.get(thrown) ?? []) : []
}

/** The error with the places that the model knows. Any other value is returned as it is. */
export function toldInPlaces(thrown: unknown, { sent, toDialect }: SentArguments, toolName: string): unknown {
  const issues = thrown instanceof ToolError ? issuesOf.get(thrown) : undefined
  if (issues === undefined) return thrown
  const told = issues.map((issue) => inPlaces(issue, toDialect, []))
  return new ToolError(`Invalid input for tool '${toolName}': ${describeIssues(told, sent)}.`, {
    code: 'invalid_input',
    outcome: 'not_started',
  })
}

/** The problems inside a union have their paths from the union on. */
function inPlaces(issue: StandardIssue, toDialect: SentArguments['toDialect'], base: Keys): StandardIssue {
  const keys = [...base, ...Array.from(issue.path ?? [], (part) => (typeof part === 'object' ? part.key : part))]
  const path = toDialect(keys).slice(toDialect(base).length)
  if (!isUnionIssue(issue)) return { ...issue, path }
  return Object.assign({}, issue, { path, errors: issue.errors.map((option) => option.map((each) => inPlaces(each, toDialect, keys))) })
}
