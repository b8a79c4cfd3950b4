import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { toJsonText } from '../../schema/quote.ts'
import { describeRequest } from '../../review/describe-request.ts'
import { printable } from '../../tool/printable.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'

/**
 * A form for a person: the request as a console shows it, so that no text of a model can pass for a line of ours, and fields for the decision.
 * Forms of the protocol are flat: an input to edit is a field of JSON text.
 */
export function elicitation(request: ReviewRequest): ElicitRequestFormParams {
  const { answerSchema } = request
  return {
    message: describeRequest(request).trim(),
    requestedSchema: (answerSchema === undefined ? APPROVAL : answerForm(answerSchema)) as ElicitRequestFormParams['requestedSchema'],
  }
}

const APPROVAL = {
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'Decision',
      enum: ['approve', 'reject', 'edit', 'stop'],
      description: 'approve: run it. reject: do not, and let the agent go on. edit: run it with the input below. stop: end the whole run.',
    },
    input: { type: 'string', title: 'Edited input', description: 'For edit: the whole input, or the fields to change, as JSON.' },
    reason: { type: 'string', title: 'Reason', description: 'The reason that the agent reads.' },
  },
  required: ['decision'],
}

/** The decision in a filled form. Anything that is not clearly a decision is a rejection. */
export function decisionOf(request: ReviewRequest, response: unknown): ReviewDecision {
  if (!isRecord(response)) return { action: 'reject', cause: 'unreachable', reason: 'The client gave no answer.' }
  const { action, content } = response
  if (action === 'decline') return rejected('The reviewer declined.')
  if (action !== 'accept') return rejected('The reviewer dismissed the request.')
  const fields = isRecord(content) ? content : {}
  if (request.answerSchema === undefined) return approvalOf(request, fields)
  const value = answerIn(request.answerSchema, fields)
  return value === undefined ? rejected('The answer is missing or is not valid JSON.') : { action: 'answer', value }
}

function approvalOf(request: ReviewRequest, { decision, input, reason }: Readonly<Record<string, unknown>>): ReviewDecision {
  const said = typeof reason === 'string' && reason !== '' ? reason : undefined
  if (decision === 'approve') return { action: 'continue', note: said }
  if (decision === 'stop') return { action: 'stop', reason: said }
  if (decision === 'edit') return editOf(request, input)
  return rejected(decision === 'reject' ? said : 'The form came back without a decision.')
}

/** A text is edited as text, any other input as JSON: an object holds the fields that change. */
function editOf(request: ReviewRequest, input: unknown): ReviewDecision {
  if (typeof input !== 'string') return rejected('The edited input is missing.')
  if (typeof request.input === 'string') return { action: 'edit', input }
  try {
    const edited: unknown = JSON.parse(input)
    return isRecord(edited) ? { action: 'edit', patch: edited } : { action: 'edit', input: edited }
  } catch {
    return rejected('The edited input is not valid JSON.')
  }
}

function rejected(reason: string | undefined): ReviewDecision {
  return { action: 'reject', reason }
}

/** The form for an answer: a flat object field by field, a single value as one field, anything else as JSON text. */
function answerForm(schema: JsonSchema): JsonSchema {
  const fields = fieldsOf(schema)
  if (fields !== undefined) return { type: 'object', properties: fields, required: requiredOf(schema) }
  const description = printable(`As JSON that fits ${toJsonText(schema)}`)
  return {
    type: 'object',
    properties: { answer: formField(schema) ?? { type: 'string', title: 'Answer', description } },
    required: ['answer'],
  }
}

/** The answer that a form holds; undefined where it holds none. */
function answerIn(schema: JsonSchema, content: Readonly<Record<string, unknown>>): unknown {
  if (fieldsOf(schema) !== undefined) return content
  const { answer } = content
  if (formField(schema) !== undefined) return answer
  try {
    return typeof answer === 'string' ? (JSON.parse(answer) as unknown) : undefined
  } catch {
    return undefined
  }
}

function fieldsOf({ type, properties }: JsonSchema): JsonSchema | undefined {
  if (type !== 'object' || !isRecord(properties)) return undefined
  const fields = Object.entries(properties).map(([name, schema]) => [name, formField(schema)] as const)
  return fields.every(([, field]) => field !== undefined) ? Object.fromEntries(fields) : undefined
}

function requiredOf({ required }: JsonSchema): readonly unknown[] {
  return Array.isArray(required) ? required : []
}

const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

/** The field of a form that asks for a value: what the protocol knows of its schema. Undefined where a form has no such field. The answer is validated by the whole schema. */
function formField(schema: unknown): JsonSchema | undefined {
  if (!isRecord(schema)) return undefined
  switch (schema['type']) {
    case 'boolean':
      return picked(schema, ['default'])
    case 'number':
    case 'integer':
      return picked(schema, ['minimum', 'maximum', 'default'])
    case 'string':
      return textField(schema)
    case 'array':
      return isChoice(schema['items']) ? picked(schema, ['minItems', 'maxItems', 'items', 'default']) : undefined
    default:
      return undefined
  }
}

function textField(schema: JsonSchema): JsonSchema {
  if (typeof schema['const'] === 'string') return { ...picked(schema, []), enum: [schema['const']] }
  if (isListOf(schema['enum'], isText)) return picked(schema, ['enum', 'enumNames', 'default'])
  if (isListOf(schema['oneOf'], isTitled)) return picked(schema, ['oneOf', 'default'])
  return picked(schema, ['minLength', 'maxLength', 'default', ...(FORMATS.has(schema['format']) ? ['format'] : [])])
}

function picked(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(
    ['type', 'title', 'description', ...keywords]
      .filter((keyword) => Object.hasOwn(schema, keyword))
      .map((keyword) => [keyword, LABELS.has(keyword) ? labelOf(schema[keyword]) : schema[keyword]]),
  )
}

/** The keywords that only a person reads. They may hold text of a model, as where a tool offers choices that it has found. */
const LABELS: ReadonlySet<string> = new Set(['title', 'description', 'enumNames'])

function labelOf(label: unknown): unknown {
  if (Array.isArray(label)) return label.map(labelOf)
  return typeof label === 'string' ? printable(label) : label
}

/** Several of a list: of texts, or of texts with titles. */
function isChoice(items: unknown): boolean {
  return isRecord(items) && ((items['type'] === 'string' && isListOf(items['enum'], isText)) || isListOf(items['anyOf'], isTitled))
}

function isListOf(value: unknown, is: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(is)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTitled(value: unknown): boolean {
  return isRecord(value) && typeof value['const'] === 'string' && typeof value['title'] === 'string'
}
