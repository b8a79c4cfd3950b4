import { lstatSync } from 'node:fs'

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
