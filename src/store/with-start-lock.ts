import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { isTaken } from './read-postmaster-file.ts'

const BEAT_MS = 1000
/** A holder that was stopped, or whose number another process has now, shows no life for this long. */
const STALE_MS = 5000

/**
 * Runs `work` unless another process is at it; false when one is. This saves work and no more: that only one server runs on the data, and that they
 * are made once, is held by PostgreSQL's own lock and by renaming. So a lock that is taken over wrongly does no harm.
 */
export async function withStartLock(path: string, work: () => Promise<void>): Promise<boolean> {
  const mark = `${process.pid} ${randomUUID()}`
  if (!(await take(path, mark))) return false
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), BEAT_MS)
  beat.unref()
  try {
    await work()
    return true
  } finally {
    clearInterval(beat)
    if ((await textOf(path)) === mark) await rm(path, { force: true })
  }
}

async function take(path: string, mark: string): Promise<boolean> {
  if (await create(path, mark)) return true
  if (!(await isStale(path))) return false
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside).catch(() => {})
  await rm(aside, { force: true })
  return create(path, mark)
}

async function create(path: string, mark: string): Promise<boolean> {
  try {
    await writeFile(path, mark, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  const [pid = ''] = ((await textOf(path)) ?? '').split(' ')
  if (pid !== '' && !isTaken(Number(pid))) return true
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > STALE_MS
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
