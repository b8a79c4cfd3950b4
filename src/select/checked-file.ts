import { isRecord } from '../schema/json-schema.ts'
import { cryptoModule } from '../tool/crypto-module.ts'
import { replaceFile } from '../tool/replace-file.ts'

/** What a file is, in its first line. */
export interface FileKind {
  /** Such as `toolwright traces`. */
  readonly format: string
  /** Raised when the meaning of a field changes: a file of another version is not read. */
  readonly version: number
}

/** Writes data with a version and a checksum. The file is replaced at once: whoever reads it finds the old one or the new one, also after a crash. */
export async function writeCheckedFile(path: string, { format, version }: FileKind, data: unknown): Promise<void> {
  const body = JSON.stringify(data)
  const head = JSON.stringify({ format, version, sha256: sha256(body) })
  // Requests of people may be in it.
  await replaceFile(path, `${head}\n${body}\n`, { mode: 0o600 })
}

/** The data of a file; a text says what is wrong with it; undefined if there is none. */
export async function readCheckedFile(
  path: string,
  { format, version }: FileKind,
): Promise<{ readonly data: unknown } | string | undefined> {
  let text: string
  try {
    // Most catalogs have no file: it is loaded for the first one.
    text = await (await import('node:fs/promises')).readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const [first = '', body = ''] = text.split('\n', 2)
  const head = parsed(first)
  if (!isRecord(head) || head['format'] !== format) return `It is not a file of ${format.replace('toolwright ', '')}.`
  if (head['version'] !== version) return `It has version ${String(head['version'])}, and this package reads version ${version}.`
  if (head['sha256'] !== sha256(body)) return 'It was damaged: its checksum is wrong.'
  return { data: parsed(body) }
}

function sha256(text: string): string {
  return cryptoModule().createHash('sha256').update(text).digest('hex')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
