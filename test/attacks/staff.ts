import type { Principal, Reviewers } from 'toolwright'

/** Somebody with these permissions. */
export const who = (id: string, ...permissions: readonly string[]): Principal => ({ id, permissions })

export const ADA = who('ada', 'review:pay')
export const BOB = who('bob', 'review:pay')
export const CYD = who('cyd', 'review:money')

/** The people whom the program knows by name. Nobody else is known. */
export const STAFF: Reviewers = {
  identify: ({ name }) => [ADA, BOB, CYD, who('eve'), who('dan', 'review:mail')].find(({ id }) => id === name),
}
