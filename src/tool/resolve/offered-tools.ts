import { allotStrict } from '../../schema/dialects/allot-strict.ts'
import type { Dialect, DialectOptions } from '../../schema/dialects/dialect.ts'
import { type DialectTarget, isDialectTarget, DIALECT_TARGETS } from '../../schema/dialects/dialect-rules.ts'
import { quote } from '../../schema/quote.ts'
import type { ToolSpecification } from '../agent-tool.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { ArgumentsDecoder } from '../input/arguments.ts'

/** A tool as a model is shown it. */
export interface OfferedSpecification {
  readonly specification: ToolSpecification
  /** For the arguments that the model sends; undefined where they have the tool's own shape. */
  readonly decoder: ArgumentsDecoder | undefined
}

interface Named {
  readonly name: string
  readonly specification: ToolSpecification
}

/** Tools as a vendor wants them, by their names. */
export function offeredTools(
  tools: readonly Named[],
  target: DialectTarget,
  options?: DialectOptions,
): ReadonlyMap<string, OfferedSpecification> {
  if (!isDialectTarget(target))
    throw new ConfigurationError('invalid_option', `There is no dialect ${quote(target)}. Use one of: ${DIALECT_TARGETS.join(', ')}.`)
  const named = tools.map(({ name, specification: { parameters } }) => ({ name, parameters }))
  const allotted = allotStrict(named, target, options)
  return new Map(tools.map(({ name, specification }, index) => [name, offered(specification, allotted[index])] as const))
}

function offered(
  specification: ToolSpecification,
  allotted: { readonly strict: boolean; readonly dialect: Dialect } | undefined,
): OfferedSpecification {
  if (allotted === undefined) return { specification, decoder: undefined }
  const { strict, dialect } = allotted
  const parameters = dialect.schema ?? NOTHING
  return {
    specification: Object.freeze({ ...specification, parameters, ...(strict ? { strict } : {}) }),
    decoder: dialect.target === 'mcp' ? undefined : dialect,
  }
}

/** Parameters that a vendor wants to be left out: an object without properties says the same. */
const NOTHING = Object.freeze({ type: 'object', properties: Object.freeze({}) })
