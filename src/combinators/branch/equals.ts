import type { JsonSchema } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import {
  type AnyRoute,
  type FittingRoute,
  type OutputOf,
  type ReshapedRouteOptions,
  type Route,
  routeOf,
  type RouteOptions,
  type RouteTool,
} from './route.ts'

/**
 * A route that is taken when a field of the input has a given value. Its tool may take the narrowed input.
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
// The last without an input of its own, because the compiler reports the errors of the last one: it names the fields that do not fit.
export function equals<V, const K extends keyof V, const C extends V[K], I, O>(
  field: K,
  expected: C,
  tool: AgentTool<I, O> & FittingRoute<Narrowed<V, K, C>, I>,
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

/** The values of an enum, a flag or a small number. */
export type Literal = string | number | boolean

export function isLiteral(value: unknown): value is Literal {
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}

/** The fields that hold a number, or may. */
export type NumberField<V> = { [K in keyof V]-?: [NonNullable<V[K]>] extends [number] ? K : never }[keyof V]

/** The fields that hold one of a few literals, or may. */
export type EnumField<V> = { [K in keyof V]-?: [NonNullable<V[K]>] extends [Literal] ? K : never }[keyof V]

/** The literals of a field, as an object's keys can say them. */
export type KeyOf<L> = L extends Literal ? `${L}` : never

/** The values of a field that no key can represent. */
export type Absent<L> = L extends null | undefined ? `${L}` : never

/** The literal that a key represents. */
export type LiteralOf<L, K> = L extends Literal ? (`${L}` extends K ? L : never) : never

/** The input after a field has been compared: the member of the union with that value, or the input with the field narrowed. */
export type Narrowed<V, K extends keyof V, C> = [Extract<V, { readonly [F in K]: C }>] extends [never]
  ? V & { readonly [F in K]: C }
  : Extract<V, { readonly [F in K]: C }>

/** An object whose field has one of these values, as a schema. */
export function withField(field: PropertyKey, values: readonly unknown[]): JsonSchema {
  return { type: 'object', properties: { [field]: { enum: values } }, required: [String(field)] }
}

/** The field of an input that a route compares. */
export function fieldOf(value: unknown, field: PropertyKey): unknown {
  return (value as Readonly<Record<PropertyKey, unknown>>)[field]
}
