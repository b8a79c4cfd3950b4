import { isPlainRecord } from '../schema/json-schema.ts'

/** On whose behalf a call runs. */
export interface Principal {
  readonly id: string
  /** Such as `orders:read`; a trailing `*` covers all that begins so, as in `orders:*`. */
  readonly permissions: readonly string[]
}

/**
 * A copy that a tool cannot change, so that no tool gives itself a permission. An object of a class is given as it is: a copy would lose
 * its methods.
 */
export function sealedPrincipal(principal: Principal): Principal {
  if (!isPlainRecord(principal)) return principal
  const { permissions } = principal as Principal
  return Object.freeze({
    ...(principal as Principal),
    permissions: Array.isArray(permissions) ? Object.freeze([...permissions]) : permissions,
  })
}

/** The declared permissions that the principal does not hold; without a principal, all of them. */
export function missingPermissions(declared: readonly string[], principal: Principal | undefined): readonly string[] {
  if (declared.length === 0) return declared
  const held = principal?.permissions ?? []
  return declared.filter((wanted) => !held.some((each) => covers(each, wanted)))
}

function covers(held: string, wanted: string): boolean {
  return held === wanted || (held.endsWith('*') && wanted.startsWith(held.slice(0, -1)))
}
