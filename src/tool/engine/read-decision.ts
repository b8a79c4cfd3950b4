import { isRecord } from '../../schema/json-schema.ts'
import { privateCopy } from '../../schema/private-copy.ts'
import { asJudged, isJudged, isVouched } from '../deciders.ts'
import type { NoDecision, ReviewDecision, ReviewRequest } from '../review.ts'

const UNREADABLE: ReviewDecision = { action: 'reject', cause: 'unreachable', reason: 'The answer of the reviewer could not be read.' }

/** Reads the answer of a handler. Anything but a decision that fits the request is a rejection. The handler cannot change it afterwards. */
export function readDecision(given: unknown, request: ReviewRequest): ReviewDecision {
  if (!isRecord(given)) return UNREADABLE
  if (isJudged(given, request.id)) return asJudged(privateCopy(given) as unknown as ReviewDecision, request.id)
  const by = text(given, 'by')
  const identity = isVouched(given)
    ? ({ identity: 'authenticated' } as const)
    : by.by === undefined
      ? {}
      : ({ identity: 'claimed' } as const)
  const reviewed = { ...by, ...identity, ...text(given, 'note') }
  switch (given['action']) {
    case 'continue':
      return request.kind === 'approval' ? { action: 'continue', ...reviewed } : UNREADABLE
    case 'edit':
      if (request.kind !== 'approval') return UNREADABLE
      if ('input' in given) return { action: 'edit', input: privateCopy(given['input']), ...reviewed }
      return 'patch' in given ? { action: 'edit', patch: privateCopy(given['patch']), ...reviewed } : UNREADABLE
    case 'answer':
      return request.kind === 'question' && 'value' in given
        ? { action: 'answer', value: privateCopy(given['value']), ...reviewed }
        : UNREADABLE
    case 'reject':
      return { action: 'reject', ...text(given, 'reason'), ...cause(given), ...reviewed }
    case 'stop':
      return { action: 'stop', ...text(given, 'reason'), ...cause(given), ...reviewed }
    default:
      return UNREADABLE
  }
}

function text<K extends string>(given: Record<string, unknown>, key: K): { [P in K]?: string } {
  const value = given[key]
  return typeof value === 'string' ? ({ [key]: value } as { [P in K]?: string }) : {}
}

function cause({ cause: given }: Record<string, unknown>): { readonly cause?: NoDecision } {
  return given === 'timed_out' || given === 'unreachable' ? { cause: given } : {}
}
