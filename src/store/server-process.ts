import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { EmbeddedFolders } from './embedded-folders.ts'

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
 * Ends what is left of a server that was killed: a process in the middle of a long statement does not notice, and keeps the next server from starting.
 * Call it only when the server itself is dead. Where there is no /proc, they are waited for.
 */
export function endOrphans({ title }: EmbeddedFolders, uid: number | undefined): void {
  if (process.platform !== 'linux') return
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (Number.isInteger(pid) && commandOf(pid).startsWith(`postgres: ${title}: `) && ownerOf(pid) === uid) end(pid)
  }
}

function end(pid: number): void {
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
