import type { DecodedValue } from '../../schema/dialects/dialect.ts'
import { excerpt, kindAndSize } from '../../schema/quote.ts'
import { ToolError } from '../errors/tool-error.ts'

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
    const why = `${reasonOf(error)}, ${placeOf(text, error)}`
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

const LONGEST_REASON = 80

/** The engine's message repeats the text; the part before it is enough. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (message.includes('call stack')) return 'it is nested too deeply'
  return excerpt(message.split(/, (?:\.\.\.)?"| in JSON| at position/)[0]?.trim() ?? message, LONGEST_REASON)
}

/** Where reading stopped, if the engine says it, and the size of the text. */
function placeOf(text: string, cause: unknown): string {
  const found = cause instanceof Error ? / at position (\d+)/.exec(cause.message)?.[1] : undefined
  return found === undefined ? `in ${kindAndSize(text)}` : `at character ${Number(found) + 1} of ${text.length}`
}
