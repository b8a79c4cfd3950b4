import type { DecodedValue } from '../../schema/dialects/dialect.ts'
import { ToolError } from '../errors/tool-error.ts'
import { jsonProblem } from './json-problem.ts'

/** Marks the arguments of a model, of any copy of the package. */
export const MODEL_ARGUMENTS: unique symbol = Symbol.for('toolwright.model-arguments') as never

/** Reads what a model sent in the dialect of its vendor; throws `Refused`. */
export interface ArgumentsDecoder {
  readonly read: (value: unknown) => DecodedValue
}

/** The arguments of a model or a peer, in the model's shape: as text, or already parsed. The tool converts them to its input. */
export class ModelArguments {
  readonly [MODEL_ARGUMENTS] = true
  readonly text: string | undefined
  readonly value: unknown
  /** The model was shown the schema in a dialect. */
  readonly decoder: ArgumentsDecoder | undefined

  private constructor(text: string | undefined, value: unknown, decoder: ArgumentsDecoder | undefined) {
    this.text = text
    this.value = value
    this.decoder = decoder
  }

  static ofText(text: string, decoder?: ArgumentsDecoder): ModelArguments {
    return new ModelArguments(text, undefined, decoder)
  }

  static ofValue(value: unknown, decoder?: ArgumentsDecoder): ModelArguments {
    return new ModelArguments(undefined, value, decoder)
  }
}

/** Works for another copy of the package, and for values that throw when read, such as a revoked proxy. */
export function isModelArguments(value: unknown): value is ModelArguments {
  try {
    return typeof value === 'object' && value !== null && (value as Partial<ModelArguments>)[MODEL_ARGUMENTS] === true
  } catch {
    return false
  }
}

/**
 * Parses hostile JSON: a `__proto__` key is dropped, and only a ToolError is thrown. The error says where the text is wrong and does not repeat
 * it: nothing tells what in it is secret.
 */
export function parseArguments(given: string, toolName: string): unknown {
  const text = given.startsWith(BYTE_ORDER_MARK) ? given.slice(1) : given
  if (text.trim() === '') return {}
  try {
    return MAY_NAME_PROTOTYPE.test(text) ? JSON.parse(text, withoutPrototypeKey) : JSON.parse(text)
  } catch (error) {
    const why = jsonProblem(text, error)
    throw new ToolError(`The arguments of tool '${toolName}' are not valid JSON: ${why}.`, {
      code: 'invalid_arguments',
      outcome: 'not_started',
      cause: new SyntaxError(why),
    })
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

/** An underscore may be written as an escape. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u005f/i

function withoutPrototypeKey(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}
