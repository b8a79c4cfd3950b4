import type { ModelMessage, ToolCallPart } from 'ai'
import { toJsonText } from '../../schema/quote.ts'
import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import { digest, hashOf } from '../../tool/journal/hash.ts'

interface CallSubject {
  readonly tool: AgentTool
  /** What the model calls it. */
  readonly name: string
  readonly input: unknown
  readonly toolCallId: string
}

/** The identity of one call of a model, in a conversation of one principal. */
export interface CallIdentity extends CallSubject {
  readonly owner: string
  readonly inputHash: string
  /** Of this call. */
  readonly key: string
  /** Of every call of this tool with this input: an approval is bound to it. */
  readonly binding: string
}

/** Ids of calls are unique in a conversation at best: whose call it is, which tool and what input belong to its key. */
export function callIdentity(subject: CallSubject, { principal, session }: Pick<CallOptions, 'principal' | 'session'>): CallIdentity {
  const owner = JSON.stringify([principal?.id, session])
  const inputHash = hashOfInput(subject.input)
  const binding = digest([owner, subject.name, identityOf(subject.tool), inputHash].join('\n'))
  return { ...subject, owner, inputHash, binding, key: digest(`${binding}\n${subject.toolCallId}`) }
}

function hashOfInput(input: unknown): string {
  try {
    return hashOf(input)
  } catch {
    return digest(toJsonText(input))
  }
}

/** The denial of a call by a person. */
interface Denial {
  /** The place of the message in the conversation. */
  readonly at: number
  readonly call: ToolCallPart
  readonly reason: string | undefined
}

/** Whether the conversation ends with the approval of this call: of this tool with this input, so that the SDK now executes it. */
export function isApprovedIn(messages: readonly ModelMessage[], identity: CallIdentity): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return false
  const calls = callsByApproval(messages)
  return last.content.some((part) => {
    if (part.type !== 'tool-approval-response' || !part.approved) return false
    const call = calls.get(part.approvalId)
    return call !== undefined && isAbout(call, identity)
  })
}

/** Whether a call in a conversation is this one. */
export function isAbout(call: ToolCallPart, { toolCallId, name, inputHash }: CallIdentity): boolean {
  return call.toolCallId === toolCallId && call.toolName === name && hashOfInput(call.input) === inputHash
}

/** The calls that were denied in a conversation. */
export function denialsIn(messages: readonly ModelMessage[]): readonly Denial[] {
  const calls = callsByApproval(messages)
  return messages.flatMap((message, at) => {
    if (message.role !== 'tool') return []
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-approval-response' || part.approved) return []
      const call = calls.get(part.approvalId)
      return call === undefined ? [] : [{ at, call, reason: part.reason }]
    })
  })
}

function callsByApproval(messages: readonly ModelMessage[]): ReadonlyMap<string, ToolCallPart> {
  const calls = new Map<string, ToolCallPart>()
  const approvals = new Map<string, ToolCallPart>()
  for (const { role, content } of messages) {
    if (role !== 'assistant' || typeof content === 'string') continue
    for (const part of content) if (part.type === 'tool-call') calls.set(part.toolCallId, part)
    for (const part of content) {
      const call = part.type === 'tool-approval-request' ? calls.get(part.toolCallId) : undefined
      if (part.type === 'tool-approval-request' && call !== undefined) approvals.set(part.approvalId, call)
    }
  }
  return approvals
}
