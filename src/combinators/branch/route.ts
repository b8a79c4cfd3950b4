import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkFunction } from '../../tool/check-given.ts'
import type { WrongFields, WrongPart } from '../../tool/given/wrong-fields.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The tool of a route: one that takes the value, or a string tool, which takes its text. */
export type RouteTool<V, O> = AgentTool<V, O> | (unknown extends V ? never : AgentTool<string, O>)

/** The compiler shows this if the tool of a route does not take the input of the branch: the names of the fields that do not fit, and what they are. */
export interface RouteMisfit<Fields, Given, Taken> {
  readonly 'The tool of this route does not take the input of the branch: give it an input of its own': {
    readonly fields: Fields
    readonly given: Given
    readonly takes: Taken
  }
}

/** `unknown` if it fits, so that it adds nothing to an intersection. */
export type FittingRoute<V, I> = [V] extends [I]
  ? unknown
  : [I] extends [string]
    ? unknown
    : RouteMisfit<WrongFields<V, I>, WrongPart<V, V, I>, WrongPart<I, V, I>>

/** The options of a route. */
export interface RouteOptions {
  /** The name of the route in paths, plans and messages; the name of its tool by default. */
  readonly name?: string | undefined
}

/** The options of a route whose tool takes another input than the branch. */
export interface ReshapedRouteOptions<V, I> extends RouteOptions {
  /** Makes the input of the tool from the whole input: a pure, synchronous function. */
  readonly input: NoInfer<(value: V) => I>
}

/** One condition of a branch with its tool. */
export interface RouteCase {
  readonly tool: AgentTool
  readonly name?: string | undefined
  /** When it is taken, in words. */
  readonly condition: string
  readonly holds: (value: unknown) => boolean
  /** A schema that the input also satisfies when the condition is true. */
  readonly known?: JsonSchema | undefined
  readonly input?: ((value: unknown) => unknown) | undefined
}

/** The output of a tool. */
export type OutputOf<T> = T extends AgentTool<never, infer O> ? O : never

declare const TYPES: unique symbol

/** One or more cases of a branch over a value of type `V`, with outputs of type `O`; `M` are the cases that a `match` does not cover. */
export interface Route<in V, out O, out M = never> {
  readonly cases: readonly RouteCase[]
  readonly [TYPES]?: ((value: V) => { readonly output: O; readonly missing: M }) | undefined
}

/** Any route. */
export type AnyRoute = Route<never, unknown, unknown>

interface CaseOptions {
  readonly name?: string | undefined
  readonly input?: ((value: never) => unknown) | undefined
}

const NAMES = optionNames<CaseOptions>({ name: true, input: true })

/** A route with one case. The caller has checked the types. */
export function routeOf(tool: AgentTool, test: Pick<RouteCase, 'condition' | 'holds' | 'known'>, options: CaseOptions = {}): AnyRoute {
  behaviourOf(tool, `The tool of the route (${test.condition})`)
  checkOptionNames(options, NAMES, `The options of the route to '${tool.name}'`)
  const { name, input } = options
  if (input !== undefined) checkFunction(input, `'input' of the route to '${tool.name}'`)
  return { cases: [{ ...test, tool, name, input: input as RouteCase['input'] }] }
}

/**
 * A route that is taken when a pure predicate over the input is true.
 * @example
 * const large = when(({ amount }) => amount > 100, gate(issueRefund), { name: 'large' })
 */
export function when<V, O>(
  predicate: (value: V) => boolean,
  tool: RouteTool<NoInfer<V>, O>,
  options?: RouteOptions & { readonly input?: undefined },
): Route<V, O>
export function when<V, O>(
  predicate: (value: V) => boolean,
  tool: AgentTool<V, O>,
  options?: RouteOptions & { readonly input?: undefined },
): Route<V, O>
export function when<V, I, O>(predicate: (value: V) => boolean, tool: AgentTool<I, O>, options: ReshapedRouteOptions<V, I>): Route<V, O>
export function when(
  predicate: (value: never) => boolean,
  tool: AgentTool,
  options?: RouteOptions | ReshapedRouteOptions<never, unknown>,
): AnyRoute {
  checkFunction(predicate, 'The predicate of when')
  const named = predicate.name === '' ? 'its predicate holds' : `'${predicate.name}' holds`
  return routeOf(tool, { condition: named, holds: predicate as (value: unknown) => boolean }, options)
}
