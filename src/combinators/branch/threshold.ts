import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { fieldOf, type NumberField } from './equals.ts'
import { type AnyRoute, type ReshapedRouteOptions, type Route, routeOf, type RouteOptions, type RouteTool } from './route.ts'

/** A route by the size of a number in the input. */
export interface Threshold {
  <V, O>(
    field: NumberField<NoInfer<V>>,
    bound: number,
    tool: RouteTool<NoInfer<V>, O>,
    options?: RouteOptions & { readonly input?: undefined },
  ): Route<V, O>
  <V, O>(
    field: NumberField<NoInfer<V>>,
    bound: number,
    tool: AgentTool<V, O>,
    options?: RouteOptions & { readonly input?: undefined },
  ): Route<V, O>
  <V, I, O>(field: NumberField<NoInfer<V>>, bound: number, tool: AgentTool<I, O>, options: ReshapedRouteOptions<V, I>): Route<V, O>
}

type Given = readonly [field: PropertyKey, bound: number, tool: AgentTool, options?: RouteOptions]

/** A field that is missing or not a number is neither above nor below a bound. */
function threshold(word: 'above' | 'below', isBeyond: (number: number, bound: number) => boolean): Threshold {
  const make = (...[field, bound, tool, options]: Given): AnyRoute => {
    if (typeof bound !== 'number' || Number.isNaN(bound)) {
      throw new ConfigurationError('invalid_option', `The bound of ${word}('${String(field)}') must be a number, not ${quote(bound)}.`)
    }
    const holds = (value: unknown): boolean => {
      const number = fieldOf(value, field)
      return typeof number === 'number' && isBeyond(number, bound)
    }
    return routeOf(tool, { condition: `${String(field)} ${word} ${bound}`, holds }, options)
  }
  return make as unknown as Threshold
}

/**
 * A route that is taken when a number in the input is greater than a bound.
 * @example
 * const large = above('amount', 100, gate(issueRefund))
 */
export const above: Threshold = threshold('above', (number, bound) => number > bound)

/**
 * A route that is taken when a number in the input is less than a bound.
 * @example
 * const small = below('amount', 10, issueRefund)
 */
export const below: Threshold = threshold('below', (number, bound) => number < bound)
