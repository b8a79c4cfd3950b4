import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ToolApprovalRequest } from 'ai'
import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import type { CallIdentity } from '../call-identity.ts'

/** Whether an approval under a seal counts in another process for this request: the gate before the whole tool. */
export function isSealable({ kind, path }: ReviewRequest, tool: AgentTool): boolean {
  return kind === 'approval' && path === `${tool.name}:approval`
}

const SHORTEST_SECRET = 16
const SEAL = /^(?<reason>[^]*)\n\[approval (?<expiry>[0-9a-z]{1,12})\.(?<mac>[\w-]{43})\]$/

/**
 * Signs the approval requests of a process, so that another process with the same secret knows that they were made: for which call, tool,
 * version, input and owner, with which reason, and until when. The seal is the last line of the reason, which is all that the SDK keeps.
 */
export class ApprovalSeals {
  readonly #secret: string | Uint8Array

  constructor(secret: string | Uint8Array) {
    if ((typeof secret !== 'string' && !(secret instanceof Uint8Array)) || secret.length < SHORTEST_SECRET)
      throw new ConfigurationError('invalid_option', `'secret' of aiSdkReviews must have at least ${SHORTEST_SECRET} characters.`)
    this.#secret = secret
  }

  /** The reason with its seal. */
  seal(identity: CallIdentity, reason: string, expiresAt: number): string {
    const expiry = Math.ceil(expiresAt).toString(36)
    return `${reason}\n[approval ${expiry}.${this.#mac(identity, reason, expiry).toString('base64url')}]`
  }

  /** Whether one of these requests was made for exactly this call, and has not expired. */
  isSealed(identity: CallIdentity, requests: readonly ToolApprovalRequest[], now: number): boolean {
    return this.reasonsFor(identity, requests, now).length > 0
  }

  /** What was shown to a person in those of these requests that were made for exactly this call and have not expired. */
  reasonsFor(identity: CallIdentity, requests: readonly ToolApprovalRequest[], now: number): readonly string[] {
    return requests.flatMap(({ reason: sealed }) => {
      const { reason = '', expiry = '', mac = '' } = SEAL.exec(typeof sealed === 'string' ? sealed : '')?.groups ?? {}
      if (expiry === '' || now >= Number.parseInt(expiry, 36)) return []
      return timingSafeEqual(Buffer.from(mac, 'base64url'), this.#mac(identity, reason, expiry)) ? [reason] : []
    })
  }

  #mac({ owner, name, tool, inputHash, toolCallId }: CallIdentity, reason: string, expiry: string): Buffer {
    const signed = JSON.stringify([owner, name, identityOf(tool), inputHash, toolCallId, reason, expiry])
    return createHmac('sha256', this.#secret).update(signed).digest()
  }
}
