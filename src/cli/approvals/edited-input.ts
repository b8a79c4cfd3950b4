import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../schema/json-schema.ts'
import type { InputChange } from '../../review/inbox.ts'
import { jsonProblem } from '../../tool/input/json-problem.ts'
import { jsonText } from '../output.ts'

/** The text that a person gets to change. */
export interface EditableInput {
  readonly text: string
  /** The change that a text says; undefined if it says none. Throws an error that says why it cannot be read. */
  readonly changeIn: (text: string) => InputChange | undefined
}

const WHOLE = ['The whole input, as JSON. Masked fields keep their true values if they are left as they are.']
const FIELDS = ['The fields to change, as JSON: {"field": "new value"}. null removes a field.']
const ALL = ['Save and leave to see the change before it counts. Lines that begin with // are ignored, and an empty text changes nothing.']

/**
 * An input as a text to edit: all of it, or, if JSON cannot hold it exactly, an empty patch beside it. `problems` says what was wrong with the
 * text before, and `before` is that text.
 */
export function editableInput(input: unknown): EditableInput {
  const isWhole = isJson(input)
  const shown = jsonText(input ?? null, 2)
  const comments = [...(isWhole ? WHOLE : [...FIELDS, 'The input is:', ...shown.split('\n')]), ...ALL]
  const start = isWhole ? shown : '{}'
  return {
    text: withComments(start, comments),
    changeIn: (text) => {
      const json = withoutComments(text)
      if (json.trim() === '') return undefined
      const value = parsed(json)
      if (isWhole) return isDeepStrictEqual(value, input) ? undefined : { input: value }
      return isRecord(value) && Object.keys(value).length === 0 ? undefined : { patch: value }
    },
  }
}

/** The text of a person once more, with the reason why it was not taken above it. */
export function withProblem(text: string, problem: string): string {
  const before = text.split('\n').filter((line) => !line.startsWith(PROBLEM))
  return [...problem.split('\n').map((line) => `${PROBLEM} ${line}`), ...before].join('\n')
}

const PROBLEM = '//!'

function withComments(text: string, comments: readonly string[]): string {
  return `${comments.map((line) => `// ${line}`).join('\n')}\n${text}\n`
}

/** No line inside of a JSON text begins with two strokes: texts in it have no line breaks. */
function withoutComments(text: string): string {
  return text
    .split(/\r?\n/)
    .filter((line) => !line.trimStart().startsWith('//'))
    .join('\n')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch (error) {
    throw new Error(`This is not valid JSON. ${jsonProblem(json, error)}.`, { cause: error })
  }
}

function isJson(value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)
  } catch {
    return false
  }
}
