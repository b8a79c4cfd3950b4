import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** What a server says of itself in its data folder, from its start to its end. It stays behind when the server is killed. */
export interface PostmasterFile {
  readonly pid: number
  /** Where it listens; undefined before it does. */
  readonly sockets: string | undefined
  readonly ready: boolean
}

export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const [pid = '', , , , sockets = '', , , status = ''] = (await textOf(join(data, 'postmaster.pid'))).split('\n')
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0) return undefined
  return { pid: number, sockets: sockets === '' ? undefined : sockets, ready: status.trim() === 'ready' }
}

/** Whether the file was gone, or names another server, before the time was over. */
export async function waitUntilGone(data: string, pid: number, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while ((await readPostmasterFile(data))?.pid === pid) {
    if (performance.now() > end) return false
    await pause(20)
  }
  return true
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''
    throw error
  }
}
