import { acceptedInput } from '../../tool/accepted-input.ts'
import { adapt } from '../../tool/adapt.ts'
import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { digest, hashOf } from '../../tool/journal/hash.ts'
import type { Whole } from '../../tool/seam/whole.ts'

/** The label of the call of the tool. */
export const LABEL = 'once'

export type KeyFunction = (input: unknown) => unknown

/** The key of a call, and the input that belongs to it. */
export interface KeyRequest {
  /** A digest, because an author's key may contain secrets. */
  readonly key: string
  readonly inputHash: string
}

export interface KeySource {
  readonly tool: AgentTool
  readonly key: KeyFunction | undefined
  /** All principals share the keys. */
  readonly isShared: boolean
}

/** Undefined for an input that the tool will refuse: it needs no key. */
export async function keyRequest(whole: Whole, given: unknown, { tool, key, isShared }: KeySource): Promise<KeyRequest | undefined> {
  const accepted = await acceptedInput(tool, given)
  if (accepted === undefined) return undefined
  const { input } = accepted
  const own = key === undefined ? `run\n${whole.idempotencyKey}` : `own\n${ownKey(tool, key, input)}`
  return { key: digest(`${identityOf(tool)}\n${isShared ? '' : scopeOf(whole)}${own}`), inputHash: inputHash(input, given) }
}

/**
 * No principal gets the answer of another. A principal is its id and its tenant: permissions and other fields may change between a call and
 * its repetition, and must not make the tool run twice.
 */
function scopeOf({ principal, tool }: Whole): string {
  if (principal === undefined) return ''
  const { id, tenant } = principal
  const own = `principal\n${JSON.stringify(id)}\n`
  return tenant === undefined || tenant === null ? own : `${own}tenant\n${tenantHash(tenant, tool)}\n`
}

function tenantHash(tenant: unknown, tool: string): string {
  try {
    return hashOf(tenant)
  } catch (cause) {
    throw new ToolError(`The tenant of the principal must be data, so that '${tool}' keeps the answers of tenants apart.`, {
      code: 'not_serializable',
      outcome: 'not_started',
      cause,
    })
  }
}

/** The message does not show the key, which may be secret. */
function ownKey(tool: AgentTool, key: KeyFunction, input: unknown): string {
  const what = `'key' of idempotent for '${tool.name}'`
  const own = adapt(what, () => key(input), { outcome: 'not_started' })
  if (typeof own === 'string' && own !== '') return own
  const gave = own === '' ? 'an empty one' : own === null ? 'null' : `a value of type ${typeof own}`
  throw new ToolError(`${what} must give a text that is not empty, and gave ${gave}.`, { code: 'adapter_failed', outcome: 'not_started' })
}

/** The hash of the validated input with its defaults; of the given input if a transform made a value that is not data. */
function inputHash(input: unknown, given: unknown): string {
  try {
    return hashOf(input)
  } catch {
    return hashOfGiven(given)
  }
}

function hashOfGiven(given: unknown): string {
  try {
    return hashOf(given)
  } catch (cause) {
    throw new ToolError(cause instanceof Error ? cause.message : String(cause), { code: 'not_serializable', outcome: 'not_started', cause })
  }
}
