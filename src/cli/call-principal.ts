import type { Principal } from '../tool/principal.ts'

export interface GivenPrincipal {
  readonly principal?: string | undefined
  readonly permission?: readonly string[] | undefined
}

/** The principal of a call: from the flags, else from the configuration. Another id never inherits the configured permissions. */
export function callPrincipal({ principal: id, permission }: GivenPrincipal, configured: Principal | undefined): Principal | undefined {
  if (id === undefined && permission === undefined) return configured
  return { id: id ?? configured?.id ?? 'cli', permissions: permission ?? [] }
}
