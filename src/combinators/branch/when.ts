import type { AgentTool } from '../../tool/agent-tool.ts'
import { checkFunction } from '../../tool/check-given.ts'
import { type AnyRoute, type ReshapedRouteOptions, type Route, type RouteOptions, routeOf, type RouteTool } from './route.ts'

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
