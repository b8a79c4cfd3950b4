import { userInfo } from 'node:os'

/** Who decides: as said, else the user of this machine. */
export function decider(by: string | undefined): string | undefined {
  if (by !== undefined) return by
  try {
    return userInfo().username
  } catch {
    // The user has no entry on this machine.
    return undefined
  }
}
