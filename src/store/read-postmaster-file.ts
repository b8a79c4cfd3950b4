import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { EmbeddedFolders } from './embedded-folders.ts'

/** The file that a server keeps in its data folder while it runs. It remains when the server is killed. */
interface PostmasterFile {
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

/** Whether a process is the server of this data, and not one that got its number later. */
export function isServer(pid: number, { data }: EmbeddedFolders): boolean {
  return commandOf(pid).includes(`postgres -D ${data} -c `)
}

/** A number that is taken, be it by a process that has ended and was not yet seen off. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Ends the remaining processes of a killed server: a process in a long statement does not notice, and prevents the start of the next server.
 * Call it only when the server itself is dead. Where there is no /proc, they are waited for.
 */
export function endOrphans({ title }: EmbeddedFolders, uid: number | undefined): void {
  if (process.platform !== 'linux') return
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (Number.isInteger(pid) && commandOf(pid).startsWith(`postgres: ${title}: `) && ownerOf(pid) === uid) quit(pid)
  }
}

function quit(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    // It has ended by itself.
  }
}

function ownerOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid
}

/** Empty for a process that does not exist, or has ended. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}
