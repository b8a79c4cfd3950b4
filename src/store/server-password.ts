import { execFile } from 'node:child_process'
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Programs } from './programs.ts'
import { serverEnvironment, type ServerUser } from './server-user.ts'
import { startFailure } from './store-error.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants
const FILE = 'toolwright.password'
/** More are for passwords that can be guessed; this one has 256 random bits. */
const ITERATIONS = 4096
const LONGEST = 200

/** The role of all our connections. */
export const ROLE = 'toolwright'

/**
 * The password of the embedded server, from a file beside its data that only this user can read. Undefined where there is none, or where the
 * file is not ours alone: somebody else may know what is in it.
 */
export async function readPassword(data: string): Promise<string | undefined> {
  const file = await open(join(data, FILE), O_RDONLY | O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') throw error
    return undefined
  })
  if (file === undefined) return undefined
  try {
    const { uid, mode, nlink, size } = await file.stat()
    const isOurs = uid === process.getuid?.() && (mode & 0o077) === 0 && nlink === 1 && size <= LONGEST
    const text = isOurs ? (await file.readFile('utf8')).trim() : ''
    return text === '' ? undefined : text
  } finally {
    await file.close()
  }
}

interface Setting {
  readonly home: string
  readonly data: string
  readonly programs: Programs
  readonly user: ServerUser | undefined
}

/**
 * Gives a server that does not run a new password. The database has it before the file: a kill between the two leaves no file, and the next
 * start sets another one. The server itself is only told what it needs to check the password.
 */
export async function setPassword(setting: Setting): Promise<void> {
  const { password, verifier } = newPassword()
  await tellServer(setting, `ALTER ROLE ${ROLE} PASSWORD '${verifier}'`)
  await keepPassword(setting.data, password)
}

interface NewPassword {
  readonly password: string
  /** What the server needs to check the password, and has in its place (RFC 5803). */
  readonly verifier: string
}

export function newPassword(): NewPassword {
  const password = randomBytes(32).toString('base64url')
  return { password, verifier: verifierOf(password) }
}

/** Writes the file, whole or not at all. */
export async function keepPassword(data: string, password: string): Promise<void> {
  const path = join(data, FILE)
  const beside = `${path}.${randomBytes(8).toString('hex')}`
  const file = await open(beside, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600)
  try {
    await file.writeFile(`${password}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(beside, path).catch(async (cause: unknown) => {
    await rm(beside, { force: true })
    throw cause
  })
}

/** One statement on data that no server has. */
function tellServer({ home, data, programs, user }: Setting, statement: string): Promise<void> {
  const flags = ['--single', '-D', data, '-c', 'log_min_messages=error', '-c', 'log_min_error_statement=panic', '-c', 'io_method=sync']
  const options = { ...user, cwd: '/', env: serverEnvironment(), timeout: 120_000 }
  return new Promise((resolve, reject) => {
    const server = execFile(join(programs.folder, 'bin', 'postgres'), [...flags, 'postgres'], options, (error, _out, errors) => {
      if (error === null && !/ERROR|FATAL|PANIC/.test(errors)) resolve()
      else reject(startFailure(home, `its password could not be set: ${errors.trim() === '' ? error?.message : errors.trim()}`, error))
    })
    server.stdin?.on('error', () => {})
    server.stdin?.end(`${statement}\n`)
  })
}

function verifierOf(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}
