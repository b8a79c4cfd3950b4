import { ToolError } from '../tool/errors/tool-error.ts'
import { embeddedFolders } from './embedded-folders.ts'
import { homeFolder } from './home-folder.ts'
import { isServer, readPostmasterFile, waitUntilGone } from './read-postmaster-file.ts'
import { homeError } from './store-error.ts'

const STOP_MS = 30_000

/**
 * Stops the embedded server of a home now, and returns whether one ran. Clients are disconnected; an open store starts the server again at its next use.
 * @example
 * console.log(await stopEmbedded('.cache/no-store-here')) // false
 */
export async function stopEmbedded(home?: string): Promise<boolean> {
  const folders = embeddedFolders(homeFolder(home))
  try {
    const file = await readPostmasterFile(folders.data)
    if (file === undefined || !isServer(file.pid, folders)) return false
    process.kill(file.pid, 'SIGINT')
    if (await waitUntilGone(folders.data, file.pid, STOP_MS)) return true
    throw new ToolError(
      `The embedded database in ${folders.home}, process ${file.pid}, did not stop within ${STOP_MS} ms. See ${folders.log}.`,
      {
        code: 'store_unavailable',
      },
    )
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return true
    throw homeError(cause, folders.home)
  }
}
