import { answerIssues } from '../../review/answer-issues.ts'
import { editIssues } from '../../review/edit-issues.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { ownFields } from '../../tool/own-fields.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { decisionOf, undecided } from './elicitation.ts'

/** The decision in a filled form, or why it does not count. */
type HeardForm = { readonly decision: ReviewDecision } | { readonly problem: string }

/** How often a person is asked who fills a form in a way that does not count. */
export const MOST_FORMS = 3

/** The forms of one request in memory. A person who makes a mistake is told, and asked again; after several, nobody has decided. */
export class FormsOf {
  readonly #request: ReviewRequest
  #filled = 0
  /** Why the last form does not count. */
  problem: string | undefined

  constructor(request: ReviewRequest) {
    this.#request = request
  }

  /** The decision in an answer of the client; undefined where the person is to be asked again. */
  async heard(response: unknown): Promise<ReviewDecision | undefined> {
    const heard = await heardForm(this.#request, response)
    if ('decision' in heard) return heard.decision
    this.problem = heard.problem
    this.#filled++
    return this.#filled < MOST_FORMS ? undefined : undecided(`The form was filled ${MOST_FORMS} times without a decision: ${heard.problem}`)
  }
}

/** What a filled form says. One that was dismissed is a decision of nobody. */
export async function heardForm(request: ReviewRequest, response: unknown): Promise<HeardForm> {
  const decision = decisionOf(request, response)
  const isFilled = isRecord(response) && ownFields(response)['action'] === 'accept'
  // A form that was dismissed is not shown again.
  if (isFilled && decision.action === 'reject' && decision.cause !== undefined) return { problem: decision.reason ?? 'It says nothing.' }
  const problem = await misfitOf(request, decision)
  return problem === undefined ? { decision } : { problem }
}

async function misfitOf(request: ReviewRequest, decision: ReviewDecision): Promise<string | undefined> {
  if (decision.action === 'answer' && request.answerSchema !== undefined) return answerIssues(decision.value, request.answerSchema)
  const issues = decision.action === 'edit' ? await editIssues(request, decision) : undefined
  return issues === undefined ? undefined : `The edit does not fit: ${issues}`
}
