import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkFunction, checkOptions } from '../../tool/check-given.ts'

/** What a route may lead to: a tool that takes the value, or a string tool, which takes its text. */
export type RouteTool<V, O> = AgentTool<V, O> | (unknown extends V ? never : AgentTool<string, O>)

export interface RouteOptions {
  /** What paths, plans and messages call the route; the name of its tool by default. */
  readonly name?: string | undefined
}

export interface ReshapedRouteOptions<V, I> extends RouteOptions {
  /** What the tool is given in place of the whole input: a plain, pure function of it. */
  readonly input: NoInfer<(value: V) => I>
}

/** One way through a branch. */
export interface RouteCase {
  readonly tool: AgentTool
  readonly name?: string | undefined
  /** When it is taken, in words. */
  readonly condition: string
  readonly holds: (value: unknown) => boolean
  /** What is known of the input where it holds, beside its schema. */
  readonly known?: JsonSchema | undefined
  readonly input?: ((value: unknown) => unknown) | undefined
}

/** What a tool gives. */
export type OutputOf<T> = T extends AgentTool<never, infer O> ? O : never

declare const TYPES: unique symbol

/** One or more ways through a branch over a value of type `V`, with outputs of type `O`; `M` is what a `match` leaves open. */
export interface Route<in V, out O, out M = never> {
  readonly cases: readonly RouteCase[]
  readonly [TYPES]?: ((value: V) => { readonly output: O; readonly missing: M }) | undefined
}

/** Any route, whatever it takes and gives. */
export type AnyRoute = Route<never, unknown, unknown>

interface CaseOptions {
  readonly name?: string | undefined
  readonly input?: ((value: never) => unknown) | undefined
}

/** A route of one case. The types have been checked by whoever calls this. */
export function routeOf(tool: AgentTool, test: Pick<RouteCase, 'condition' | 'holds' | 'known'>, options: CaseOptions = {}): AnyRoute {
  behaviourOf(tool, `The tool of the route (${test.condition})`)
  checkOptions(options, `The options of the route to '${tool.name}'`)
  const { name, input } = options
  if (input !== undefined) checkFunction(input, `'input' of the route to '${tool.name}'`)
  return { cases: [{ ...test, tool, name, input: input as RouteCase['input'] }] }
}

/**
 * A route that is taken when a plain, pure predicate over the input says so.
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
