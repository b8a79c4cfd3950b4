import type { ModelMessage, ToolApprovalRequest, ToolApprovalResponse, ToolCallPart } from 'ai'
import { ownFields } from '../../tool/own-fields.ts'
import type { CallIdentity } from '../call-identity.ts'
import { isAbout } from './call-in-messages.ts'

/** What the end of a conversation says about a call. It comes from the client, and may be forged: it is a claim, not an approval. */
export type ApprovalClaim =
  | { readonly says: 'nothing' }
  | { readonly says: 'approved'; readonly requests: readonly ToolApprovalRequest[] }
  | { readonly says: 'denied'; readonly reason: string | undefined }

/**
 * Only a `true` of its own approves. Of several responses to one call, a denial wins, whichever of them the SDK picks, and so does a denial of the same
 * request in an earlier message.
 */
export function claimAbout({ toolCallId }: CallIdentity, messages: readonly ModelMessage[]): ApprovalClaim {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return { says: 'nothing' }
  const requests = requestsIn(messages).filter((each) => each.toolCallId === toolCallId)
  const ids = new Set(requests.map(({ approvalId }) => approvalId))
  const responses = last.content.filter((part): part is ToolApprovalResponse => isResponse(part) && ids.has(part.approvalId))
  const responded = new Set(responses.map(({ approvalId }) => approvalId))
  const denial = responsesIn(messages).find((each) => !approves(each) && responded.has(each.approvalId))
  if (denial !== undefined) return { says: 'denied', reason: denial.reason }
  return responses.length === 0
    ? { says: 'nothing' }
    : { says: 'approved', requests: requests.filter(({ approvalId }) => responded.has(approvalId)) }
}

/** The denial of a call by a person. */
interface Denial {
  /** The place of the message in the conversation. */
  readonly at: number
  readonly reason: string | undefined
}

/** The denials of a call in a conversation. Anything but `true` denies. */
export function denialsOf(identity: CallIdentity, messages: readonly ModelMessage[]): readonly Denial[] {
  const ids = new Set(approvalIdsOf(identity, messages))
  return messages.flatMap((message, at) => {
    if (message.role !== 'tool') return []
    return message.content.flatMap((part) =>
      isResponse(part) && !approves(part) && ids.has(part.approvalId) ? [{ at, reason: part.reason }] : [],
    )
  })
}

/** The requests that a conversation denies, and why. Anything but `true` denies. */
export function deniedRequests(
  messages: readonly ModelMessage[],
): readonly { readonly request: ToolApprovalRequest; readonly why: string | undefined }[] {
  const denials = responsesIn(messages).filter((each) => !approves(each))
  if (denials.length === 0) return []
  const reasons = new Map(denials.map(({ approvalId, reason }) => [approvalId, reason]))
  return requestsIn(messages).flatMap((request) =>
    reasons.has(request.approvalId) ? [{ request, why: reasons.get(request.approvalId) }] : [],
  )
}

/** The ids of the approvals that were asked for this call: of this tool with this input. */
function approvalIdsOf(identity: CallIdentity, messages: readonly ModelMessage[]): readonly string[] {
  const ids = new Set(
    assistantParts(messages).flatMap((part) =>
      part.type === 'tool-call' && isAbout(part as ToolCallPart, identity) ? [part.toolCallId] : [],
    ),
  )
  return requestsIn(messages).flatMap(({ approvalId, toolCallId }) => (ids.has(toolCallId) ? [approvalId] : []))
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
