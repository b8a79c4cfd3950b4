import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ServerUser } from './server-user.ts'

const READ = 4
const ENTER = 1

/** The first folder on the way to a path that a user cannot enter, or the path itself where they cannot read it. Undefined when all is open. */
export function blockedFor(user: ServerUser, path: string): string | undefined {
  const above = dirname(path)
  const blocked = above === path ? undefined : blockedAbove(user, above)
  return blocked ?? (allows(user, path, READ) ? undefined : path)
}

/** The same, for a path that may not exist yet: what exists of the way to it. */
export function blockedAbove(user: ServerUser, folder: string): string | undefined {
  const above = dirname(folder)
  const blocked = above === folder ? undefined : blockedAbove(user, above)
  return blocked ?? (allows(user, folder, ENTER) ? undefined : folder)
}

function allows({ uid, gid }: ServerUser, path: string, wanted: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0
  return ((found.mode >> shift) & wanted) === wanted
}
