import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { ownFields } from '../../tool/own-fields.ts'
import { reviewableJson } from '../../tool/reviewable-json.ts'
import type { ReviewRequest, Risk } from '../../tool/review.ts'

/** A keyword of the schema of a form: `_meta` of a form does not reach the other side in revision 2026-07-28. */
const KEYWORD = 'x-toolwright'

/** What a form of ours says of its request to a client of ours. Other clients do not look at it. */
export type FormMark =
  | {
      readonly kind: 'approval'
      /** That of the request. Only a decision that was made about this request, before its form came, is compared with it. */
      readonly id: string | undefined
      readonly tool: string
      readonly input: unknown
      readonly risk: Risk | undefined
    }
  | { readonly kind: 'question' }

/** The fields of the form of an approval. */
const APPROVAL_FIELDS = ['decision', 'input', 'reason'] as const
/** The decisions that it offers. */
export const DECISIONS = ['approve', 'reject', 'edit', 'stop'] as const

/** The input stands in the message too, and a message that is too long ends the connection: a longer one is not repeated. */
const LONGEST_INPUT = 1024 * 1024

/** The schema of a form with its mark. Without one, an approval is a question for a client of ours too. */
export function marked(form: JsonSchema, { id, kind, tool, input, risk }: ReviewRequest): JsonSchema {
  if (kind === 'question') return { ...form, [KEYWORD]: { kind } }
  const text = reviewableJson(input)
  if (text.length > LONGEST_INPUT) return form
  return { ...form, [KEYWORD]: { kind, id, tool, input: JSON.parse(text) as unknown, risk } }
}

/**
 * The mark of a form; undefined where it has none, or where its fields are not those of an approval. Any server can write one: it says how to show
 * the form, and gives it no right.
 */
export function markOf(form: unknown): FormMark | undefined {
  if (!isRecord(form)) return undefined
  const { [KEYWORD]: mark, properties } = ownFields(form)
  if (!isRecord(mark)) return undefined
  const { kind, id, tool, input, risk } = ownFields(mark)
  if (kind === 'question') return { kind }
  if (kind !== 'approval' || typeof tool !== 'string' || input === undefined || !isApproval(properties)) return undefined
  return {
    kind,
    id: typeof id === 'string' ? id : undefined,
    tool,
    input,
    risk: risk === 'low' || risk === 'medium' || risk === 'high' ? risk : undefined,
  }
}

function isApproval(properties: unknown): boolean {
  if (!isRecord(properties) || Object.keys(properties).toSorted().join() !== APPROVAL_FIELDS.join()) return false
  const { decision } = properties
  return isRecord(decision) && Array.isArray(decision['enum']) && decision['enum'].join() === DECISIONS.join()
}
