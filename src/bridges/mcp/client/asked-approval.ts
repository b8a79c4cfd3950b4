import type { ElicitResult } from '@modelcontextprotocol/client'
import { fenced } from '../../../review/describe-request.ts'
import { isRecord, isSameJson } from '../../../schema/json-schema.ts'
import { toJsonText } from '../../../schema/quote.ts'
import type { ReviewAnswer, ReviewQuestion } from '../../../tool/review.ts'
import type { FormMark } from '../form-mark.ts'
import { readableText } from './readable-text.ts'

type Marked = Extract<FormMark, { readonly kind: 'approval' }>

/** The content of a filled form, or why the form cannot say what was decided. */
type Filled = { readonly content: NonNullable<ElicitResult['content']> } | { readonly problem: string }

/**
 * The approval that a server asks for, as a review here. The words of the server stand behind a bar, all of them: none of its lines can pass for one
 * of ours or of another server, and nobody approves what they have not seen. Its word can make the risk higher, and not lower.
 */
export function askedApproval(server: string, message: string, { input, risk }: Marked): Pick<ReviewQuestion, 'why' | 'input' | 'risk'> {
  const text = fenced(readableText(message, message.length).trim()).trimEnd()
  return { why: `MCP server '${server}' asks for an approval:\n${text}`, input, ...(risk === 'high' ? { risk } : {}) }
}

/** The form as it is filled for an approval or an edit. */
export function filledForm(decision: ReviewAnswer<'throw', 'return'>, { input }: Pick<Marked, 'input'>): Filled {
  if (decision.action === 'continue') return { content: { decision: 'approve', ...reason(decision.note) } }
  const change = 'patch' in decision ? changeBy(decision.patch, input) : changeTo(decision.input, input)
  return 'problem' in change ? change : { content: { decision: 'edit', input: change.text } }
}

/** The same for a rejection and for a stop. */
export function refusedForm(decision: 'reject' | 'stop', said: string | undefined): NonNullable<ElicitResult['content']> {
  return { decision, ...reason(said) }
}

function reason(said: string | undefined): { readonly reason?: string } {
  return said === undefined || said === '' ? {} : { reason: said }
}

type Change = { readonly text: string } | { readonly problem: string }

/** A text is edited as text, an object by the fields that change, all else as a whole: as the form says. */
function changeBy(patch: unknown, input: unknown): Change {
  if (isRecord(input) && !isRecord(patch)) return { problem: 'A patch of this input is an object with the fields to change.' }
  return textOf(patch, input)
}

function changeTo(edited: unknown, input: unknown): Change {
  if (!isRecord(input)) return textOf(edited, input)
  if (!isRecord(edited)) return { problem: 'The edited input must be an object, as the shown one is.' }
  const nulls: string[] = []
  const patch = patchBetween(input, edited, (field) => nulls.push(field))
  if (nulls.length > 0) return { problem: `The form cannot set a field to null: ${nulls.slice(0, 5).join(', ')}.` }
  return textOf(patch, input)
}

function textOf(change: unknown, input: unknown): Change {
  if (typeof input !== 'string') return { text: toJsonText(change) }
  return typeof change === 'string' ? { text: change } : { problem: 'The edited input must be a text, as the shown one is.' }
}

/** The merge patch that makes one object of another. In a patch null removes a field, so that it cannot set one to null. */
function patchBetween(
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
  onNull: (field: string) => void,
): Readonly<Record<string, unknown>> {
  const removed = Object.keys(from).flatMap((name) => (Object.hasOwn(to, name) ? [] : [[name, null] as const]))
  const changed = Object.entries(to).flatMap(([name, value]): (readonly [string, unknown])[] => {
    const before = Object.hasOwn(from, name) ? from[name] : undefined
    if (isSameJson(before, value)) return []
    if (value === null) onNull(name)
    if (!isRecord(value)) return [[name, value]]
    return [[name, patchBetween(isRecord(before) ? before : {}, value, (field) => onNull(`${name}.${field}`))]]
  })
  return Object.fromEntries([...removed, ...changed])
}
