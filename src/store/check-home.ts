import { constants } from 'node:fs'
import { lstat, open, stat } from 'node:fs/promises'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { EmbeddedFolders } from './embedded-folders.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants
const WRITABLE_BY_OTHERS = 0o022

/**
 * Refuses a home that somebody else owns or may write: they could exchange the data, the log or the socket. Folders that do not exist yet are
 * made by us. A link is as good as its target, if we or root have made it.
 */
export async function checkHome({ home, root }: EmbeddedFolders): Promise<void> {
  for (const folder of [home, root]) await checkFolder(home, folder)
}

async function checkFolder(home: string, folder: string): Promise<void> {
  const me = process.getuid?.()
  const found = await stat(folder).catch(() => undefined)
  if (me === undefined || found === undefined || !found.isDirectory()) return
  const entry = await lstat(folder)
  const { uid: maker } = entry
  if (entry.isSymbolicLink() && maker !== me && maker !== 0)
    throw unsafe(home, `${folder} is a link that user ${maker} has made`, `Remove it: rm ${quoted(folder)}`)
  if (found.uid !== me)
    throw unsafe(
      home,
      `${folder} belongs to user ${found.uid}, and this process runs as user ${me}`,
      `Run as that user, or give it to this one: chown ${me} ${quoted(folder)}`,
    )
  if ((found.mode & WRITABLE_BY_OTHERS) !== 0)
    throw unsafe(
      home,
      `other users may write to ${folder} (mode ${modeText(found.mode)})`,
      `Take that right away: chmod go-w ${quoted(folder)}`,
    )
}

function unsafe(home: string, reason: string, cure: string): ConfigurationError {
  return new ConfigurationError(
    'unsafe_home',
    `The embedded database does not use ${home}: ${reason}. Nothing was touched. ${cure}. Or set TOOLWRIGHT_HOME to a folder of your own.`,
  )
}

function modeText(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

/** A path for a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

/** Changes the mode of a folder of our own. A link, or a folder of somebody else, is left as it is. */
export async function changeMode(folder: string, change: (mode: number) => number): Promise<void> {
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined)
  if (handle === undefined) return
  try {
    const { mode, uid } = await handle.stat()
    if (uid === process.getuid?.()) await handle.chmod(change(mode & 0o7777))
  } finally {
    await handle.close()
  }
}
