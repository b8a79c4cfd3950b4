import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { isRecord, type JsonSchema } from '../../tool/schema/json-schema.ts'
import { toJsonText } from '../../tool/text-of.ts'

/** A form for a person: why, what, and fields for the decision. Forms of the protocol are flat: an input to edit is a field of JSON text. */
export function elicitationOf(request: ReviewRequest): ElicitRequestFormParams {
  return {
    message: `${request.why}\n\n${request.tool}(${toJsonText(request.input)})\nRisk: ${request.risk}`,
    requestedSchema: (request.answerSchema === undefined
      ? APPROVAL
      : answerForm(request.answerSchema)) as ElicitRequestFormParams['requestedSchema'],
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
    reason: { type: 'string', title: 'Reason', description: 'What the agent is told.' },
  },
  required: ['decision'],
}

const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

/** A flat answer is asked for field by field, a single value as one field, anything else as JSON text. */
function answerForm(schema: JsonSchema): JsonSchema {
  if (isFlat(schema)) return schema
  if (PRIMITIVES.has(schema['type'])) return { type: 'object', properties: { answer: schema }, required: ['answer'] }
  return {
    type: 'object',
    properties: { answer: { type: 'string', title: 'Answer', description: `As JSON that fits ${toJsonText(schema)}` } },
    required: ['answer'],
  }
}

function isFlat({ type, properties }: JsonSchema): boolean {
  return (
    type === 'object' && isRecord(properties) && Object.values(properties).every((each) => isRecord(each) && PRIMITIVES.has(each['type']))
  )
}

/** What a person filled in. Whatever is not clearly a decision is a rejection. */
export function decisionOf(request: ReviewRequest, response: unknown): ReviewDecision {
  if (!isRecord(response)) return rejected('The client gave no answer.')
  const { action, content } = response
  if (action === 'decline') return rejected('The reviewer declined.')
  if (action !== 'accept') return rejected('The reviewer dismissed the request.')
  const fields = isRecord(content) ? content : {}
  return request.answerSchema === undefined ? approvalOf(request, fields) : answerOf(request.answerSchema, fields)
}

function approvalOf(request: ReviewRequest, { decision, input, reason }: Readonly<Record<string, unknown>>): ReviewDecision {
  const said = typeof reason === 'string' && reason !== '' ? reason : undefined
  if (decision === 'approve') return { action: 'continue', note: said }
  if (decision === 'stop') return { action: 'stop', reason: said }
  return decision === 'edit' ? editOf(request, input) : { action: 'reject', reason: said }
}

/** A text is edited as it stands, anything else as JSON: an object holds the fields that change. */
function editOf(request: ReviewRequest, input: unknown): ReviewDecision {
  if (typeof input !== 'string') return rejected('The edited input is missing.')
  if (typeof request.input === 'string') return { action: 'edit', input }
  const edited = parsed(input)
  if (edited === undefined) return rejected('The edited input is not valid JSON.')
  return isRecord(edited) ? { action: 'edit', patch: edited } : { action: 'edit', input: edited }
}

function answerOf(schema: JsonSchema, fields: Readonly<Record<string, unknown>>): ReviewDecision {
  if (isFlat(schema)) return { action: 'answer', value: fields }
  const { answer } = fields
  if (PRIMITIVES.has(schema['type'])) return { action: 'answer', value: answer }
  const value = typeof answer === 'string' ? parsed(answer) : undefined
  return value === undefined ? rejected('The answer is not valid JSON.') : { action: 'answer', value }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function rejected(reason: string): ReviewDecision {
  return { action: 'reject', reason }
}
