import { posix } from 'node:path'

/** What one value of an input must be. Each check says what is wrong, in words that do not repeat the value; undefined if nothing is. */
export interface InputChecks {
  /** A file or folder inside one of these folders, however it is written; a relative one must not lead up. Links on the disk are not followed. */
  readonly within?: readonly string[] | undefined
  /** SQL that uses only these verbs, such as `select`; other verbs may stand nowhere in it, not even in a text or a comment. */
  readonly sqlVerbs?: readonly string[] | undefined
  /** Mail addresses, each of one of these domains or one of these addresses. */
  readonly recipients?: readonly string[] | undefined
  /** A number from 0 up to this. */
  readonly most?: number | undefined
}

export function wrongInput(value: unknown, { within, sqlVerbs, recipients, most }: InputChecks): string | undefined {
  if (within !== undefined && !isWithin(value, within)) return `must be inside ${within.join(' or ')}`
  if (sqlVerbs !== undefined && !usesOnly(value, sqlVerbs)) return `may use only ${sqlVerbs.join(', ')}`
  if (recipients !== undefined && !isFor(value, recipients)) return `may name only recipients of ${recipients.join(', ')}`
  if (most !== undefined && !isUpTo(value, most)) return `must be a number from 0 to ${most}`
  return undefined
}

function isWithin(value: unknown, folders: readonly string[]): boolean {
  // oxlint-disable-next-line no-control-regex
  if (typeof value !== 'string' || value.trim() !== value || /[\u0000-\u001f]/.test(value)) return false
  const path = posix.normalize(value.replaceAll('\\', '/'))
  // A drive, a server, a home folder or an escaped character can lead anywhere.
  if (/^[a-z][a-z0-9+.-]*:|^~|%|^[\\/]{2}/i.test(value) || /^~|^[a-z]:/i.test(path)) return false
  if (!path.startsWith('/')) return path !== '..' && !path.startsWith('../')
  return folders.some((folder) => {
    const root = posix.resolve('/', folder)
    const whole = posix.resolve(path)
    return whole === root || whole.startsWith(root === '/' ? root : `${root}/`)
  })
}

/** Words that begin a statement which changes something, in one of the common databases. */
const CHANGING = (
  'insert update delete merge upsert replace drop alter create truncate rename grant revoke copy call do execute exec prepare ' +
  'set reset vacuum analyze attach detach pragma load install import export into lock refresh reindex cluster comment begin commit rollback'
).split(' ')

function usesOnly(value: unknown, verbs: readonly string[]): boolean {
  if (typeof value !== 'string') return false
  const allowed = new Set(verbs.map((verb) => verb.toLowerCase()))
  const words = value.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
  if (words.some((word) => CHANGING.includes(word) && !allowed.has(word))) return false
  const statements = value.split(';').filter((statement) => statement.trim() !== '')
  const isAllowed = (statement: string): boolean => allowed.has(/^[\s(]*([a-z]+)/i.exec(statement)?.[1]?.toLowerCase() ?? '')
  return statements.length > 0 && statements.every(isAllowed)
}

function isFor(value: unknown, recipients: readonly string[]): boolean {
  const texts = Array.isArray(value) ? value : [value]
  const allowed = new Set(recipients.map((each) => each.toLowerCase()))
  return texts.every((text) => {
    if (typeof text !== 'string') return false
    return text.split(/[,;]/).every((part) => {
      const address = (/^[^<>]*<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim().toLowerCase()
      // Quotes, comments and a second @ are read differently by different programs.
      const domain = /^[^\s"()<>@\\%!]+@([a-z0-9.-]+)$/.exec(address)?.[1]
      return domain !== undefined && (allowed.has(domain) || allowed.has(address))
    })
  })
}

function isUpTo(value: unknown, most: number): boolean {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= most
}

/** The values of a field: `payment.amount`, or `items.*.amount` for those of a list. What is not there has no value. */
export function valuesAt(input: unknown, field: string): readonly unknown[] {
  let found: unknown[] = [input]
  for (const name of field.split('.')) {
    found = found.flatMap((each) => {
      if (typeof each !== 'object' || each === null) return []
      if (name === '*') return Object.values(each)
      return Object.hasOwn(each, name) ? [(each as Readonly<Record<string, unknown>>)[name]] : []
    })
  }
  return found.filter((each) => each !== undefined && each !== null)
}
