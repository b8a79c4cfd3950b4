import { bareValue } from './line-tokens.ts'

export type Pair = readonly [key: string, value: string]

const LONGEST_LINE = 2000
/** What draws a frame or a comment before a line. */
const DRAWN = /^[\s*+>|│├└─~-]+(?=\S)/
/** The other side of a frame. */
const FRAME_END = /(?:\s+[|│])+\s*$/
/** `**key:** value`, without what `DRAWN` took away. */
const BOLD = /^([A-Za-z][^*:]{0,60}?)(?::\*\*|\*\*:)(?=\s)/
/** In a comment only `key: value` is told; `key = value` is a setting that was taken out. */
const COMMENT = /^(?:#|--|\/\/|;)\s*/
const TAG = /^\[([A-Za-z][\w-]{0,40}) "(.{0,500})"\]$/
const PAIR = /^([A-Za-z_$@"'][\w .()/@"'$-]{0,60}?)\s*(?::|=>|:=|=)(?:\s+|(?=["'{[\d]))(\S.{0,1000})$/
/** `key | value`, as databases write a record from top to bottom. */
const BARRED = /^([A-Za-z_][\w .-]{0,60}?)\s*\|(?:\s+([^|]{0,1000}))?$/
/** `key "value"`, as lock files write it. */
const QUOTED = /^([a-z][\w.-]{0,60}) "([^"]{1,300})"$/
const DIRECTIVE = /^([a-z][a-z_-]{1,40})\s+([^;{}]{1,300});$/
const INLINE = /(?:^|[\s,;(])([A-Za-z_@][\w.@/-]{0,40})(?:=|: ?)("[^"]{0,300}"|'[^']{0,300}'|[^\s,;()]{1,300})/g
const OPENING = /^([A-Za-z_$@"'][\w .()/@"'$-]{0,60}?)\s*(?:[:=]\s*)?(?:[{[(]|:)$/

/** The `key: value` pairs of a line: one, or several beside each other; none for any other line. */
export function linePairs(whole: string): readonly Pair[] {
  const line = whole.slice(0, LONGEST_LINE).replace(DRAWN, '').replace(FRAME_END, '').replace(BOLD, '$1:').trim()
  const comment = COMMENT.exec(line)?.[0] ?? ''
  if (comment !== '') return line.includes('=') || !line.includes(': ') ? [] : linePairs(line.slice(comment.length))
  const tag = TAG.exec(line)
  if (tag !== null) return [[tag[1] ?? '', tag[2] ?? '']]
  const [, key, value] = PAIR.exec(line) ?? DIRECTIVE.exec(line) ?? BARRED.exec(line) ?? QUOTED.exec(line) ?? []
  const inline = /[=:].*\s\S*[=:]/.test(line) ? [...line.matchAll(INLINE)] : []
  const said = inline.reduce((sum, [all]) => sum + all.length, 0)
  const separated = separatedPairs(line)
  if (separated.length > Math.max(1, inline.length - 1)) return separated
  // Several pairs fill the line; a value with a colon in it does not.
  if (inline.length > 1 && said >= 0.75 * line.length) return inline.map(([, name = '', cell = '']) => [name, bareValue(cell)])
  if (key === undefined || value === undefined || value === '' || isCut(key) || key.split(' ').length > 4) return []
  return [[key.replace(/^["']|["']$/g, ''), bareValue(value)]]
}

const PART = /^([A-Za-z_@][\w.@/-]{0,40}(?: [\w.@/-]{1,20}){0,2})(?:\s?=\s?|: ?)(\S.{0,500})$/
const SEPARATORS = [/;\s+/, /,\s+/, /\s+\|\s+/, /\s+·\s+/] as const
/** So many of the parts between separators are pairs. */
const PAIRED = 0.6

/** `assignee: Ana Lind; distance: 2`: pairs with a mark between them, whose values may have several words. A part without a key belongs to the text before it. */
export function separatedPairs(line: string): readonly Pair[] {
  for (const separator of SEPARATORS) {
    const parts = line.slice(0, LONGEST_LINE).split(separator)
    if (parts.length < 2 || !PART.test(parts[0] ?? '')) continue
    const read = parts.map((part) => PART.exec(part))
    if (read.filter((each) => each !== null).length < Math.max(2, PAIRED * parts.length)) continue
    const pairs: [string, string][] = []
    read.forEach((each, at) => {
      const before = pairs.at(-1)
      if (each !== null) pairs.push([each[1] ?? '', bareValue(each[2] ?? '')])
      else if (before !== undefined && !/\d$/.test(before[1])) before[1] = `${before[1]}, ${parts[at] ?? ''}`
      else pairs.push(['text', parts[at] ?? ''])
    })
    return pairs
  }
  return pairsApart(line)
}

const APART = /^([A-Za-z][\w .-]{0,30}): (\S.{0,300})$/

/** `Shelf: K 396   Branch: Quarry Road`: pairs with room between them, and nothing else. */
function pairsApart(line: string): readonly Pair[] {
  const parts = line.slice(0, LONGEST_LINE).split(/\s{2,}/)
  const read = parts.map((part) => APART.exec(part))
  if (parts.length < 2 || read.includes(null)) return []
  return read.map((each): Pair => [each?.[1] ?? '', bareValue(each?.[2] ?? '')])
}

/** A bracket that is not closed: the colon stands inside of something else. */
function isCut(key: string): boolean {
  return key.includes('(') && !key.includes(')')
}

const NAMED = /(?:^|\s)([A-Za-z_]\w{0,30})=([^=\s][^=]{0,200}?)(?=\s+[A-Za-z_]\w{0,30}=|\s*$)/g

/** What a line names with `KEY=`, up to the next key: values of several words. */
export function namedValues(line: string): readonly Pair[] {
  return [...line.slice(0, LONGEST_LINE).matchAll(NAMED)].map(([, key = '', value = '']) => [key, bareValue(value)])
}

/** The name of what the lines below are in: `limits:`, `tags = {`. */
export function openedName(line: string): string | undefined {
  return OPENING.exec(line.slice(0, 200).trim())?.[1]
}
