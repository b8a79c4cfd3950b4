import { bareText, cleanText, latinLetters, plainForm } from './clean-text.ts'
import { decodedTexts } from './decode-text.ts'
import { type FieldKind, namesThing } from './field-kind.ts'
import { looseJson, unfenced } from './loose-json.ts'
import { nameForm, nameWords } from './name-words.ts'
import type { Place } from './place.ts'
import type { SchemaNode } from './schema-node.ts'
import type { Misfit } from './walk.ts'

const LONGEST = 1000

/** A text of the value, and the cost of getting it. */
export interface TextLayer {
  readonly text: string
  readonly rule: string
  readonly cost: number
  readonly isGuess?: boolean
}

/** The texts that are tried one after another. The rules for paths never see a decoded text. */
export function textLayers({ value, node, place }: Misfit): readonly (readonly TextLayer[])[] {
  if (typeof value === 'number' && value < 10_000 && place.words.some((word) => POSTAL.has(word))) return []
  if (typeof value !== 'string') return textsOf(value, { node, place }).filter((layer) => layer.every(({ text }) => isOfPair(text, node)))
  const bare = { text: bareText(value), rule: 'trim', cost: bareText(value) === value ? 0 : 1 }
  if (place.kind === 'path') return [[bare]]
  if (value.length > LONGEST && node.format !== 'uri') return [[bare]]
  const clean = cleanText(value)
  const layers: TextLayer[][] = [[bare]]
  if (clean !== bare.text) layers.push([{ text: clean, rule: 'invisible characters', cost: 1 }])
  const plain = place.kind === 'recipient' ? narrowForm(clean) : cleanText(plainForm(clean))
  if (plain !== clean) layers.push([{ text: plain, rule: 'unicode', cost: 1 }])
  const latin = latinLetters(plain)
  if (latin !== plain) layers.push([{ text: latin, rule: 'look-alike letters', cost: 1, isGuess: true }])
  const unquoted = /^"(?:[^"\\]|\\.)*"$/.test(clean) ? unquotedText(clean) : undefined
  if (unquoted !== undefined && unquoted !== clean) layers.push([{ text: unquoted, rule: 'unquoted', cost: 1 }])
  const inside = unfenced(value)
  if (inside !== value.trim()) layers.push([{ text: inside, rule: 'fence off', cost: 1 }])
  const tagged = /^<([a-z]{1,8})>([^<>]+)<\/\1>$/i.exec(clean)?.[2]?.trim()
  if (tagged !== undefined) layers.push([{ text: tagged, rule: 'markup off', cost: 1 }])
  const shown = node.pattern === undefined ? undefined : MASKED.exec(clean)?.[1]
  if (shown !== undefined) layers.push([{ text: shown, rule: 'mask off', cost: 2 }])
  const mentioned = node.pattern === undefined ? undefined : MENTION.exec(clean)?.[1]
  if (mentioned !== undefined) layers.push([{ text: mentioned, rule: 'mention off', cost: 1 }])
  const ended =
    isOpen(place.kind) && node.pattern === undefined
      ? /^(.*[\p{L}\d%])[.,;]$|^(.*\p{L}{3})!{1,3}$/u
          .exec(plain)
          ?.slice(1)
          .find((each) => each !== undefined)
      : undefined
  if (ended !== undefined) layers.push([{ text: ended, rule: 'sign at the end', cost: 1 }])
  const mail = node.format === 'email' ? /^(\S+@\S*\p{L})[,;]$/u.exec(plain)?.[1] : undefined
  if (mail !== undefined) layers.push([{ text: mail, rule: 'sign at the end', cost: 1 }])
  const drawn = node.listed === undefined ? plain : plain.replace(PICTURES, '').trim()
  if (drawn !== plain && drawn !== '') layers.push([{ text: drawn, rule: 'picture off', cost: 1 }])
  const named = withoutOwnName(plain, { node, place }) ?? withoutOwnNoun(plain, { node, place }) ?? withoutCall(plain)
  if (named !== undefined) layers.push([{ text: cleanText(named), rule: 'own name off', cost: 2 }])
  const decoded = decodedTexts(clean)
    .flatMap((each) => [cleanText(each), ...decodedTexts(each).map(cleanText)])
    .filter((each) => !opensPath(each, clean, node))
  if (decoded.length > 0) layers.push(decoded.map((text) => ({ text, rule: 'decoded', cost: 2 })))
  return layers
}

/** The text of which this one is the JSON. */
function unquotedText(text: string): string | undefined {
  const json = looseJson(text)?.value
  return typeof json === 'string' ? json : undefined
}

/** The digits of a number of which the others are hidden: `**** 4242`. */
const MASKED = /^(?:[*xX•·]{2,}[\s-]?){1,4}(\d{2,6})$/

/** How chats write the id of a person or a room: `<@U123>` and `<#C123|general>`. A word alone in such brackets is a gap to be filled: `<ID>`. */
const MENTION = /^<(?:[#@!]|(?=[^<>|]*[\d|]))([\w.-]+)(?:\|[^<>|]*)?>$/

/** Pictures before and behind a word. */
const PICTURES = /^(?:\p{Extended_Pictographic}\ufe0f?\s*)+|(?:\s*\p{Extended_Pictographic}\ufe0f?)+$/gu

/** A sign behind a recipient, an id or a path may be part of it, and so may one that a pattern judges. */
function isOpen(kind: FieldKind): boolean {
  return kind === 'plain' || kind === 'money' || kind === 'quantity'
}

/** `date: 2024-03-05` and `SKU: ABC-1234`: the name of the field, a word of it or the name of its format, and the value behind it. */
function withoutOwnName(text: string, { node, place }: Pick<Misfit, 'node' | 'place'>): string | undefined {
  const [, label = '', value] = /^(\p{L}[\p{L}\d _-]{0,40}?)\s*(?::(?!\/\/)|=)\s*(\S.*)$/u.exec(text) ?? []
  const form = nameForm(label)
  if (value === undefined || form === '') return undefined
  const title: unknown = node.schema['title']
  const own = [nameForm(place.key), ...place.words, node.format ?? '', typeof title === 'string' ? nameForm(title) : '']
  const isTold = node.pattern !== undefined && place.kind !== 'recipient' && form.length > 2 && nameForm(place.text).includes(form)
  return own.includes(form) ||
    own.includes(form.replace(/\d+$/, '')) ||
    isTold ||
    (node.format === 'uri' && (form === 'url' || form === 'link'))
    ? value
    : undefined
}

/** `SKU ABC-1234` and `Case No. 2024-17`: words of the name of the field before a value with digits that a pattern or a format judges. */
function withoutOwnNoun(text: string, { node, place }: Pick<Misfit, 'node' | 'place'>): string | undefined {
  const [, nouns = '', value] = /^((?:\p{L}+[.:]?\s+){1,3}|\p{L}+\s*(?=[#№]))[#№]?\s*(\S*\d.*)$/u.exec(text) ?? []
  if (value === undefined || (node.pattern === undefined && node.format === undefined)) return undefined
  const all = nameWords(nouns)
  // Before the noun, `no` says that there is none.
  const words = all.length > 1 && NUMBER_WORDS.has(all.at(-1) ?? '') ? all.slice(0, -1) : all
  const isPhone = place.kind === 'recipient' && value.startsWith('+') && words.length > 0 && words.every((word) => PHONES.has(word))
  return isPhone || (words.length > 0 && words.every((word) => place.words.includes(word))) ? value : undefined
}

const PHONES: ReadonlySet<string> = new Set(['tel', 'telephone', 'phone', 'mobile', 'cell'])

/** Words for the number of a thing. */
const NUMBER_WORDS: ReadonlySet<string> = new Set(['no', 'nr', 'num', 'number', 'id', 'code', 'ref', 'reference'])

/** How programs print or make a value: `new Date("2024-03-05")`, `UUID('...')`, `Decimal('5.00')`. */
const CALL =
  /^(?:new\s+)?(?:[A-Za-z]\w{0,20}\.)?(?:Date|ISODate|UUID|ObjectId|Decimal|Number|String|int|float|str|bool|Boolean|Timestamp|parse)\((["'])([^"'()]+)\1\)$/

function withoutCall(text: string): string | undefined {
  const day = /^(?:datetime\.)?(?:date|datetime)\((\d{4}), ?(\d{1,2}), ?(\d{1,2})\)$/.exec(text)
  return day === null ? CALL.exec(text)?.[2] : day.slice(1).join('-')
}

const PAIRS: Readonly<Record<string, string>> = { yes: 'no', no: 'yes', on: 'off', off: 'on', y: 'n', n: 'y', 1: '0', 0: '1' }

/** Where `off` is listed and `on` is not, false may as well mean another value; where nothing is listed, `no` may be a country. */
function isOfPair(text: string, { listed }: SchemaNode): boolean {
  const other = Object.hasOwn(PAIRS, text) ? PAIRS[text] : undefined
  if (listed === undefined) return other === undefined || /^\d$/.test(text)
  return other === undefined || /^\d$/.test(text) || listed.some(({ value }) => String(value).toLowerCase() === other)
}

/** Codes that may have lost a zero as numbers. */
const POSTAL: ReadonlySet<string> = new Set(['zip', 'zipcode', 'postal', 'postcode', 'postalcode', 'plz'])

/** A slash that only decoding brings in may lead out of a folder, whatever the field is called. */
function opensPath(decoded: string, given: string, { listed, format }: SchemaNode): boolean {
  return listed === undefined && format === undefined && /[\\/]/.test(decoded) && !/[\\/]/.test(given)
}

/** Full-width letters, digits and signs in their usual width, and hyphens of print between digits as the usual one. */
function narrowForm(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (character) => character.normalize('NFKC')).replace(/(?<=\d)[\u2010-\u2013](?=\d)/g, '-')
}

const WRITTEN: ReadonlySet<string> = new Set(['build', 'code', 'release', 'revision', 'semver', 'tag', 'ver', 'version'])

/** Whether a fraction may have lost zeros that the text needs, and no listed value tells them. */
function isWritten(value: unknown, { node, place }: { readonly node: SchemaNode; readonly place: Place }): boolean {
  const same = node.listed?.filter(
    (each) => typeof each.value === 'string' && /^\d+\.\d+$/.test(each.value) && Number(each.value) === value,
  )
  return place.words.some((word) => WRITTEN.has(word)) && same?.length !== 1
}

/** Numbers and booleans as texts. A fraction may have lost zeros that a version or a code needs. */
function textsOf(value: unknown, where: { readonly node: SchemaNode; readonly place: Place }): readonly (readonly TextLayer[])[] {
  const rule = 'as text'
  if (typeof value === 'boolean') {
    // A name is no yes or no: in other letters, `true` would be one.
    if (where.node.listed === undefined && (where.node.pattern !== undefined || namesThing(where.place))) return []
    return [
      [{ text: String(value), rule, cost: 1 }],
      [{ text: value ? 'yes' : 'no', rule, cost: 2 }],
      [{ text: value ? 'on' : 'off', rule, cost: 2 }],
      [{ text: value ? 'y' : 'n', rule, cost: 2 }],
    ]
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return []
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : !isWritten(value, where)
  const text = String(value)
  return isExact && !text.includes('e') ? [[{ text, rule, cost: 1 }]] : []
}
