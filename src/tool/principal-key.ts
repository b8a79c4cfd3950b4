import { hashOf } from './journal/hash.ts'
import type { Principal } from './principal.ts'

/** Tells principals apart: the id, and the tenant where there is one. No id alone gives the key of an id with a tenant. Undefined without a principal. */
export function principalKey(principal: Principal | undefined): string | undefined {
  if (principal === undefined) return undefined
  const { id, tenant } = principal
  if (tenant !== undefined && tenant !== null) return JSON.stringify([id, hashOf(tenant)])
  return id.startsWith('[') ? JSON.stringify([id]) : id
}
