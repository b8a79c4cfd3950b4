import { isRecord, type JsonSchema } from '../json-schema.ts'
import { cleanText, plainForm, visibleText } from './clean-text.ts'
import { decodedTexts } from './decode-text.ts'
import { sidesIn } from './sides.ts'
import { looksLikeJson, looseJson, unfenced } from './loose-json.ts'
import { itemPlace } from './place.ts'
import { after, isReading, type Outcome, type Reading, settle } from './reading.ts'
import { takes } from './schema-node.ts'
import { tableRows } from './table-text.ts'
import { textPairs } from './text-pairs.ts'
import { callsOtherTool } from './unwrap.ts'
import type { Misfit } from './walk.ts'

/** Repairs a text where an object or a list is taken: JSON as text, a list as text, pairs. */
export function fixTextContainer(misfit: Misfit): Outcome {
  const { value, node } = misfit
  const text = withoutCover(String(value), misfit)
  if (!takes(node, 'object') && !takes(node, 'array')) return NOTHING
  if (callsOtherTool(text, misfit)) return { because: 'it is a call of another tool' }
  const isJson = looksLikeJson(text)
  const found = isJson || /^\s*["'`]/.test(text) ? jsonReading(text, misfit) : undefined
  if (found !== undefined) return found
  for (const decoded of decodedTexts(text)) {
    const inside = looksLikeJson(decoded) ? jsonReading(decoded, misfit) : undefined
    if (inside !== undefined && isReading(inside)) return inside
  }
  const words = takes(node, 'array') ? bracketed(text, typesItems(misfit)) : undefined
  if (words !== undefined) {
    const whole = misfit.walk.fix(node.schema, words, misfit.place)
    if (isReading(whole)) return after({ path: misfit.place.path, from: value, to: words, rule: 'text to list', cost: 3 }, whole)
  }
  const several = isJson && takes(node, 'array') ? jsonItems(text) : undefined
  if (several !== undefined) {
    const whole = misfit.walk.fix(node.schema, several, misfit.place)
    if (isReading(whole)) return after({ path: misfit.place.path, from: value, to: several, rule: 'text to list', cost: 3 }, whole)
  }
  // Broken JSON is not read as a list of words.
  if (isJson) return { because: 'it is no whole JSON value' }
  const rows = takes(node, 'array') ? tableRows(text) : undefined
  const table = rows === undefined ? undefined : misfit.walk.fix(node.schema, rows, misfit.place)
  if (table !== undefined && isReading(table))
    return after({ path: misfit.place.path, from: value, to: rows, rule: 'table', cost: 3 }, table)
  const readings = [
    ...(takes(node, 'object') ? textPairs(unfenced(text), misfit) : []),
    ...(takes(node, 'array') ? lists(text, misfit) : []),
  ]
  return settle(readings, () => 'it is a text')
}

/** The text without invisible characters and without marks, tags or quotes around all of it. */
function withoutCover(text: string, misfit: Misfit): string {
  if (text.length > LONGEST_COVERED) return text
  // The quotes of a text of JSON are read with what they escape.
  const clean = text.includes('\\') ? visibleText(text) : cleanText(text)
  const tagged = /^<(b|strong|em|i|p|code|pre|span|li)>([^<>]+)<\/\1>$/i.exec(clean)?.[2]?.trim() ?? clean
  const quoted = /^(["'`])\s*([[({].*[\])}])\s*\1$/s.exec(tagged)?.[2]
  const inside = quoted !== undefined && !/\\/.test(quoted) ? quoted : tagged
  const plain = plainForm(inside)
  if (looksLikeJson(plain) || typesItems(misfit)) return plain
  return inside === text.trim() ? text : inside
}

const LONGEST_COVERED = 10_000

/** Objects of JSON on lines of their own, or between commas, without the brackets of their list. */
function jsonItems(text: string): readonly unknown[] | undefined {
  const lines = text.trim().split(/\r?\n/)
  const items = text.trim().startsWith('{')
    ? looseJson(`[${lines.length > 1 && !/,\s*$/.test(lines[0] ?? '') ? lines.join(',') : text}]`)?.value
    : undefined
  return Array.isArray(items) && items.length > 1 && items.every(isRecord) ? items : undefined
}

/** `[red, dark green]`: a list whose items lack their quotes. */
function bracketed(text: string, isTyped: boolean): readonly string[] | undefined {
  const inside = (isTyped ? /^\[([^[\]{}"'`]+)\]$/ : /^\[([\p{L}\p{N}\s,_.-]+)\]$/u).exec(text.trim())?.[1]
  const items = inside?.split(/^\s*[-\d.]+(?:\s+[-\d.]+)+\s*$/.test(inside) ? /(?<=\S)\s+(?=\S)/ : ',').map((each) => each.trim())
  return items === undefined || items.includes('') ? undefined : items
}

const NOTHING: Outcome = { because: 'it is a text' }

function jsonReading(text: string, { node, value, place, walk }: Misfit): Outcome | undefined {
  const json = looseJson(text)
  if (json === undefined || (typeof json.value === 'string' && json.value.length >= text.trim().length)) return undefined
  const fixed = walk.fix(node.schema, json.value, { ...place, depth: place.depth + 1 })
  const change = {
    path: place.path,
    from: value,
    to: json.value,
    rule: json.isLoose ? 'loose JSON text' : 'JSON text',
    cost: json.isLoose ? 3 : 2,
  }
  return isReading(fixed) ? after(change, fixed) : fixed
}

const SEPARATED = /\b(?:comma|space|semicolon|pipe|newline)[ -](?:separated|delimited)/
const LABELS: ReadonlySet<string> = new Set(
  'tags labels keywords categories topics fields columns colors colours languages skills ingredients hashtags genres scopes roles symbols tickers countries options choices'.split(
    ' ',
  ),
)

function lists(text: string, misfit: Misfit): readonly Reading[] {
  const { node, value, place, walk } = misfit
  const readings: Reading[] = []
  const add = (list: readonly unknown[], rule: string, cost: number): boolean => {
    const fixed = walk.fix(node.schema, list, place)
    if (isReading(fixed)) readings.push(after({ path: place.path, from: value, to: list, rule, cost }, fixed))
    return isReading(fixed)
  }
  const { items } = node.schema
  // A text for lists in a list does not tell which of its signs part which.
  if (isRecord(items) && items['type'] === 'array') return []
  const parts = enumerated(text) ?? partsOf(text, misfit)
  const isTyped = typesItems(misfit)
  // Markup and calls of a program are no label.
  if (parts.length === 0 || NONE.test(text) || isCut(text) || (!isTyped && /^<[^<>]+>.*<\/|^\w+\(\[?["']/.test(text.trim()))) return []
  if (parts.length > 1) {
    const isShort = parts.every((part) => part.split(/\s+/).length <= 3)
    const isLicensed =
      isTyped ||
      SEPARATED.test(place.text) ||
      isMarked(text) ||
      enumerated(text) !== undefined ||
      areNames(text, parts) ||
      /\S\s(?:->|→)\s\S/.test(text) ||
      (isShort && (isLabels(misfit) || /;/.test(text) || isLines(text)))
    if (isLicensed) add(parts, 'text to list', 2)
    // A list that does not fit is no single label.
    if (isLicensed && !isTyped) return readings
    if (!isLicensed && add(parts, 'text to list', 2)) add([text], 'one to list', 2)
    else add([text], 'one to list', 2)
    return readings
  }
  const apart = isTyped ? ([blankParts(text, misfit), joinedParts(text, misfit)].find((each) => each.length > 1) ?? []) : []
  if (apart.length > 1) {
    add(apart, 'text to list', 2)
    return readings
  }
  if (isTyped || !(SEVERAL.test(text) || text.trim().includes('\t') || hasWords(text, misfit))) add([text], 'one to list', 2)
  return readings
}

/** `src/a.ts, src/b.ts`: names of programs, which have signs inside them and no blanks, so that no comma is a part of one. */
function areNames(text: string, parts: readonly string[]): boolean {
  return (
    !/;|\|/.test(text) &&
    parts.every((part) => /^[\w@#$~./\\:+-]+$/.test(part) && /[\w@#][./\\_@:]\w|^[@#./~]\w/.test(part) && /[a-z]/i.test(part))
  )
}

/** Whether a bracket is open at the end: a part of JSON is no label. */
function isCut(text: string): boolean {
  return /\[[^\]]*$|\{[^}]*$/.test(text)
}

/** `milk, eggs and bread`: commas, and a word before the last item. Each item is short. */
function enumerated(text: string): readonly string[] | undefined {
  if (text.length > LONGEST_JOINED || !/^[^,;\n]+(?:,\s[^,;\n]+)+,?\s(?:and|&)\s[^,;\n]+$/i.test(text.trim())) return undefined
  const parts = text.trim().split(/,?\s(?:and|&)\s|,\s/i)
  return parts.every((part) => /^[\p{L}\d][^.!?:]*$/u.test(part) && part.split(/\s+/).length <= 3) ? parts : undefined
}

/** Whether every line is a name, and none a part of a sentence. */
function isLines(text: string): boolean {
  const lines = text.trim().split(/\r?\n/, MOST_WORDS)
  return lines.length > 1 && lines.every((line) => /^\s*[\p{L}\d][^,;:!?]*[\p{L}\d]\s*$/u.test(line))
}

/** Whether every line is marked as an item, by a dash or by its number. */
function isMarked(text: string): boolean {
  const lines = text.trim().split(/\r?\n/, MOST_WORDS)
  if (lines.length < 2) return false
  return (
    lines.every((line) => /^\s*[-*•]\s+\S/.test(line)) ||
    lines.every((line, index) => new RegExp(`^\\s*${index + 1}[.)]\\s+\\S`).test(line))
  )
}

/** `trk_1 trk_2`: parts between blanks, each of which fits the items as it is, and the whole does not. */
function blankParts(text: string, { node, walk }: Misfit): readonly string[] {
  const { items, prefixItems } = node.schema
  const parts = text.trim().split(/\s+\/\s+|\s+/, MOST_WORDS)
  if (Array.isArray(prefixItems)) return parts.length === prefixItems.length && prefixItems.every(isNumbers) ? parts : []
  // A word between two items is no item, even if it looks like one.
  if (parts.some((part) => CONNECTING.test(part))) return []
  if (!isRecord(items) || parts.length < 2 || walk.read(items).listed !== undefined || walk.fits(items, text.trim())) return []
  const isOneNumber = /^\d{1,3}(?:\s\d{3})+$/.test(text.trim()) && !isOfCodes(parts, { node, walk })
  const isDigits = isNumbers(items) && parts.every((part) => /^\d+$/.test(part)) && !isOneNumber
  return isDigits || parts.every((part) => walk.fits(items, part)) ? parts : []
}

/** Signs between the items of a list of codes. Two with a dash between them may be the ends of a range. */
const JOINED = [/\s+and\s+|\s*&\s*/i, /\s*\/\s*/, /\s*(?:>|->|→)\s*/, /\s*[-–]\s*/]

/** `OSL-CPH-JFK` and `C14 and C15`: parts of which each is an item, where the whole is none. */
function joinedParts(text: string, { node, place, walk }: Misfit): readonly string[] {
  const { items } = node.schema
  if (!isRecord(items) || text.length > LONGEST_JOINED || isReading(walk.fix(items, text, itemPlace(place, 0, items)))) return []
  const found = JOINED.map((sign, index) => ({ parts: text.trim().split(sign), least: index === JOINED.length - 1 ? 3 : 2 })).find(
    ({ parts, least }) => parts.length >= least && parts.every((part) => isReading(walk.fix(items, part, itemPlace(place, 0, items)))),
  )
  const tags = text.trim().split(/\s+/)
  const isTags =
    tags.length > 1 && tags.every((part) => /^[#@]\w/.test(part) && isReading(walk.fix(items, part, itemPlace(place, 0, items))))
  return found?.parts ?? (isTags ? tags : [])
}

const LONGEST_JOINED = 300

const CONNECTING = /^(?:and|or|und|oder|et|ou|y|og|och|not|no|but|with|plus|to|from)$/i

/** Words for no item at all. */
const NONE = /^\s*(?:null|none|nil|n\/?a|undefined|empty|-+)\s*$/i

/** The items of a text that lists several, where the schema of the items would not take a wrong split. */
export function severalIn(text: string, misfit: Misfit): readonly unknown[] {
  const json = typesItems(misfit) && /^\s*\[/.test(text) ? looseJson(text)?.value : undefined
  if (Array.isArray(json)) return json
  const parts = typesItems(misfit) ? partsOf(text, misfit) : []
  return parts.length > 1 ? parts : []
}

/** `Ann and Bob`: one item or two. A longer text is prose. */
const SEVERAL = /^\S+(?:\s\S+)?\s*(?:\s(?:and|or|und|et|y|og|och)\s|\s&\s|\s\/\s)\s*\S+(?:\s\S+)?$/i

const MOST_WORDS = 100

const ARGUMENTS: ReadonlySet<string> = new Set(['args', 'argv', 'arguments', 'argument', 'command', 'cmd', 'flags'])

/** A command line is several arguments, but how it is split depends on a shell. `#a #b` are several labels, `a.ts b.ts` are two files. */
function hasWords(text: string, { place }: Misfit): boolean {
  const parts = text.trim().split(/\s+/, MOST_WORDS)
  if (parts.length < 2) return false
  if (place.words.some((word) => ARGUMENTS.has(word)) || parts.every((part) => part.startsWith('#'))) return true
  return place.kind === 'path' && parts.every((part) => /[^.]\.\w{1,6}$|\//.test(part))
}

function partsOf(text: string, { node, walk }: Misfit): readonly string[] {
  if (text.length > 100_000) return [text]
  const lines = unbracketed(text)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  if (lines.length > 1) return lines.map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
  const items = node.schema['items']
  const isListed = isRecord(items) && Array.isArray(items['enum'])
  // `59,9, 10,7`: some commas separate, and others may be decimal signs. `1,234` is two numbers, or one with thousands.
  if ((/\d,\d/.test(text) && /,\s/.test(text)) || (isGrouped(text) && !isOfCodes(text.split(','), { node, walk }))) return []
  const sides = sidesIn(text)
  // `2 x 1` may be two of them, where a list has no length of its own.
  if (sides.length > 1) return sides.length === lengthOf(node.schema) ? sides : []
  const separator = /\s(?:->|→)\s|→/.test(text)
    ? /->|→/
    : /;/.test(text)
      ? /;/
      : /、/.test(text)
        ? /、/
        : /\|/.test(text)
          ? /\|/
          : isListed || isAddresses(items) || isNumbers(items)
            ? /,| and | & /
            : /,/
  const parts = unbracketed(text)
    .replace(/[,;|]\s*$/, '')
    .split(separator)
    .map((part) => part.trim().replace(/^and\s+/i, ''))
  if (isListed && parts.length === 1) return listedParts(text, items['enum'])
  return parts.every((part) => part !== '') ? parts.map(cleanText) : []
}

function isGrouped(text: string): boolean {
  return /^[1-9]\d{0,2}(?:,\d{3})+$/.test(text)
}

/** `200,204` and `80,443` where each number could be taken, and all of them as one number could not. */
function isOfCodes(parts: readonly string[], { node, walk }: Pick<Misfit, 'node' | 'walk'>): boolean {
  const { items } = node.schema
  if (!isRecord(items) || parts.some((part) => part.startsWith('0'))) return false
  return parts.every((part) => walk.fits(items, Number(part))) && !walk.fits(items, Number(parts.join('')))
}

/** The number of items of a list of numbers that has always as many. */
function lengthOf({ prefixItems, items, minItems, maxItems }: JsonSchema): number | undefined {
  if (Array.isArray(prefixItems)) return prefixItems.every(isNumbers) ? prefixItems.length : undefined
  return isNumbers(items) && typeof minItems === 'number' && minItems === maxItems ? minItems : undefined
}

/** `mon/wed` and `mon wed`, where each part is a listed value and the whole is none. */
function listedParts(text: string, listed: unknown): readonly string[] {
  const values = new Set(Array.isArray(listed) ? listed.map((each) => String(each).toLowerCase()) : [])
  const parts = text.trim().split(/\s*[/+]\s*|\s+/)
  return parts.every((part) => values.has(part.toLowerCase())) ? parts : [cleanText(text)]
}

/** Items that have no blanks inside them. */
function isAddresses(items: unknown): boolean {
  return isRecord(items) && (items['format'] === 'email' || items['format'] === 'uuid')
}

function isNumbers(items: unknown): boolean {
  return isRecord(items) && (items['type'] === 'integer' || items['type'] === 'number')
}

/** `(1, 2)`, as some languages write a list. */
function unbracketed(text: string): string {
  return /^\s*\(([^()]*)\)\s*$/.exec(text)?.[1] ?? text
}

/** Whether the items are more than texts, so that a wrong split would not fit. */
function typesItems({ node, walk }: Misfit): boolean {
  const { items, prefixItems } = node.schema
  if (Array.isArray(prefixItems)) return true
  if (!isRecord(items)) return false
  const { types, listed, format, pattern } = walk.read(items)
  return listed !== undefined || format !== undefined || pattern !== undefined || (types !== undefined && !types.has('string'))
}

function isLabels({ place }: Misfit): boolean {
  return place.words.some((word) => LABELS.has(word))
}
