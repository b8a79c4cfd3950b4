import { isRecord } from '../../schema/json-schema.ts'

const MOST_KEYS = 5000
const MOST_VALUES = 50_000
const MOST_DEPTH = 12
const MOST_LISTS = 3
const TOKEN = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[A-Za-z_]\w*|\d+(?:\.\d+)?|[<>=!]=?|&&|\|\||[^]/g
const COMPARES = /^(?:[<>]=?|==|!=)$/

/**
 * Other ways to write a path that nothing is found at, or that is no JMESPath: as other languages of paths have it, with texts in double quotes,
 * bare numbers, names with other capitals, or from the list that an output is made of.
 */
export function pathsOtherwise(path: string, document: unknown): readonly string[] {
  const keys = keysOf(document)
  const rewritten = rewrite(path.trim(), keys)
  const lists = isRecord(document)
    ? Object.entries(document).flatMap(([key, each]) => (Array.isArray(each) ? [{ key, length: each.length }] : []))
    : []
  const from = rewritten.startsWith('[')
    ? lists
        .toSorted((a, b) => b.length - a.length)
        .slice(0, MOST_LISTS)
        .map(({ key }) => `${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}${rewritten}`)
    : []
  return [...new Set([rewritten, ...from])].filter((each) => each !== path)
}

/** Whether a text is compared that stands in double quotes, although nothing has that name: a path that never finds anything. */
export function comparesWithName(path: string, document: unknown): boolean {
  const compared = [...path.matchAll(/(?:[<>]=?|[=!]=)\s*"([^"]*)"/g)].map(([, name = '']) => name)
  if (compared.length === 0) return false
  const keys = keysOf(document)
  return compared.every((name) => !keys.has(name))
}

function rewrite(path: string, keys: ReadonlySet<string>): string {
  const [, body = path, isCounted] = /^(.*?)\.(?:(length|size|count)(?:\(\))?)$/.exec(path.replace(/^\$\.?|^\.(?=\w)/, '')) ?? [
    undefined,
    path.replace(/^\$\.?|^\.(?=\w)/, ''),
  ]
  let before = ''
  let inside = 0
  const tokens = (body.match(TOKEN) ?? []).map((token, at, all) => {
    const next = all.slice(at + 1).find((each) => each.trim() !== '') ?? ''
    const written = rewriteToken(token, { before, next, inside, keys })
    if (token === '[') inside++
    if (token === ']') inside--
    if (token.trim() !== '') before = token
    return written
  })
  const text = tokens.join('')
  return isCounted === undefined ? text : `${text} | length(@)`
}

interface Around {
  readonly before: string
  readonly next: string
  /** How many brackets are open. */
  readonly inside: number
  readonly keys: ReadonlySet<string>
}

function rewriteToken(token: string, { before, next, inside, keys }: Around): string {
  const isCompared = COMPARES.test(before) || before === '='
  if (token === '=' && inside > 0) return '=='
  if (token.startsWith('"')) {
    const name = token.slice(1, -1)
    return (isCompared || COMPARES.test(next) || before === ',') && !keys.has(name) ? `'${name.replaceAll("'", String.raw`\'`)}'` : token
  }
  if (/^\d/.test(token)) return isCompared || COMPARES.test(next) ? `\`${token}\`` : token
  if (!/^[A-Za-z_]/.test(token)) return token
  if (isCompared && /^(?:true|false|null)$/.test(token)) return `\`${token}\``
  if (inside > 0 && token === 'and') return '&&'
  if (inside > 0 && token === 'or') return '||'
  if (keys.has(token) || next === '(') return token
  return likeKey(token, keys) ?? token
}

/** The only key that is the same but for capitals and marks. */
function likeKey(name: string, keys: ReadonlySet<string>): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]+/gu, '')
  const like = [...keys].filter((key) => plain(key) === plain(name))
  const [only = ''] = like
  if (like.length !== 1) return undefined
  return /^[A-Za-z_]\w*$/.test(only) ? only : `"${only}"`
}

function keysOf(document: unknown): ReadonlySet<string> {
  const keys = new Set<string>()
  let left = MOST_VALUES
  const visit = (value: unknown, depth: number): void => {
    if (left-- <= 0 || depth > MOST_DEPTH || keys.size > MOST_KEYS) return
    if (Array.isArray(value)) for (const each of value) visit(each, depth + 1)
    else if (isRecord(value))
      for (const [key, each] of Object.entries(value)) {
        keys.add(key)
        if (typeof each === 'object') visit(each, depth + 1)
      }
  }
  visit(document, 0)
  return keys
}
