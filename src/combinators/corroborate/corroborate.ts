import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { Level } from '../../tool/seam/by-person.ts'
import { type AnyCorroborateOptions, makeCorroborate } from './make-corroborate.ts'
import type { ArbiterAnswer, ArbiterFunction, Resolution } from './resolution.ts'
import type { AnyAnswer, ComparedFields, CorroborateInput, QuestionOf, SharedField, Sources } from './source-types.ts'

type OneResolution<V, Q, L extends string, F extends string> =
  | Resolution<L, F>
  | Level<unknown, unknown>
  | AgentTool<Q, ArbiterAnswer<V>>
  | ArbiterFunction<V, Q>

type ResolutionOf<B, S, A> = OneResolution<AnyAnswer<B>, QuestionOf<B, S, A>, keyof B & string, SharedField<B>>

/** The options of `corroborate`. */
export interface CorroborateOptions<B, S, N extends string = string, A extends number | undefined = number | undefined> extends Metadata {
  readonly name: N
  readonly description: string
  /** The input of the whole; by default the common input of all sources. */
  readonly inputSchema?: S
  /** The fields that are compared, each with its tolerance. */
  readonly fields: ComparedFields<B>
  /**
   * How critical conflicts are resolved: `byAuthority`, `byFreshness`, `byMajority`, `byPerson`, or an arbiter, which is a tool (a model, too) or a
   * function. Several are asked in their order for the fields that are still open. Without it, and for fields that nobody resolves, the call fails.
   */
  readonly resolve?: ResolutionOf<B, S, A> | readonly ResolutionOf<B, S, A>[] | undefined
  /** How many sources must answer; 2 by default. */
  readonly atLeast?: A
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
export function corroborate<
  const B extends Sources,
  const S extends AnySchema | undefined = undefined,
  const N extends string = string,
  const A extends number | undefined = undefined,
>(sources: B, options: CorroborateOptions<B, S, N, A>): AgentTool<CorroborateInput<B, S>, AnyAnswer<B>, N> {
  return makeCorroborate(sources, options as unknown as AnyCorroborateOptions)
}
