import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { isRecord } from '../../schema/json-schema.ts'
import { toJsonText } from '../../schema/quote.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { answerForm, answerIn } from './answer-form.ts'

/** A form for a person: why, what, and fields for the decision. Forms of the protocol are flat: an input to edit is a field of JSON text. */
export function elicitationOf(request: ReviewRequest): ElicitRequestFormParams {
  const { why, tool, input, risk, answerSchema } = request
  return {
    message: answerSchema === undefined ? `${why}\n\n${tool}(${toJsonText(input)})\nRisk: ${risk}` : `${why}\n\nAsked by ${tool}.`,
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
    reason: { type: 'string', title: 'Reason', description: 'What the agent is told.' },
  },
  required: ['decision'],
}

/** What a person filled in. Whatever is not clearly a decision is a rejection. */
export function decisionOf(request: ReviewRequest, response: unknown): ReviewDecision {
  if (!isRecord(response)) return rejected('The client gave no answer.')
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

/** A text is edited as it stands, anything else as JSON: an object holds the fields that change. */
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
