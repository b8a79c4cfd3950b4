import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import {
  type Absent,
  type EnumField,
  fieldOf,
  isLiteral,
  type KeyOf,
  type Literal,
  type LiteralOf,
  type Narrowed,
  withField,
} from './equals.ts'
import type { OutputOf, Route, RouteCase, RouteTool } from './route.ts'

/** A tool for each literal of a field; each may take the narrowed input. */
export type Cases<V, K extends keyof V> = {
  readonly [C in KeyOf<V[K]>]?: RouteTool<Narrowed<V, K, LiteralOf<V[K], C>>, unknown>
}

/** A key as a text: an object may have it as a number. */
type Said<X> = X extends string | number ? `${X}` : never

/**
 * Routes by the literals of one field. Without a route for each, the branch needs an `otherwise`.
 * @example
 * const byKind = branch(
 *   { name: 'handle', description: 'Handles a request.', inputSchema: z.object({ kind: z.enum(['greeting', 'order']), name: z.string(), email: z.email() }) },
 *   [match('kind', { greeting: greet, order: orders })],
 * )
 */
export function match<V, const K extends EnumField<V>, T extends Cases<V, K>>(
  field: K,
  cases: T & { readonly [X in keyof T as Said<X> extends KeyOf<V[K]> ? never : X]: never },
): Route<V, OutputOf<T[keyof T]>, Exclude<KeyOf<V[K]>, Said<keyof T>> | Absent<V[K]>> {
  checkOptions(cases, `The second argument of match('${String(field)}')`)
  const given = Object.entries<AgentTool>(cases)
  if (given.length === 0) throw new ConfigurationError('invalid_definition', `match('${String(field)}') needs at least one case.`)
  return { cases: given.map(([key, tool]) => caseOf(field, key, tool)) }
}

function caseOf(field: PropertyKey, key: string, tool: AgentTool): RouteCase {
  behaviourOf(tool, `The case ${quote(key)} of match('${String(field)}')`)
  const holds = (value: unknown): boolean => isLiteral(fieldOf(value, field)) && String(fieldOf(value, field)) === key
  const known = withField(field, literalsOf(key))
  return { tool, name: isPlain(key) ? key : undefined, condition: `${String(field)} is ${quote(key)}`, holds, known }
}

/** All literals that a key may represent. */
function literalsOf(key: string): readonly Literal[] {
  const others: readonly Literal[] = [true, false, Number(key)]
  return [key, ...others.filter((each) => String(each) === key && isLiteral(each))]
}

/** Can be used in a path unchanged. */
function isPlain(key: string): boolean {
  return /^[\w -]+$/.test(key)
}
