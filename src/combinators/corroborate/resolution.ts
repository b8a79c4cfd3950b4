import { isRecord } from '../../schema/json-schema.ts'
import { momentOf } from '../../schema/moment-of.ts'
import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { ConflictResolution } from '../../tool/result/result.ts'
import { agree, type FieldComparison } from './field-comparison.ts'

/** The answer of one source. */
export interface SourceAnswer {
  readonly label: string
  readonly value: Readonly<Record<string, unknown>>
}

/** A field on which the answers disagree. */
export interface OpenConflict {
  readonly field: string
  readonly comparison: FieldComparison
  /** Only answers that have the field, in the order of the sources. */
  readonly answers: readonly SourceAnswer[]
  /** How many sources were asked, also those that failed or did not give the field. */
  readonly asked: number
}

/** A conflict as an arbiter sees it: a field, and its values by the labels of the sources that have one. */
export interface ArbiterConflict<F = string, V = Record<string, unknown>> {
  readonly field: F
  readonly values: V
}

/** The question to an arbiter: `I` is the input of the whole, `A` the whole answers by the labels of the sources that answered. */
export interface ArbiterQuestion<I = unknown, A = Record<string, unknown>, C = ArbiterConflict> {
  readonly input: I
  readonly conflicts: C[]
  readonly answers: A
}

/** The values of the fields that the arbiter decides. */
export type ArbiterAnswer<V> = { readonly [K in keyof V]?: V[K] | undefined }

/** An arbiter that is a function. Its answer is recorded. */
export type ArbiterFunction<V, Q = ArbiterQuestion> = (
  question: Q,
) => ArbiterAnswer<V> | undefined | void | PromiseLike<ArbiterAnswer<V> | undefined | void>

declare const TYPES: unique symbol

/** A way to resolve conflicts by the answers themselves. It names the sources `L` and the field `F`. */
export interface Resolution<out L = never, out F = never> {
  /** A `PureResolution`. */
  readonly resolution: object
  readonly [TYPES]?: (() => readonly [L, F]) | undefined
}

/** A resolution that follows from the answers. */
export interface PureResolution {
  readonly by: 'authority' | 'freshness' | 'majority'
  /** In words, for plans. */
  readonly text: string
  readonly sources?: readonly string[] | undefined
  /** A field that it reads besides those that are compared. */
  readonly field?: string | undefined
  readonly resolve: (conflict: OpenConflict) => ConflictResolution | undefined
}

/** A resolution by a tool or a function. */
export interface Arbiter {
  readonly by: 'arbiter'
  readonly tool: AgentTool | undefined
  readonly decide: ((question: ArbiterQuestion) => unknown) | undefined
}

/**
 * Believes the source that comes first: in the given order, else in the order of the sources. Sources that are not named are not believed.
 * @example
 * const trusted = byAuthority('central_bank', 'broker')
 */
export function byAuthority<const L extends string = never>(...sources: readonly L[]): Resolution<L> {
  for (const each of sources)
    if (typeof each !== 'string')
      throw new ConfigurationError('invalid_option', `byAuthority takes the labels of sources, not ${quote(each)}.`)
  const own: PureResolution = {
    by: 'authority',
    text: sources.length === 0 ? 'by authority' : `by authority: ${sources.join(', ')}`,
    sources,
    resolve: ({ field, answers }) => {
      const order = sources.length === 0 ? answers.map(({ label }) => label) : sources
      const [believed] = order.flatMap((label) => answers.filter((each) => each.label === label))
      return believed && { by: 'authority', value: believed.value[field], source: believed.label }
    },
  }
  return { resolution: own }
}

/**
 * Believes the answer with the latest time in a field: a date or a time in ISO notation, a `Date` or a number. Answers whose times cannot be
 * compared, or that are equally fresh and disagree, resolve nothing.
 * @example
 * const freshest = byFreshness('quotedAt')
 */
export function byFreshness<const F extends string>(field: F): Resolution<never, F> {
  if (typeof field !== 'string' || field === '')
    throw new ConfigurationError('invalid_option', `byFreshness needs the name of a field that holds a time, not ${quote(field)}.`)
  const own: PureResolution = {
    by: 'freshness',
    text: `by freshness of ${field}`,
    field,
    resolve: ({ field: open, comparison, answers }) => {
      const dated = answers.map((answer) => ({ answer, moment: momentOf(answer.value[field]) }))
      const [first] = dated
      if (dated.some(({ moment }) => moment === undefined || moment.scale !== first?.moment?.scale)) return undefined
      const latest = Math.max(...dated.map(({ moment }) => moment?.at ?? -Infinity))
      const fresh = dated.filter(({ moment }) => moment?.at === latest).map(({ answer }) => answer)
      const [believed, ...equals] = fresh
      if (believed === undefined || equals.some(({ value }) => !agree(value[open], believed.value[open], comparison))) return undefined
      return { by: 'freshness', value: believed.value[open], source: believed.label }
    },
  }
  return { resolution: own }
}

/**
 * Believes the value that more than half of all sources gave, within the tolerance of the field. A source that failed or did not give the field
 * counts too.
 * @example
 * const most = byMajority()
 */
export function byMajority(): Resolution {
  const own: PureResolution = {
    by: 'majority',
    text: 'by majority',
    resolve: ({ field, comparison, answers, asked }) => {
      const camp = (of: SourceAnswer): number => answers.filter(({ value }) => agree(value[field], of.value[field], comparison)).length
      const [believed] = answers.filter((each) => camp(each) * 2 > asked)
      return believed && { by: 'majority', value: believed.value[field], source: believed.label }
    },
  }
  return { resolution: own }
}

/** The values that an arbiter or a person decided. Anything else than a record is a mistake. */
export function decidedValues(given: unknown, who: string): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {}
  if (isRecord(given)) return given
  throw new ToolError(`${who} must give the values of fields, such as { rate: 1.1 }, not ${quote(given)}.`, { code: 'adapter_failed' })
}
