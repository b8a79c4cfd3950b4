import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { Level } from '../../tool/seam/by-person.ts'
import type { InputOf } from '../../tool/tool.ts'
import type { FieldComparison } from './field-comparison.ts'
import type { Source } from './source.ts'
import { type AnyCorroborateOptions, makeCorroborate } from './make-corroborate.ts'
import type { ArbiterAnswer, ArbiterFunction, ArbiterQuestion, Resolution } from './resolution.ts'

/** Tools that know the same fact, by their labels. */
export type Sources = Readonly<Record<string, AgentTool | Source<never, unknown>>>

type Takes<T> = T extends Source<infer V, unknown> ? V : T extends AgentTool<infer I, unknown> ? I : never
type Gives<T> = T extends AgentTool<never, infer O> ? O : T extends Source<never, infer O> ? O : never

/** The value of some source. */
export type AnyAnswer<B> = { readonly [L in keyof B]: Gives<B[L]> }[keyof B]

type SharedInput<B> = { readonly [L in keyof B]: (input: Takes<B[L]>) => void }[keyof B] extends (input: infer I) => void ? I : never

/** The input of the whole. */
export type CorroborateInput<B, S> = S extends undefined ? SharedInput<B> : InputOf<S>

type OneResolution<V, I, L extends string> =
  | Resolution<L, keyof V & string>
  | Level<unknown, unknown>
  | AgentTool<ArbiterQuestion<I>, ArbiterAnswer<V>>
  | ArbiterFunction<V, I>

export interface CorroborateOptions<B, S, N extends string = string> extends Metadata {
  readonly name: N
  readonly description: string
  /** The input of the whole; by default the common input of all sources. */
  readonly inputSchema?: S
  /** The fields that are compared, each with its tolerance. */
  readonly fields: { readonly [K in keyof AnyAnswer<B> & string]?: FieldComparison }
  /**
   * How critical conflicts are resolved: `byAuthority`, `byFreshness`, `byMajority`, `byPerson`, or an arbiter, which is a tool (a model, too) or a
   * function. Several are asked in their order for the fields that are still open. Without it, and for fields that nobody resolves, the call fails.
   */
  readonly resolve?:
    | OneResolution<AnyAnswer<B>, CorroborateInput<B, S>, keyof B & string>
    | readonly OneResolution<AnyAnswer<B>, CorroborateInput<B, S>, keyof B & string>[]
    | undefined
  /** How many sources must answer; 2 by default. */
  readonly atLeast?: number | undefined
}

/**
 * Asks at least two tools for the same fact at the same time, and compares fields of their answers. The result says which fields disagreed, what
 * each source said and how it was resolved.
 * @example
 * const total = (name: string, amount: number) => tool({ name, description: 'Gives a total.', effect: 'read', execute: () => ({ total: amount }) })
 * const sources = { ledger: total('ledger_total', 100), bank: total('bank_total', 130) }
 * const agreed = corroborate(sources, {
 *   name: 'total',
 *   description: 'Gives a total that two books confirm.',
 *   fields: { total: { within: 1 } },
 *   resolve: byAuthority('bank', 'ledger'),
 * })
 * const result = await agreed.call('march')
 * console.log(result.validation?.verdict, result.ok && result.value.total) // conditional 130
 */
export function corroborate<const B extends Sources, const S extends AnySchema | undefined = undefined, const N extends string = string>(
  sources: B,
  options: CorroborateOptions<B, S, N>,
): AgentTool<CorroborateInput<B, S>, AnyAnswer<B>, N> {
  return makeCorroborate(sources, options as unknown as AnyCorroborateOptions)
}
