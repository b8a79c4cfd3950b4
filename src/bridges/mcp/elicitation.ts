import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { toJsonText } from '../../schema/quote.ts'
import { describeRequest } from '../../review/describe-request.ts'
import { inRows } from '../../review/in-rows.ts'
import { ownFields } from '../../tool/own-fields.ts'
import { printable } from '../../tool/printable.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { namelessVotes } from '../votes-text.ts'
import { DECISIONS, marked } from './form-mark.ts'

/**
 * A form for a person: the request as a console shows it, so that no text of a model can pass for a line of ours, and fields for the decision.
 * Forms of the protocol are flat: an input to edit is a field of JSON text. `problem` says why the last form did not count.
 */
export function elicitation(request: ReviewRequest, problem?: string): ElicitRequestFormParams {
  const { answerSchema } = request
  return {
    // No line of ours is broken into rows behind a bar: that is for the texts of others.
    message: `${inRows(
      `${problem === undefined ? '' : `Your last answer does not count: ${printable(problem)}\n\n`}${describeRequest(request).trim()}`,
      undefined,
    )}${votesLine(request)}`,
    requestedSchema: marked(
      answerSchema === undefined ? approvalForm(request) : answerForm(answerSchema),
      request,
    ) as ElicitRequestFormParams['requestedSchema'],
  }
}

/** It stands below all text of a tool or a model, each line of which is behind a bar. */
function votesLine(request: ReviewRequest): string {
  const votes = namelessVotes(request, 'this form')
  return votes === '' ? '' : `\n${votes}`
}

const DECIDES = 'approve: run it. reject: do not, and let the agent go on. edit: run it with the change below. stop: end the whole run.'
const NO_VOTE =
  'approve, edit: no vote, since a form names nobody; nothing runs. reject: do not run it, and let the agent go on. stop: end the whole run.'

function approvalForm({ input, deciders }: ReviewRequest): JsonSchema {
  return {
    type: 'object',
    properties: {
      decision: {
        type: 'string',
        title: 'Decision',
        enum: DECISIONS,
        description: deciders === undefined ? DECIDES : NO_VOTE,
      },
      input: { type: 'string', title: 'Edited input', description: `For edit: ${editText(input)}` },
      reason: { type: 'string', title: 'Reason', description: 'The reason that the agent reads.' },
    },
    required: ['decision'],
  }
}

/** It must say what `editOf` does. */
function editText(input: unknown): string {
  if (typeof input === 'string') return 'the whole new text.'
  if (!isRecord(input)) return 'the whole new input, as JSON.'
  return 'the fields to change, as JSON. Fields that you leave out stay as they are, and null removes a field.'
}

/**
 * The decision in a filled form, of which only the own fields count. Only `decline` and a filled form are words of a person: after anything else nobody has decided, so that nothing runs, and
 * a durable request stays open.
 */
export function decisionOf(request: ReviewRequest, response: unknown): ReviewDecision {
  if (!isRecord(response)) return undecided('The client gave no answer.')
  const { action, content } = ownFields(response)
  const fields = ownFields(isRecord(content) ? content : {})
  // Only a client of ours gives a reason with it.
  if (action === 'decline') return rejected(reasonIn(fields))
  if (action !== 'accept') return undecided(DISMISSED)
  if (request.answerSchema === undefined) return approvalOf(request, fields)
  const value = answerIn(request.answerSchema, fields)
  return value === undefined ? undecided('The answer is missing or is not valid JSON.') : { action: 'answer', value }
}

const DISMISSED = 'The client dismissed the form: nobody there has decided.'

function reasonIn({ reason }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

function approvalOf(request: ReviewRequest, fields: Readonly<Record<string, unknown>>): ReviewDecision {
  const { decision, input } = fields
  const said = reasonIn(fields)
  if (decision === 'approve') return { action: 'continue', note: said }
  if (decision === 'stop') return { action: 'stop', reason: said }
  if (decision === 'edit') return editOf(request, input)
  return decision === 'reject' ? rejected(said) : undecided('The form came back without a decision.')
}

/** A text is edited as text, any other input as JSON. An object holds the fields that change: a field that it lacks keeps its value. */
function editOf(request: ReviewRequest, input: unknown): ReviewDecision {
  if (typeof input !== 'string') return undecided('The edited input is missing.')
  if (typeof request.input === 'string') return { action: 'edit', input }
  try {
    const edited: unknown = JSON.parse(input)
    return isRecord(edited) ? { action: 'edit', patch: edited } : { action: 'edit', input: edited }
  } catch {
    return undecided('The edited input is not valid JSON.')
  }
}

export function undecided(reason: string): ReviewDecision {
  return { action: 'reject', cause: 'unreachable', reason }
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
  if (fieldsOf(schema) !== undefined) return { ...content }
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
  // The client shows a name that has no title, and sends it back as it is: a name that cannot be shown has no field.
  const fields = Object.entries(properties).map(([name, schema]) => [name, isShowable(name) ? formField(schema) : undefined] as const)
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
      return listField(schema)
    default:
      return undefined
  }
}

function textField(schema: JsonSchema): JsonSchema {
  const choices = choicesIn(schema, 'oneOf')
  if (choices === undefined)
    return picked(schema, ['minLength', 'maxLength', 'default', ...(FORMATS.has(schema['format']) ? ['format'] : [])])
  return {
    ...picked(schema, []),
    ...offered(choices, Array.isArray(schema['enumNames']) ? 'enumNames' : 'oneOf'),
    ...chosen(schema, choices),
  }
}

/** Several of a list: of texts, or of texts with titles. */
function listField(schema: JsonSchema): JsonSchema | undefined {
  const { items } = schema
  const choices = isRecord(items) ? choicesIn(items, 'anyOf') : undefined
  if (choices === undefined) return undefined
  const offer = offered(choices, 'anyOf')
  return {
    ...picked(schema, ['minItems', 'maxItems']),
    items: 'enum' in offer ? { type: 'string', ...offer } : offer,
    ...chosen(schema, choices),
  }
}

/** The labels may hold text of a model, as where a tool offers choices that it has found. */
function picked(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  const labels = (['title', 'description'] as const).flatMap((label) => {
    const text = schema[label]
    return typeof text === 'string' ? [[label, printable(text)] as const] : []
  })
  const others = keywords.filter((keyword) => Object.hasOwn(schema, keyword) && isShowable(schema[keyword]))
  return { type: schema['type'], ...Object.fromEntries(labels), ...Object.fromEntries(others.map((keyword) => [keyword, schema[keyword]])) }
}

/** A person must see a value as it is before they send it. */
function isShowable(value: unknown): boolean {
  return typeof value !== 'string' || printable(value) === value
}

interface Choice {
  readonly value: string
  /** Undefined where the value itself is shown. */
  readonly title?: string | undefined
}

/** The texts that a schema offers; undefined where it takes others too. */
function choicesIn(schema: JsonSchema, titledBy: 'oneOf' | 'anyOf'): readonly Choice[] | undefined {
  const { const: only, enum: values, enumNames: names, [titledBy]: titled } = schema
  if (typeof only === 'string') return [{ value: only }]
  if (schema['type'] === 'string' && isListOf(values, isText))
    return values.map((value, at) => ({ value, title: Array.isArray(names) && typeof names[at] === 'string' ? names[at] : undefined }))
  return isListOf(titled, isTitled) ? titled.map(({ const: value, title }) => ({ value, title })) : undefined
}

/** A choice is sent back as it is. One that cannot be shown so has a title. `enumNames` are the older form of titles. */
function offered(choices: readonly Choice[], titledBy: 'oneOf' | 'anyOf' | 'enumNames'): JsonSchema {
  const values = choices.map(({ value }) => value)
  if (choices.every(({ value, title }) => title === undefined && isShowable(value))) return { enum: values }
  if (titledBy === 'enumNames') return { enum: values, enumNames: choices.map(({ value, title = value }) => printable(title)) }
  return { [titledBy]: choices.map(({ value, title = value }) => ({ const: value, title: printable(title) })) }
}

function chosen({ default: given }: JsonSchema, choices: readonly Choice[]): JsonSchema {
  const isOffered = [given].flat().every((each) => choices.some(({ value }) => value === each))
  return given !== undefined && isOffered ? { default: given } : {}
}

function isListOf<T>(value: unknown, is: (each: unknown) => each is T): value is readonly T[] {
  return Array.isArray(value) && value.length > 0 && value.every(is)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTitled(value: unknown): value is { readonly const: string; readonly title: string } {
  return isRecord(value) && typeof value['const'] === 'string' && typeof value['title'] === 'string'
}
