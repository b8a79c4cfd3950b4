import { hashOf } from './journal/hash.ts'
import type { Principal } from './principal.ts'

/** Tells principals apart: the id, and the tenant where there is one. Undefined without a principal. */
export function principalKey(principal: Principal | undefined): string | undefined {
  if (principal === undefined) return undefined
  const { id, tenant } = principal
  return tenant === undefined || tenant === null ? id : JSON.stringify([id, hashOf(tenant)])
}
