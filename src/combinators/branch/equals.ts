import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { fieldOf, isLiteral, type Narrowed, withField } from './fields.ts'
import { type AnyRoute, type ReshapedRouteOptions, type OutputOf, type Route, type RouteOptions, routeOf, type RouteTool } from './route.ts'

/**
 * A route that is taken when a field of the input has a value. Its tool may take what is then known of the input.
 * @example
 * const small = equals('amount', 5, issueRefund)
 */
export function equals<V, const K extends keyof V, const C extends V[K], T extends RouteTool<Narrowed<V, K, C>, unknown>>(
  field: K,
  expected: C,
  tool: T,
  options?: RouteOptions & { readonly input?: undefined },
): Route<V, OutputOf<T>>
export function equals<V, O, const K extends keyof V>(
  field: K,
  expected: V[K],
  tool: AgentTool<V, O>,
  options?: RouteOptions & { readonly input?: undefined },
): Route<V, O>
export function equals<V, const K extends keyof V, const C extends V[K], I, O>(
  field: K,
  expected: C,
  tool: AgentTool<I, O>,
  options: ReshapedRouteOptions<Narrowed<V, K, C>, I>,
): Route<V, O>
export function equals(
  field: PropertyKey,
  expected: unknown,
  tool: AgentTool,
  options?: RouteOptions | ReshapedRouteOptions<never, unknown>,
): AnyRoute {
  const condition = `${String(field)} is ${quote(expected)}`
  const known = isLiteral(expected) ? withField(field, [expected]) : undefined
  return routeOf(tool, { condition, holds: (value) => Object.is(fieldOf(value, field), expected), known }, options)
}
