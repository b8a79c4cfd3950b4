import type { FailureCode } from './error-codes.ts'

/** Failures of what stands behind all tools. */
const HOUSE_CODES: ReadonlySet<string> = new Set<FailureCode>(['store_unavailable', 'store_credentials', 'store_full', 'journal_failed'])

/** Whether clients over a network do not get the message of a failure. */
export function isWithheld({ internal, code }: { readonly internal?: boolean | undefined; readonly code: string }): boolean {
  return internal === true || HOUSE_CODES.has(code)
}
