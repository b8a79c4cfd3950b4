import { isRecord } from '../../schema/json-schema.ts'
import { privateCopy } from '../../schema/private-copy.ts'
import { quote } from '../../schema/quote.ts'
import { asJudged, isJudged, isVouched } from '../deciders.ts'
import { ownFields } from '../own-fields.ts'
import type { NoDecision, ReviewDecision, ReviewRequest } from '../review.ts'

/** An answer that is no decision about such a request: a rejection that says how to give one. */
function unreadable(given: unknown, { kind }: ReviewRequest): ReviewDecision {
  const [fitting, form] =
    kind === 'approval'
      ? ["'continue', 'edit' with an input or a patch, 'reject' or 'stop'", "{ action: 'continue' }"]
      : ["'answer' with a value, 'reject' or 'stop'", "{ action: 'answer', value }"]
  const action = isRecord(given) ? given['action'] : undefined
  const what =
    action === undefined ? 'names no action' : `has the action ${quote(action)} ${kind === 'approval' ? 'on an approval' : 'on a question'}`
  const reason = `The answer of the reviewer could not be read: it ${what}. Give ${fitting}, such as ${form}.`
  return { action: 'reject', cause: 'unreachable', reason }
}

/**
 * Reads the answer of a handler. Anything but a decision that fits the request is a rejection. The handler cannot change it afterwards. Only
 * the answer's own fields count.
 */
export function readDecision(answer: unknown, request: ReviewRequest): ReviewDecision {
  if (!isRecord(answer)) return unreadable(answer, request)
  if (isJudged(answer, request.id)) return asJudged(privateCopy(answer) as unknown as ReviewDecision, request.id)
  const given = ownFields(answer)
  const by = text(given, 'by')
  const identity = isVouched(answer)
    ? ({ identity: 'authenticated' } as const)
    : by.by === undefined
      ? {}
      : ({ identity: 'claimed' } as const)
  const reviewed = { ...by, ...identity, ...text(given, 'note') }
  switch (given['action']) {
    case 'continue':
      return request.kind === 'approval' ? { action: 'continue', ...reviewed } : unreadable(given, request)
    case 'edit':
      if (request.kind !== 'approval') return unreadable(given, request)
      if ('input' in given) return { action: 'edit', input: privateCopy(given['input']), ...reviewed }
      return 'patch' in given ? { action: 'edit', patch: privateCopy(given['patch']), ...reviewed } : unreadable(given, request)
    case 'answer':
      return request.kind === 'question' && 'value' in given
        ? { action: 'answer', value: privateCopy(given['value']), ...reviewed }
        : unreadable(given, request)
    case 'reject':
      return { action: 'reject', ...text(given, 'reason'), ...cause(given), ...reviewed }
    case 'stop':
      return { action: 'stop', ...text(given, 'reason'), ...cause(given), ...reviewed }
    default:
      return unreadable(given, request)
  }
}

function text<K extends string>(given: Record<string, unknown>, key: K): { [P in K]?: string } {
  const value = given[key]
  return typeof value === 'string' ? ({ [key]: value } as { [P in K]?: string }) : {}
}

function cause({ cause: given }: Record<string, unknown>): { readonly cause?: NoDecision } {
  return given === 'timed_out' || given === 'unreachable' ? { cause: given } : {}
}
