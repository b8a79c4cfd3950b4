import { encode, type JsonData } from './journal/codec.ts'
import { hashOfData } from './journal/hash.ts'

/** Somebody as a request or a vote names them. */
export interface OfTenant {
  /** Data, as a request and a vote keep it. */
  readonly tenant?: unknown
}

/** The tenant as data that can be kept; without one, no field. */
export function keptTenant({ tenant }: OfTenant): { readonly tenant?: JsonData } {
  return tenant === undefined || tenant === null ? {} : { tenant: encode(tenant) }
}

/** Both name a tenant, and it is the same; kept ones. */
export function isSameTenant({ tenant: one }: OfTenant, { tenant: other }: OfTenant): boolean {
  return one !== undefined && other !== undefined && hashOfData(one as JsonData) === hashOfData(other as JsonData)
}

/** Both name a tenant, and not the same. */
export function isOtherTenant(one: OfTenant, other: OfTenant): boolean {
  return one.tenant !== undefined && other.tenant !== undefined && !isSameTenant(one, other)
}

/** `ada of "acme"`; only the id without a tenant. */
export function nameWithTenant(id: string, { tenant }: OfTenant): string {
  return tenant === undefined ? id : `${id} of ${JSON.stringify(tenant)}`
}
