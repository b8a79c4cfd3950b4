import { DOUBT } from './doubt-words.ts'

const LONGEST = 300

/** Two parts, of which one explains the other. */
const EXPLAINED: readonly RegExp[] = [
  /^([^()]+?)\s*\(([^()]+)\)$/,
  /^(\S+)\s+[-–—]\s+(.+)$/,
  /^(.+?)\s+[-–—]\s+(\S+)$/,
  /^([^,]+),\s+([^,]+)$/,
  /^(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?) (\p{Lu}[\p{Lu}\d-]+)$/u,
]

/**
 * The parts of a text that may be the value itself, where the rest explains it or leads to it: the code of `Paris (CDG)` or `CDG - Paris`, and the path, its
 * parts or the parameters of a link. Only one of them may fit.
 */
export function explainedParts(text: string): readonly string[] {
  if (text.length > LONGEST) return []
  for (const pattern of EXPLAINED) {
    const parts = pattern.exec(text)?.slice(1)
    // What explains is a name: any other word or code in it could say more.
    if (parts !== undefined && !parts.some((part) => DOUBT.test(part)) && isNamed(parts, text.endsWith(')')) && !areCodes(parts))
      return parts
  }
  const [, code, title = ''] = /^([A-Z][A-Z\d]*-\d+):\s+(\p{L}[^:]*)$/u.exec(text) ?? []
  if (code !== undefined && !/[A-Z]-\d/.test(title) && !DOUBT.test(title)) return [code]
  return linkedParts(text)
}

const NAME = /^\p{Lu}[\p{L}'’.-]*(?: (?:de|la|le|of|the|am|an|\p{Lu}[\p{L}'’.-]*))*$/u

/** `MSFT, AAPL`: two codes, of which neither explains the other. */
function areCodes(parts: readonly string[]): boolean {
  return parts.length === 2 && parts.every((part) => /^[A-Z\d][A-Z\d.-]*$/.test(part))
}

/** Whether one part is a code and the other one a name. Only before brackets, a code may have a slash. */
function isNamed([first = '', second = '']: readonly string[], isBracketed: boolean): boolean {
  const isCode = (part: string): boolean => /^[\w.-]+$/.test(part) || (isBracketed && part === first && /^[\w./-]+$/.test(part))
  return (NAME.test(first) && isCode(second)) || (isCode(first) && NAME.test(second))
}

/** Kinds of names that are told before a name, as in `doi:10.1000/182` and `urn:isbn:9780306406157`. */
const KINDS: ReadonlySet<string> = new Set(
  'arxiv doi id isbn issn md5 orcid pmid sha1 sha256 sha512 spotify track album artist urn uuid'.split(' '),
)

function linkedParts(text: string): readonly string[] {
  const cloned = /^git@[\w.-]+:([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text)?.[1]
  if (cloned !== undefined) return [cloned]
  const resource = /^arn:[a-z-]+:[a-z\d-]+:[a-z\d-]*:\d*:([^:/\s]+)$/.exec(text)?.[1]
  if (resource !== undefined) return [resource]
  const bucket = /^(?!https?:|file:)[a-z][a-z\d]{1,9}:\/\/([^/:?#\s]+)\/?$/i.exec(text)?.[1]
  if (bucket !== undefined) return [bucket]
  const steps = text.split(':')
  const last = steps.pop() ?? ''
  if (steps.length > 0 && steps.every((step) => KINDS.has(step.toLowerCase()))) return [last.trim()]
  if (!/^https?:\/\/[^\s,;|]*[^\s,;|?]$/i.test(text) || !URL.canParse(text)) return []
  const { hostname, pathname, searchParams } = new URL(text)
  const path = decoded(pathname).replace(/^\/|\/$/g, '')
  // The site and its path as the name of the same thing: `spotify:track:1`.
  const urn = [hostname.split('.').at(-2) ?? '', ...path.split('/')].join(':')
  const names = [path, urn, ...path.split('/'), ...searchParams.values()]
  return [...new Set([...names, ...names.map((name) => name.replace(/\.git$/, ''))])].filter((name) => name !== '')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The name of the host of a link that leads to nothing else on it. */
export function hostOf(text: string): string | undefined {
  return /^https?:\/\/([^/:?#@]+)\/?$/i.exec(text)?.[1]
}
