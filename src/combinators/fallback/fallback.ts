import type { AnySchema, SchemaInput, SchemaOutput } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { type Metadata, METADATA_NAMES } from '../../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { Level } from '../../tool/seam/by-person.ts'
import { makeFallback } from './make-fallback.ts'

/** The options of `fallback`. */
export interface FallbackOptions<S, T, N extends string = string> extends Metadata {
  /** The capability: what the levels have in common. */
  readonly name: N
  readonly description: string
  /** The input; by default that of the first level's tool. */
  readonly inputSchema?: S
  /** The answer. A level whose answer does not fit has failed, and the next one is tried. */
  readonly outputSchema?: T
}

const NAMES = optionNames<FallbackOptions<unknown, unknown>>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
})

/** A level, or a tool that is one as it is. */
type AnyLevel<V, O> = Level<V, O> | AgentTool<V, O>
type AnyLevels = readonly AnyLevel<never, unknown>[]

type Taken<L> = L extends Level<infer V, unknown> ? V : L extends AgentTool<infer I, unknown> ? I : never
type Given<L> = L extends AgentTool<never, infer O> ? O : L extends Level<never, infer O> ? O : never

type Declared<S> = S extends undefined ? never : SchemaOutput<S>
type TakenByFirst<L> = L extends readonly [infer First, ...unknown[]] ? Taken<First> : never
type Input<S, L> = S extends undefined ? TakenByFirst<L> : SchemaInput<S>
type Output<T, L extends AnyLevels> = T extends undefined ? { [K in keyof L]: Given<L[K]> }[number] : SchemaOutput<T>
type Promised<T> = T extends undefined ? unknown : SchemaInput<T>

/** Every level takes the input of the whole, and gives what the whole promises. */
type Fitting<S, T, L extends AnyLevels> = {
  readonly [K in keyof L]: AnyLevel<S extends undefined ? TakenByFirst<L> : SchemaOutput<S>, Promised<T>>
}

/**
 * A tool that asks its levels in order until one answers. The result says which level did, what the levels before it said, and how far the
 * answer can be trusted. Nothing is passed on that a person, the caller or the clock has decided, nor after an effect that may have happened.
 * @example
 * const lookUp = fallback({ name: 'look_up', description: 'Finds the latest order, in the archive if need be.' }, [
 *   latestOrder,
 *   level(latestOrder, { name: 'archive', estimates: { accuracy: 0.8 } }),
 * ])
 * const result = await lookUp.call({ email: 'ada@example.com' })
 * console.log(result.level) // latest_order
 */
export function fallback<
  const L extends readonly AnyLevel<Declared<S>, unknown>[],
  const S extends AnySchema | undefined = undefined,
  const T extends AnySchema | undefined = undefined,
  const N extends string = string,
>(options: FallbackOptions<S, T, N>, levels: L & Fitting<S, T, L>): AgentTool<Input<S, L>, Output<T, L>, N> {
  checkOptionNames(options, NAMES, 'The options of fallback')
  return makeFallback<Input<S, L>, Output<T, L>, N>(options as FallbackOptions<AnySchema | undefined, AnySchema | undefined>, levels)
}
