import type { ModelMessage, ToolCallPart } from 'ai'
import { digest } from '../../tool/journal/hash.ts'
import { type CallIdentity, hashOfInput } from '../call-identity.ts'

/**
 * Tells the calls of a principal apart who names no session: chats of one person may hold equal calls. A repeated call is the same one if its id
 * is the same and the user has said the same so far; some models reuse ids in every conversation.
 */
export function callScope({ toolCallId }: Pick<CallIdentity, 'toolCallId'>, messages: readonly ModelMessage[]): string {
  const said = messages.flatMap(({ role, content }) =>
    role === 'user' ? [typeof content === 'string' ? content : content.map(saidIn)] : [],
  )
  return digest(JSON.stringify([toolCallId, said]))
}

function saidIn(part: { readonly type: string; readonly text?: unknown }): unknown {
  return part.text ?? part.type
}

/** Whether a call in a conversation is this one. */
export function isAbout(call: ToolCallPart, { toolCallId, name, inputHash }: CallIdentity): boolean {
  return call.toolCallId === toolCallId && call.toolName === name && hashOfInput(call.input) === inputHash
}
