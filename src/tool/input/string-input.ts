import { parseArguments } from './arguments.ts'
import { frozen } from '../../schema/frozen.ts'
import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { toJsonText } from '../../schema/quote.ts'
import { textOf } from '../result/text-of.ts'
import type { InputPort } from './input-port.ts'

/** Shared by all tools that take a string. */
const PARAMETERS: JsonSchema = frozen({
  type: 'object',
  properties: { input: { type: 'string', description: 'The input to pass to the tool' } },
  required: ['input'],
})
const TEXT: JsonSchema = frozen({ type: 'string' })

/** A tool without a schema takes one string, and never refuses: arguments that cannot be read as `{ input }` are passed unchanged. */
export const stringInput: InputPort = {
  parameters: PARAMETERS,
  schema: TEXT,
  parsed: TEXT,
  isPrivate: true,
  accept: (input) => textOf(input),
  unwrap: ({ text, value }, toolName) => {
    const given = text === undefined ? value : parsed(text, toolName)
    const input = isRecord(given) && Object.hasOwn(given, 'input') ? given['input'] : undefined
    if (input === undefined || input === null) return text ?? textOf(value)
    return typeof input === 'string' ? input : (jsonOf(input) ?? text ?? toJsonText(input))
  },
}

function parsed(text: string, toolName: string): unknown {
  try {
    return parseArguments(text, toolName)
  } catch {
    return undefined
  }
}

/** Undefined where a value is nested too deeply to be written. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
