/** On whose behalf a call runs. */
export interface Principal {
  readonly id: string
  /** Such as `orders:read`; a trailing `*` covers all that begins so, as in `orders:*`. */
  readonly permissions: readonly string[]
}

/** The declared permissions that the principal does not hold; nobody holds none. */
export function missingPermissions(declared: readonly string[], principal: Principal | undefined): readonly string[] {
  if (declared.length === 0) return declared
  const held = principal?.permissions ?? []
  return declared.filter((wanted) => !held.some((each) => covers(each, wanted)))
}

function covers(held: string, wanted: string): boolean {
  return held === wanted || (held.endsWith('*') && wanted.startsWith(held.slice(0, -1)))
}
