import type { ModelMessage, ToolApprovalRequest, ToolApprovalResponse, ToolCallPart } from 'ai'
import { ownFields } from '../../tool/own-fields.ts'
import type { CallIdentity } from '../call-identity.ts'
import { isAbout } from './call-in-messages.ts'
import { requestsShown } from './shown-requests.ts'

/** What the end of a conversation says about a call. It comes from the client, and may be forged: it is a claim, not an approval. */
export type ApprovalClaim =
  | { readonly says: 'nothing' }
  | { readonly says: 'approved'; readonly requests: readonly ToolApprovalRequest[] }
  | { readonly says: 'denied'; readonly requests: readonly ToolApprovalRequest[]; readonly reason: string | undefined }

/**
 * Only a `true` of its own approves. Of several responses to one call, a denial wins, whichever of them the SDK picks, and so does a denial of the same
 * asking in an earlier message, under whatever approval id.
 */
export function claimAbout(identity: CallIdentity, messages: readonly ModelMessage[]): ApprovalClaim {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return { says: 'nothing' }
  const responded = new Set(last.content.filter(isResponse).map(({ approvalId }) => approvalId))
  const requests = requestsOf(identity, messages).filter(({ approvalId }) => responded.has(approvalId))
  if (requests.length === 0) return { says: 'nothing' }
  const ids = new Set(requests.map(({ approvalId }) => approvalId))
  const shown = new Set(requestsShown(requests))
  const isSame = (request: ToolApprovalRequest): boolean =>
    ids.has(request.approvalId) || requestsShown([request]).some((each) => shown.has(each))
  const denial = deniedRequests(messages).find(({ request }) => isSame(request))
  return denial === undefined ? { says: 'approved', requests } : { says: 'denied', requests, reason: denial.why }
}

/** The requests for approval of a call id in a conversation. */
export function requestsOf(
  { toolCallId }: Pick<CallIdentity, 'toolCallId'>,
  messages: readonly ModelMessage[],
): readonly ToolApprovalRequest[] {
  return requestsIn(messages).filter((each) => each.toolCallId === toolCallId)
}

/** The requests for this call, of this tool with this input, that a conversation denies. */
export function denialsOf(identity: CallIdentity, messages: readonly ModelMessage[]): readonly DeniedRequest[] {
  const denials = deniedRequests(messages).filter(({ request }) => request.toolCallId === identity.toolCallId)
  if (denials.length === 0) return denials
  const isCalled = assistantParts(messages).some((part) => part.type === 'tool-call' && isAbout(part as ToolCallPart, identity))
  return isCalled ? denials : []
}

/** A request that a conversation denies, and why. */
export interface DeniedRequest {
  readonly request: ToolApprovalRequest
  readonly why: string | undefined
}

/** The requests that a conversation denies, and why. Anything but `true` denies. */
export function deniedRequests(messages: readonly ModelMessage[]): readonly DeniedRequest[] {
  const denials = responsesIn(messages).filter((each) => !approves(each))
  if (denials.length === 0) return []
  const reasons = new Map(denials.map(({ approvalId, reason }) => [approvalId, reason]))
  return requestsIn(messages).flatMap((request) =>
    reasons.has(request.approvalId) ? [{ request, why: reasons.get(request.approvalId) }] : [],
  )
}

function requestsIn(messages: readonly ModelMessage[]): readonly ToolApprovalRequest[] {
  return assistantParts(messages).flatMap((part) => (part.type === 'tool-approval-request' ? [part] : []))
}

function responsesIn(messages: readonly ModelMessage[]): readonly ToolApprovalResponse[] {
  return messages.flatMap((message) => (message.role === 'tool' ? message.content.filter(isResponse) : []))
}

type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number]

function assistantParts(messages: readonly ModelMessage[]): readonly AssistantPart[] {
  return messages.flatMap(({ role, content }) => (role === 'assistant' && typeof content !== 'string' ? content : []))
}

/** What a response inherits approves nothing. */
function approves(response: ToolApprovalResponse): boolean {
  const { type, approvalId, approved } = ownFields(response)
  return type === response.type && approvalId === response.approvalId && approved === true
}

function isResponse(part: { readonly type: string }): part is ToolApprovalResponse {
  return part.type === 'tool-approval-response'
}
