import { toJsonText } from '../schema/quote.ts'
import { type AgentTool, identityOf } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { digest, hashOf } from '../tool/journal/hash.ts'
import { principalKey } from '../tool/principal-key.ts'

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
  const owner = ownerOf({ principal, session })
  const inputHash = hashOfInput(subject.input)
  const binding = digest([owner, subject.name, identityOf(subject.tool), inputHash].join('\n'))
  return { ...subject, owner, inputHash, binding, key: digest(`${binding}\n${subject.toolCallId}`) }
}

/** Whose call it is. */
export function ownerOf({ principal, session }: Pick<CallOptions, 'principal' | 'session'>): string {
  return JSON.stringify([principalKey(principal), session])
}

export function hashOfInput(input: unknown): string {
  try {
    return hashOf(input)
  } catch {
    return digest(toJsonText(input))
  }
}
