import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { Level } from '../../tool/seam/by-person.ts'
import type { InputOf, ParsedOf } from '../../tool/tool.ts'
import type { FieldComparison } from './field-comparison.ts'
import { type AnyCorroborateOptions, makeCorroborate } from './make-corroborate.ts'
import type { ArbiterAnswer, ArbiterFunction, ArbiterQuestion, Resolution } from './resolution.ts'

/** Tools that know the same fact, by their labels. */
export type Sources = Readonly<Record<string, AgentTool>>

type Takes<T> = T extends AgentTool<infer I, unknown> ? I : never
type Gives<T> = T extends AgentTool<never, infer O> ? O : never

/** The answer of a source, for its output adapter. */
export interface SourceOutput<O> {
  readonly value: O
  readonly text: string
}

/** Functions that make the answer of the whole from that of a source. */
export type SourceOutputs<B> = { readonly [L in keyof B]?: (answer: SourceOutput<Gives<B[L]>>) => object }

/** The value of a source, after its output adapter. */
type ValueOf<B, A, L extends keyof B> = L extends keyof A ? (A[L] extends (answer: never) => infer R ? R : Gives<B[L]>) : Gives<B[L]>

/** The value of some source. */
export type AnyAnswer<B, A> = { readonly [L in keyof B]: ValueOf<B, A, L> }[keyof B]

type SharedInput<B> = { readonly [L in keyof B]: (input: Takes<B[L]>) => void }[keyof B] extends (input: infer I) => void ? I : never

/** The input of the whole. */
export type CorroborateInput<B, S> = S extends undefined ? SharedInput<B> : InputOf<S>

type GivenInput<B, S> = S extends undefined ? SharedInput<B> : ParsedOf<S>

type OneResolution<V, I, L extends string> =
  | Resolution<L, keyof V & string>
  | Level<unknown, unknown>
  | AgentTool<ArbiterQuestion<I>, ArbiterAnswer<V>>
  | ArbiterFunction<V, I>

export interface CorroborateOptions<B, S, A, N extends string = string> extends Metadata {
  readonly name: N
  readonly description: string
  /** The input of the whole; by default the common input of all sources. */
  readonly inputSchema?: S
  /** Makes the input of a source from that of the whole: pure functions. They need an `inputSchema`. */
  readonly inputs?: { readonly [L in keyof B]?: (input: GivenInput<B, S>) => Takes<B[L]> } | undefined
  /** Makes the answer from the output of a source: pure functions. */
  readonly outputs?: (A & SourceOutputs<B>) | undefined
  /** The fields that are compared, each with its tolerance. */
  readonly fields: { readonly [K in keyof AnyAnswer<B, A> & string]?: FieldComparison }
  /**
   * How critical conflicts are resolved: `byAuthority`, `byFreshness`, `byMajority`, `byPerson`, or an arbiter, which is a tool (a model, too) or a
   * function. Several are asked in their order for the fields that are still open. Without it, and for fields that nobody resolves, the call fails.
   */
  readonly resolve?:
    | OneResolution<AnyAnswer<B, A>, CorroborateInput<B, S>, keyof B & string>
    | readonly OneResolution<AnyAnswer<B, A>, CorroborateInput<B, S>, keyof B & string>[]
    | undefined
  /** How many sources must answer; 2 by default. */
  readonly atLeast?: number | undefined
}

/**
 * Asks several tools for the same fact at the same time, and compares fields of their answers. The result says which fields disagreed, what
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
export function corroborate<
  const B extends Sources,
  const S extends AnySchema | undefined = undefined,
  A extends SourceOutputs<B> = Record<never, never>,
  const N extends string = string,
>(sources: B, options: CorroborateOptions<B, S, A, N>): AgentTool<CorroborateInput<B, S>, AnyAnswer<B, A>, N> {
  return makeCorroborate(sources, options as unknown as AnyCorroborateOptions)
}
