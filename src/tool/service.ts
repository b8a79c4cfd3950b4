import { ConfigurationError } from './errors/configuration-error.ts'
import { checkOptionNames } from './option-names.ts'

declare const PROVIDES: unique symbol

/** Declares that a tool needs something of type `T` from the runtime. */
export interface Service<T> {
  readonly [PROVIDES]?: T
  readonly check?: ((value: unknown) => boolean) | undefined
}

/** Declared services as `context.services` gives them. */
export type ServicesOf<D> = { readonly [K in keyof D]: D[K] extends Service<infer T> ? T : never }

/**
 * Names the type of a service that a tool needs; `check` refuses a wrong one before the tool runs.
 * @example
 * const findOrders = tool({
 *   name: 'find_orders',
 *   description: 'Finds the orders of a customer.',
 *   services: { orders: service<OrderBook>() },
 *   execute: (email, { services }) => services.orders.of(email),
 * })
 * await findOrders.call('ada@example.com', { services: { orders: db } })
 */
export function service<T>(options: { readonly check?: (value: unknown) => value is T } = {}): Service<T> {
  checkOptionNames(options, ['check'], 'The options of service')
  return { check: options.check }
}

/** Every declared service must be there before the tool runs. */
export function checkServices(
  declared: Readonly<Record<string, Service<unknown>>>,
  given: Readonly<Record<string, unknown>>,
  toolName: string,
): void {
  for (const [name, { check }] of Object.entries(declared)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined) {
      throw new ConfigurationError(
        'missing_service',
        `Tool '${toolName}' needs the service '${name}'. Pass it as services: { ${name}: ... } to createRuntime or to the call.`,
      )
    }
    if (check !== undefined && !check(value)) {
      throw new ConfigurationError('missing_service', `The service '${name}' is not what tool '${toolName}' needs.`)
    }
  }
}
