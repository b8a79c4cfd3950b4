import { cleanText } from './clean-text.ts'
import { keyIndexOf } from './key-index.ts'
import { nameForm } from './name-words.ts'
import { after, isReading, type Reading } from './reading.ts'
import type { SchemaNode } from './schema-node.ts'
import type { Misfit } from './walk.ts'

const MOST_PAIRS = 100

/** `query=cats&limit=5`, or a line for each field. All names must be fields. */
export function textPairs(text: string, { node, value, place, walk }: Misfit): readonly Reading[] {
  const known = new Set(Object.keys(node.properties).map(nameForm))
  const isField = (name: string): boolean => known.has(nameForm(name)) || typeof keyIndexOf(node).find(name) === 'object'
  const isMap =
    known.size === 0 && node.others !== undefined && (/\bkey ?[=:] ?value\b/.test(place.text) || isVariables(text) || isPairs(text, node))
  const blocks = tagged(untagged(text.trim(), known)) ?? attributes(text.trim()) ?? flags(text.trim()) ?? outlined(text)
  if (blocks !== undefined && [...blocks.keys()].every(isField)) {
    const record = Object.fromEntries(blocks)
    const fixed = walk.fix(node.schema, record, place)
    return isReading(fixed) ? [after({ path: place.path, from: value, to: record, rule: 'pairs', cost: 3 }, fixed)] : []
  }
  for (const { between, sign, valueOf } of PAIRS) {
    const parts = unmarked(uncalled(text.trim()))
      .replace(/^\?(?=[\w-]+=)|^---[ \t]*\r?\n/, '')
      .split(between, MOST_PAIRS + 1)
      .filter((each) => each.trim() !== '')
    const entries = parts.map((part): readonly [string, string] => {
      const at = part.search(sign)
      const name = part.slice(0, at).trim()
      return at === -1 || !PLAIN_NAME.test(name) ? ['', ''] : [name, valueOf(part.slice(at + 1))]
    })
    const names = new Set(entries.map(([name]) => nameForm(name)))
    if (entries.length === 0 || names.size !== entries.length || entries.length > MOST_PAIRS) continue
    if (
      isMap
        ? names.has('') || entries.some(([, each]) => /[=:]/.test(each))
        : !entries.every(([name]) => isField(name) || known.has(nameForm(/^\w+(?=[.[])/.exec(name)?.[0] ?? '')))
    )
      continue
    if (entries.some(([, each]) => hasPair(each, known))) continue
    const record = Object.fromEntries(entries)
    const fixed = walk.fix(node.schema, record, place)
    if (isReading(fixed)) return [after({ path: place.path, from: value, to: record, rule: 'pairs', cost: 3 }, fixed)]
  }
  return []
}

/** `<query>cats</query><limit>5</limit>`: nothing but tags with a text or with other tags in them, each once. */
function tagged(text: string, depth = 0): ReadonlyMap<string, unknown> | undefined {
  if (!text.startsWith('<') || text.length > LONGEST_VALUE || depth > DEEPEST) return undefined
  const found = new Map<string, unknown>()
  const tag =
    /\s*<(?:([a-z]\w{0,63})|(?:parameter|param|arg|argument)\s+name=["']?(\w{1,64})["']?)>([^<>]*|\s*<(?!\/?\1>)[\s\S]*?)<\/(?:\1|parameter|param|arg|argument)>\s*/giy
  while (tag.lastIndex < text.length) {
    const [, own, told, inside = ''] = tag.exec(text) ?? []
    const name = own ?? told ?? ''
    if (name === '' || found.has(name)) return undefined
    const fields = inside.includes('<') ? tagged(inside.trim(), depth + 1) : undefined
    if (inside.includes('<') && fields === undefined) return undefined
    found.set(name, fields === undefined ? inside.trim() : Object.fromEntries(fields))
  }
  return found
}

const DEEPEST = 5

/** The content of a tag around all others that is no field itself: the name of the tool, `arguments`. */
function untagged(text: string, known: ReadonlySet<string>): string {
  const [, name = '', inside] =
    /^<([a-z][\w-]{0,63})(?:\s+name=["'][\w.-]{1,64}["'])?>\s*(<[\s\S]*>)\s*<\/\1>$/i.exec(text.slice(0, LONGEST_VALUE)) ?? []
  return inside === undefined || known.has(nameForm(name)) ? text : untagged(inside.trim(), known)
}

/** `<search query="cats" limit="5"/>`: the attributes of one tag without content. */
function attributes(text: string): ReadonlyMap<string, unknown> | undefined {
  const inside = /^<[a-z][\w-]{0,63}((?:\s+[a-z][\w-]{0,63}="[^"<>]*")+)\s*\/>$/i.exec(text.slice(0, LONGEST_VALUE))?.[1]
  return inside === undefined ? undefined : once([...inside.matchAll(/([\w-]+)="([^"]*)"/g)])
}

/** `--query cats --limit=5`, as a command line has them. */
function flags(text: string): ReadonlyMap<string, unknown> | undefined {
  if (!text.startsWith('--') || text.length > LONGEST_VALUE) return undefined
  const parts = text.split(/\s+(?=--[a-z])/i)
  const found = parts.map((part) => /^--([a-z][\w-]{0,63})(?:=|\s+)(\S[\s\S]*)$/i.exec(part))
  return found.every((each) => each !== null) ? once(found) : undefined
}

function once(pairs: readonly (readonly string[])[]): ReadonlyMap<string, unknown> | undefined {
  const found = new Map(pairs.map(([, name = '', value = '']) => [name, cleanText(value)]))
  return found.size === pairs.length ? found : undefined
}

/**
 * A line for each field. Below the name of a list are its items with a dash, below that of a group its fields, indented. Undefined without such
 * a list or group.
 */
function outlined(text: string): ReadonlyMap<string, unknown> | undefined {
  const lines = text.split(/\r?\n/, MOST_LINES + 1).filter((line) => line.trim() !== '')
  if (lines.length > MOST_LINES || !lines.some((line) => /^\s*- \S|^\s+\w[\w -]*:\s/.test(line))) return undefined
  const found = new Map<string, unknown>()
  let open: { readonly name: string; readonly items: string[]; readonly fields: Map<string, string> } | undefined
  for (const line of lines) {
    const item = /^\s*- (\S.*)$/.exec(line)?.[1]
    const [, name, rest = ''] = /^\s*(\w[\w -]{0,63}):(?:\s+(.*))?$/.exec(line) ?? []
    const isInside = /^\s/.test(line)
    if (item !== undefined && open !== undefined && open.fields.size === 0) open.items.push(cleanText(item))
    else if (name === undefined || item !== undefined || (isInside && open === undefined)) return undefined
    else if (isInside && open !== undefined) {
      if (open.items.length > 0 || open.fields.has(name) || rest.trim() === '') return undefined
      open.fields.set(name, cleanText(rest))
    } else {
      if (found.has(name)) return undefined
      open = rest.trim() === '' ? { name, items: [], fields: new Map() } : undefined
      found.set(name, cleanText(rest))
    }
    if (open !== undefined) found.set(open.name, open.fields.size > 0 ? Object.fromEntries(open.fields) : open.items)
  }
  return found
}

const MOST_LINES = 200

/** `A=1` in lines, as a file of variables has them, or `Accept: text/html`, as headers are written. */
function isVariables(text: string): boolean {
  const lines = text.trim().split(/\r?\n/, MOST_LINES)
  return (
    lines.length > 1 &&
    (lines.every((line) => /^[A-Z_][A-Z\d_]*=[^=]*$/.test(line)) || lines.every((line) => /^[A-Z][\w-]*: \S[^:]*$/.test(line)))
  )
}

/** `app=cart,tier=web`, `app:cart, tier:web`, and `amy: 88, ben: 72` where numbers are taken, so that no other split fits. */
function isPairs(text: string, { others }: SchemaNode): boolean {
  const parts = text.trim().split(/\s*[,;]\s*|\s+(?=[\w.-]+=)/, MOST_PAIRS)
  const isTyped = others?.['type'] === 'integer' || others?.['type'] === 'number' || others?.['type'] === 'boolean'
  return (
    parts.length > 1 &&
    (parts.every((part) => /^[\w./-]{1,64}=[^=:]+$/.test(part) || (isTyped && /^[\p{L}\w .-]{1,64}:\s*[^=:]+$/u.test(part))) ||
      parts.every((part) => /^[a-z][\w./-]{0,63}:\s?[\w.-]+$/i.test(part)))
  )
}

/** A name with signs of JSON in it was cut out of something else. */
const PLAIN_NAME = /^[\w .-]+$|^\w+(?:\[\w+\])+$|^(["'`])[\w .-]+\1$|^[\p{L}\p{M}\p{N}_ -]+$/u

/** `search(query="cats", limit=5)` without the name of the tool. */
function uncalled(text: string): string {
  return /^[a-z][\w.]{0,63}\(([^()]*)\);?$/i.exec(text)?.[1] ?? text
}

/** A value with another pair in it: the text was split at the wrong signs. */
function hasPair(value: string, known: ReadonlySet<string>): boolean {
  for (const [, name = ''] of value.slice(0, LONGEST_VALUE).matchAll(/([\w-]{1,64})\s*[:=]/g)) if (known.has(nameForm(name))) return true
  return false
}

const LONGEST_VALUE = 10_000

/** Marks of a list, of bold text and of a hash of Ruby. */
function unmarked(text: string): string {
  return text
    .replace(/^\s*[-*•]\s+(?=\S+.*[:=])/gm, '')
    .replace(/\*\*([\w .-]{1,64}?)(:?)\*\*/g, '$1$2')
    .replace(/(?<=[\w"'])\s*=>\s*/g, '=')
}

const PAIRS: readonly { readonly between: RegExp; readonly sign: RegExp; readonly valueOf: (text: string) => string }[] = [
  { between: /&/, sign: /=/, valueOf: formValue },
  { between: /\r?\n/, sign: /[:=]/, valueOf: cleanText },
  { between: /[,;]\s*(?=[\w -]+[:=])/, sign: /[:=]/, valueOf: cleanText },
  { between: /\s+(?=[\w-]{1,64}=)/, sign: /=/, valueOf: cleanText },
]

/** A value of a form, which is encoded in one way. */
function formValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
