import { lstatSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Who the server runs as when we are root, as which PostgreSQL refuses to run. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** `nobody`, by number: it needs no entry of its own. */
const NOBODY: ServerUser = { uid: 65_534, gid: 65_534 }

/** Undefined when the server runs as we do. Data that a user made while they were not root stay theirs. */
export function serverUser(data: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = lstatSync(data, { throwIfNoEntry: false })
  return owner === undefined || owner.uid === 0 ? NOBODY : { uid: owner.uid, gid: owner.gid }
}

/** The environment of the server and its watcher: nothing that could be a secret, and no options for Node. */
export function serverEnvironment(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', LD_LIBRARY_PATH, TMPDIR } = process.env
  return {
    PATH,
    LC_ALL: 'C',
    ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }),
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
  }
}

const READ = 4
const ENTER = 1

/** The first folder on the way to a path that a user cannot enter, or the path itself where they cannot read it. Undefined when all is open. */
export function blockedFor(user: ServerUser, path: string): string | undefined {
  const above = dirname(path)
  const blocked = above === path ? undefined : blockedAbove(user, above)
  return blocked ?? (allows(user, path, READ) ? undefined : path)
}

/** The same for a path that may not exist yet: checks the existing part of it. */
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
