import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkFunction } from '../../tool/check-given.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The answer of a source, for its output adapter. */
export interface SourceOutput<O> {
  readonly value: O
  readonly text: string
}

declare const TYPES: unique symbol

/** A source of the answer `O` for an input of type `V`. */
export interface Source<in V, out O> {
  /** An `AdaptedSource`. */
  readonly source: object
  readonly [TYPES]?: ((value: V) => O) | undefined
}

/** A tool with its adapters. */
export interface AdaptedSource {
  readonly tool: AgentTool
  readonly input: ((input: never) => unknown) | undefined
  readonly output: ((answer: never) => unknown) | undefined
}

/** Pure, synchronous functions. */
export interface SourceOptions<V, I, O, R> {
  /** Makes the input of the tool from that of the whole. Its parameter needs a type: `({ pair }: Pair) => ({ symbol: pair })`. */
  readonly input?: ((input: V) => I) | undefined
  /** Makes the answer from the output of the tool. */
  readonly output?: ((answer: SourceOutput<O>) => R) | undefined
}

const NAMES = optionNames<SourceOptions<unknown, unknown, unknown, unknown>>({ input: true, output: true })

/**
 * A source of a corroborated tool that takes or gives something else than the others.
 * @example
 * const inCents = source(latestOrder, { output: ({ value }) => ({ total: value.total * 100 }) })
 */
export function source<V, O, R extends object>(
  tool: AgentTool<V, O>,
  options: SourceOptions<V, V, O, R> & { readonly input?: undefined; readonly output: (answer: SourceOutput<O>) => R },
): Source<V, R>
export function source<V, I, O>(
  tool: AgentTool<I, O>,
  options: SourceOptions<V, I, O, O> & { readonly input: (input: V) => I; readonly output?: undefined },
): Source<V, O>
export function source<V, I, O, R extends object>(
  tool: AgentTool<I, O>,
  options: SourceOptions<V, I, O, R> & { readonly input: (input: V) => I; readonly output: (answer: SourceOutput<O>) => R },
): Source<V, R>
export function source(tool: AgentTool, options: SourceOptions<never, unknown, never, unknown>): Source<never, unknown> {
  behaviourOf(tool, 'The first argument of source')
  const what = `the source of '${tool.name}'`
  checkOptionNames(options, NAMES, `The options of ${what}`)
  const { input, output } = options
  if (input !== undefined) checkFunction(input, `'input' of ${what}`)
  if (output !== undefined) checkFunction(output, `'output' of ${what}`)
  const own: AdaptedSource = { tool, input, output }
  return { source: own }
}
