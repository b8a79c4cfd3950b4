import type { JsonSchema } from '../json-schema.ts'
import { type Dialect, type DialectOptions, dialect } from './dialect.ts'
import { DIALECT_RULES, type DialectTarget } from './dialect-rules.ts'

/** A tool as it is described to a model. */
export interface OfferedTool {
  readonly name: string
  readonly parameters: JsonSchema
}

/** A tool and the way in which it is offered. */
export interface Allotted {
  readonly name: string
  /** The vendor is asked to hold the schema. False for a target without a strict mode, and past the limits of a request. */
  readonly strict: boolean
  readonly dialect: Dialect
}

const HAS_STRICT_MODE: ReadonlySet<DialectTarget> = new Set(['openai-strict', 'anthropic-strict'])

/**
 * Shares the limits of one request among its tools: the cheapest are strict, as many as there is room for. The others are offered with
 * their own schemas, unless the vendor would refuse the whole request for the names in them.
 * @example
 * const [first] = allotStrict([orders.specification], 'anthropic-strict')
 * console.log(first?.strict, first?.dialect.cost.unions) // true 0
 */
export function allotStrict(tools: readonly OfferedTool[], target: DialectTarget, options: DialectOptions = {}): readonly Allotted[] {
  const offered = tools.map(({ name, parameters }) => ({ name, parameters, dialect: dialect(parameters, target, options) }))
  if (target === 'mcp' || !HAS_STRICT_MODE.has(target))
    return offered.map(({ name, dialect: own }) => ({ name, strict: false, dialect: own }))
  const rules = DIALECT_RULES[target]
  const limits = { ...rules.limits, ...options.limits }
  const strict = new Set<string>()
  const left = { tools: limits.tools, optionals: limits.optionals, unions: limits.unions }
  for (const { name, dialect: own } of offered.toSorted((a, b) => weight(a.dialect) - weight(b.dialect))) {
    const { optionals, unions } = own.cost
    if (left.tools < 1 || left.optionals < optionals || left.unions < unions) continue
    left.tools--
    left.optionals -= optionals
    left.unions -= unions
    strict.add(name)
  }
  return offered.map(({ name, parameters, dialect: own }) => {
    if (strict.has(name)) return { name, strict: true, dialect: own }
    const isRefused = Object.keys((parameters['properties'] ?? {}) as object).some((each) => !rules.names.test(each))
    return { name, strict: false, dialect: isRefused ? own : dialect(parameters, 'mcp') }
  })
}

function weight({ cost: { optionals, unions, characters } }: Dialect): number {
  return optionals + unions + characters / 1_000_000
}
