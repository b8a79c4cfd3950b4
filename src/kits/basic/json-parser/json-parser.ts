import type { AgentTool } from '../../../tool/agent-tool.ts'
import { jsonSchema } from '../../../tool/contract.ts'
import { isToolError } from '../../../tool/errors/tool-error.ts'
import type { ResultIssue } from '../../../tool/result/result.ts'
import { failure, type ReturnedSuccess, success } from '../../../tool/result/returned.ts'
import { tool } from '../../../tool/tool.ts'
import { Budget } from '../../../json/budget.ts'
import { evaluate } from '../../../json/jmespath/evaluate.ts'
import { parseJmespath } from '../../../json/jmespath/parse-jmespath.ts'
import type { Json } from '../../../json/json.ts'
import { parsePath } from './parse-path.ts'
import { readJson } from '../../../json/read-json.ts'
import { type Found, walkPath } from './walk-path.ts'
import { writeJson } from '../../../json/write-json.ts'

/** The input of `json_parser`. */
export interface JsonParserInput {
  /** Such as `results[0].title`; an expression where `language` says so. */
  readonly jsonPath: string
  /** A JSON text, or the value itself. */
  readonly json: unknown
  readonly language?: 'path' | 'jmespath' | undefined
}

const SCHEMA = {
  type: 'object',
  properties: {
    jsonPath: {
      type: 'string',
      description: "Where the value is: results[0].title, items[-1], items[*].name for all, ['a key'].b, items[1:3]; empty for the whole.",
    },
    json: {
      description: 'The JSON text, or the value itself.',
      anyOf: [
        { type: 'string' },
        { type: 'object' },
        { type: 'array', items: {} },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'null' },
      ],
    },
    language: {
      type: 'string',
      enum: ['path', 'jmespath'],
      default: 'path',
      description: "What jsonPath is written in: 'path' by default, or 'jmespath' for filters, sorting and new shapes.",
    },
  },
  required: ['jsonPath', 'json'],
} as const

/**
 * Makes the tool `json_parser`, which takes a value out of JSON by a path or by a JMESPath expression. A text is given as it is, anything else as JSON.
 * @example
 * const { text } = await jsonParser().call({ jsonPath: 'results[-1].title', json: '{"results":[{"title":"Otters"}]}' })
 * console.log(text) // Otters
 */
export function jsonParser(): AgentTool<JsonParserInput, unknown> {
  return tool({
    name: 'json_parser',
    description:
      'Takes a value out of JSON by its path, such as results[0].title. Use it to read one part of a large JSON instead of searching through it. ' +
      'With language "jmespath" it filters, sorts and reshapes too. Big numbers keep all their digits.',
    inputSchema: jsonSchema<JsonParserInput>(SCHEMA),
    effect: 'read',
    idempotent: true,
    tags: ['json'],
    estimates: { latencyMs: 1, p99Ms: 50, costUsd: 0 },
    async execute(input) {
      try {
        return await look(input)
      } catch (error) {
        if (isToolError(error)) return failure(error.message, error)
        throw error
      }
    },
  })
}

async function look({ jsonPath, json, language = 'path' }: JsonParserInput): Promise<ReturnedSuccess<unknown>> {
  // The value at a path is never larger than the JSON itself.
  const budget = new Budget(language === 'jmespath' ? undefined : Infinity)
  const read = typeof json === 'string' ? readJson(json) : { value: json as Json, warnings: [] }
  const found = language === 'jmespath' ? await searchJmespath(read.value, jsonPath, budget) : walkPath(read.value, parsePath(jsonPath))
  const { value, text, exactNumbers } = writeJson(found.value, budget)
  const issues = [
    ...[...read.warnings, ...found.warnings].map((message): ResultIssue => ({ severity: 'warning', message })),
    ...(exactNumbers === 0 ? [] : [keptDigits(exactNumbers)]),
  ]
  return success(value, { text, ...(issues.length === 0 ? {} : { issues }) })
}

function keptDigits(count: number): ResultIssue {
  const numbers = count === 1 ? '1 number is' : `${count} numbers are`
  return { severity: 'info', message: `${numbers} too long for JavaScript: in the value as a text, in the text with all digits.` }
}

/** Evaluates a JMESPath expression within a budget. */
async function searchJmespath(root: Json, expression: string, budget: Budget): Promise<Found> {
  const warnings = new Set<string>()
  const value = evaluate(await parseJmespath(expression), root, { budget, warnings })
  if (value === null) warnings.add('The expression came to null: what it names may not be there.')
  return { value, warnings: [...warnings] }
}
