import type { McpEndpoint, McpProgram } from '../../../runtime/mcp-server-entry.ts'
import { MASK } from '../../../tool/secrets/mask-text.ts'
import { isSensitiveName } from '../../../tool/secrets/sensitive-name.ts'

/** Shorter secrets would be found in other texts by chance, and are left. */
const SHORTEST = 8

/**
 * The secrets that a server is given by its options: in its environment, headers, arguments and address. The names decide, as far as they say it: a
 * folder or a language in the environment is no secret, and a server whose answers name it must stay of use. A value that looks like a key counts
 * under any name.
 */
export function targetSecrets(target: McpProgram | McpEndpoint): readonly string[] {
  const found =
    target.command === undefined
      ? [...named(target.headers), ...inAddress(target.url)]
      : [...named(target.env), ...inArguments(target.args ?? [])]
  return [...new Set(found)].filter(({ length }) => length >= SHORTEST)
}

/** The credentials of a header such as `Authorization`: with their scheme, and without; of `Basic`, the password too. */
export function credentialsOf(header: string): readonly string[] {
  const [, scheme = '', credentials = ''] = /^\s*(\S+)\s+(\S+)\s*$/.exec(header) ?? []
  if (credentials === '') return [header.trim()]
  const account = /^basic$/i.test(scheme) ? Buffer.from(credentials, 'base64').toString() : ''
  const password = account.slice(account.indexOf(':') + 1)
  return [credentials, password].filter(({ length }) => length >= SHORTEST)
}

/** What a form for an authorization server has in it that is nobody else's business. */
export function secretsInForm(form: URLSearchParams): readonly string[] {
  return [...form]
    .filter(([name, value]) => value.length >= SHORTEST && (FORM_NAMES.has(name) || isSecretName(name)))
    .map(([, value]) => value)
}

const FORM_NAMES: ReadonlySet<string> = new Set(['code', 'code_verifier', 'assertion', 'client_assertion'])

function named(given: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => secretsIn(name, value))
}

function secretsIn(name: string, value: string): readonly string[] {
  if (/^cookie$/i.test(name)) return value.split(';').map((each) => each.slice(each.indexOf('=') + 1).trim())
  if (isSecretName(name)) return [...credentialsOf(value), ...inAddress(value)]
  return isKeyLike(value) ? [value] : inAddress(value)
}

/** `--api-key=x`, `--api-key x`, and whatever looks like a key. */
function inArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((each, at) => {
    const [, name, value] = /^-{0,2}([\w.-]+)=(.*)$/s.exec(each) ?? []
    if (name !== undefined && value !== undefined) return secretsIn(name, value)
    const before = args[at - 1] ?? ''
    return before.startsWith('--') ? secretsIn(before, each) : secretsIn('', each)
  })
}

/** An address for a message: without parameters, and without a key in its path. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url)
  const parts = pathname.split('/').map((part) => (isKeyLike(part) || part.length > LONGEST_PART ? MASK : part))
  return `${origin}${parts.join('/')}`
}

const LONGEST_PART = 30

/** The password of an address, and parts and parameters of it that are secrets. */
function inAddress(text: string): readonly string[] {
  if (!text.includes('://') || !URL.canParse(text)) return []
  const { password, pathname, searchParams } = new URL(text)
  return [
    ...(password === '' ? [] : [password, decoded(password)]),
    ...pathname.split('/').filter(isKeyLike),
    ...[...searchParams].flatMap(([name, value]) => (isSecretName(name) || isKeyLike(value) ? [value] : [])),
  ]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** In a setting a last word is enough, where the field of a result needs more. */
const LAST_WORD = /(?:^|[^a-z])(?:key|token|secret|pass|password|pwd|pat|auth|cookie|session|signature|dsn|jwt)s?$/i

function isSecretName(name: string): boolean {
  return isSensitiveName(name) || LAST_WORD.test(name)
}

/** Written by a machine: no word, path, address or name of a host. */
function isKeyLike(value: string): boolean {
  if (/^[\da-f]{32,}$/i.test(value) || /^(?=.*\d)[A-Z\d]{16,}$/.test(value)) return true
  return /^[\w.~+=-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)
}
