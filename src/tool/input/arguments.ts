import { ToolError } from '../errors/tool-error.ts'
import { excerpt } from '../text-of.ts'

/** What a model or a peer sent, in the model's shape: as text, or already parsed. The tool itself turns it into its input. */
export class ModelArguments {
  readonly text: string | undefined
  readonly value: unknown

  private constructor(text: string | undefined, value: unknown) {
    this.text = text
    this.value = value
  }

  static ofText(text: string): ModelArguments {
    return new ModelArguments(text, undefined)
  }

  static ofValue(value: unknown): ModelArguments {
    return new ModelArguments(undefined, value)
  }
}

/** Parses JSON from a hostile hand: a `__proto__` key is dropped, and nothing escapes but a ToolError. */
export function parseArguments(text: string, toolName: string): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = text.includes('__proto__') ? JSON.parse(text, withoutPrototypeKey) : JSON.parse(text)
  } catch (cause) {
    throw new ToolError(`The arguments of tool '${toolName}' are not valid JSON (${reasonOf(cause)}): ${excerpt(text, 80)}`, {
      code: 'invalid_arguments',
      outcome: 'not_started',
      cause,
    })
  }
  return value
}

function withoutPrototypeKey(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

/** The engine's message repeats the text; the part before it is enough. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return excerpt(message.split(/, (?:\.\.\.)?"|in JSON/)[0]?.trim() ?? message, 80)
}
