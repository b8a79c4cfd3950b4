import type { FieldKind } from './field-kind.ts'

const SEPARATORS = ['-', '_', ' ', '.', '/', ':'] as const

/** A negative number, a fraction, two small numbers: their separators are part of the value. A year and a month are no fraction. */
const SIGNED = /^[+-]\d+(?:[.,]\d+)?$/
const FRACTION = /^(?!\d{4}\.\d\d$)\d+\.\d+$/
const SPACED = /^\d+\s\d{1,2}$/
/** Words beside each other are two words. */
const WORDS = /\p{L}{3,}\s+\p{L}{3,}/u
/** Capitals and digits in groups are no words: the number of a vehicle. */
const GROUPED = /^(?=.*\d)[A-Z\d]+(?: [A-Z\d]+)+$/
/** One of two, or both of them. */
const SEVERAL = /\p{L}\s*\/\s*\p{L}|[\p{L}\p{N}]\s+(?:and|or|vs|versus|not|to)\s+\p{L}/iu
const QUOTIENT = /^\d+[./]\d+$/
const RANGE = /^\d{1,6}[-\s]\d{1,6}$/

/** What stands before the base64 of a data URL. */
const DATA = /^data:[a-z]+\/[\w.+-]+(?:;[\w=-]+)*;base64,/i

/** Another notation of a text. */
export interface TextVariant {
  readonly text: string
  readonly rule: string
  readonly cost: number
}

/** More of them are a sentence, and no name that was written with blanks. */
const MOST_WORDS = 3

/** The dots and slashes of `U.S.A.` say nothing; those of `BRK.B` and `a/b.ts` set parts apart. */
function hasParts(text: string): boolean {
  const parts = text.split(/[./]/)
  return parts.length > 1 && /\p{L}/u.test(text) && parts.some((part) => part.length > 1)
}

interface PatternEvidence {
  readonly kind: FieldKind
  /** It names something that exists, so that the case of its letters may tell two of them apart. */
  readonly isName: boolean
  readonly isVersion: boolean
  /** It is a day, of which the digits alone would be another number. */
  readonly isDay: boolean
  /** It is a day of which the order is open: with other separators it would be told. */
  readonly isOpenDay: boolean
  /** It is made from the words of a title. */
  readonly isSlug: boolean
  /** It is a code for a thing that has a name too. */
  readonly isSymbol: boolean
  /** It begins with a sign that people write before such a name. */
  readonly isSigned: boolean
  /** It is written in a language whose words must stay as they are. */
  readonly isCode: boolean
  /** The pattern takes no capital letters at all. */
  readonly isSmall: boolean
  /** It is a row of parts between blanks. */
  readonly isCron: boolean
  /** It is bytes in base64. */
  readonly isBase64: boolean
  /** A code that people write in groups of digits. */
  readonly isPostal: boolean
  /** The pattern takes texts of one length only: `123-4567` can then not be a range. */
  readonly isFixed: boolean
  /** Its name says that it is a code, whose digits are no number. */
  readonly isNumbered: boolean
}

/**
 * Notations of a text that a pattern may ask for: its case, its separators, and at last no separators. Letters and digits stay. Groups by cost:
 * separators are left out only where no other one fits.
 */
export function patternVariants(
  text: string,
  {
    kind,
    isName,
    isVersion,
    isDay,
    isOpenDay,
    isSlug,
    isSymbol,
    isSigned,
    isCode,
    isSmall,
    isCron,
    isPostal,
    isFixed,
    isNumbered,
    isBase64,
  }: PatternEvidence,
): readonly (readonly TextVariant[])[] {
  if (kind === 'path' || /^[a-z\d]+:\/\//i.test(text) || (text.length > 200 && !DATA.test(text))) return []
  // Without its signs, the name of a resource would be another name.
  if (/^(?:arn|urn):/i.test(text)) return [casesOf(text)]
  // `5M` are months or millions, and `+44 (0)20` has a zero that is not dialled after the code of a country.
  if (/^\d+M$/.test(text) || /^\+.*\(0\)/.test(text)) return []
  // Small and capital letters side by side are a choice: without it, `cus_aB1` would be another customer.
  const isMixed = /\p{Lu}/u.test(text) && /\p{Ll}/u.test(text) && !(isSmall && isTitle(text))
  if (isMixed && (isName || kind === 'recipient')) return []
  // `HelloWorld` are two words or one, and `Apple` is the name of a thing that has a code.
  if ((isSlug && /\p{Ll}\p{Lu}/u.test(text)) || (isSymbol && /^\p{Lu}\p{Ll}{3,}$/u.test(text))) return []
  // The words of a person's name are no notation of an address.
  if (kind === 'recipient' && !/\d/.test(text))
    return [casesOf(text), isSigned ? casesOf(text.slice(1)).map(({ text: each }) => ({ text: each, rule: 'sign off', cost: 2 })) : []]
  // Words in a row are a sentence or a program, in which a capital letter may count.
  if (isCron) return [[{ text: text.trim().replace(/\s+/g, ' '), rule: 'blanks', cost: 2 }]]
  if (isCode || (/["'=]|\w\(/.test(text) && !DATA.test(text) && !isBase64)) return []
  const cased = [text, text.toLowerCase(), text.toUpperCase()]
  const keeps = SIGNED.test(text) || (FRACTION.test(text) && !(isFixed && isNumbered))
  const isSentence = /[\r\n\t]/.test(text) || (!isSlug && /\p{L}{3}/u.test(text) && text.split(/\s+/).length > MOST_WORDS)
  // A separator at an end separates nothing.
  const isBordered = /^[\s_\-./:]|[\s_\-./:]$/.test(text)
  // The other alphabet of base64 has two signs for two others, and no separators.
  if (isBase64) {
    const lines = text.replace(DATA, '').trim().split(/\s+/)
    // Lines of one length are broken bytes. Parts of several lengths are words between them.
    if (lines.slice(1, -1).some(({ length }) => length !== lines[0]?.length) || (lines.at(-1)?.length ?? 0) > (lines[0]?.length ?? 0))
      return []
    const bytes = lines.join('')
    return [[bytes, bytes.replaceAll('-', '+').replaceAll('_', '/')].map((each) => ({ text: each, rule: 'base64', cost: 2 }))]
  }
  const spaced =
    !/\s(?:and|or|vs|versus|not|to)\s/i.test(text) && /\S\s\S/.test(text) && !isSentence && /[_\-./:]/.test(text)
      ? ['_', '-'].map((each) => text.replace(/\s+/g, each))
      : []
  // A blank beside another sign is no separator of its own.
  const swapped =
    isOpenDay ||
    /[,;|#@$:]\s|\s[,;|]|\.\./.test(text) ||
    (!isSlug && SEVERAL.test(text)) ||
    isVersion ||
    keeps ||
    SPACED.test(text) ||
    isSentence ||
    isBordered ||
    (isDay && kind === 'recipient') ||
    /\p{L}.*\d\.\d|\d\.\d.*\p{L}/u.test(text)
      ? []
      : cased.map((each) => SEPARATORS.map((separator) => each.replace(/[\s_\-./:]+/g, separator)))
  const bare =
    keeps ||
    isDay ||
    isSentence ||
    (WORDS.test(text) && !GROUPED.test(text)) ||
    /\(\s*\p{L}|\.\./u.test(text) ||
    (!isSlug && SEVERAL.test(text)) ||
    (QUOTIENT.test(text) && keeps) ||
    /^\d+\/\d+$/.test(text) ||
    hasParts(text) ||
    (!isFixed && !(isPostal && /^\d{3}\s\d{2}$/.test(text)) && RANGE.test(text))
      ? []
      : cased.map((each) => each.replace(/[\s_\-./()]+/g, ''))
  const slug = isSlug && !/[^/]\/+[^/]/.test(text) ? slugOf(text) : text
  const unmarked = isVersion ? text.replace(/^v(?:ersion)?[\s.]*(?=\d)/i, '') : text
  return [
    casesOf(text),
    closedUp(text),
    [
      { text: unmarked, rule: 'version mark off', cost: 2 },
      { text: slug, rule: 'slug', cost: 2 },
      { text: text.replace(DATA, ''), rule: 'data URL off', cost: 2 },
      ...(isSigned ? cased.map((each) => ({ text: each.slice(1), rule: 'sign off', cost: 2 })) : []),
      ...(kind === 'recipient' && /^00\s?[1-9]/.test(text)
        ? bare.map((each) => ({ text: each.replace(/^00/, '+'), rule: 'phone notation', cost: 2 }))
        : []),
      ...(/^tel:/i.test(text) ? bare.map((each) => ({ text: each.replace(/^tel:/i, ''), rule: 'phone notation', cost: 2 })) : []),
    ],
    spaced.map((each) => ({ text: each, rule: 'separators', cost: 2 })),
    // Where the letters may stay as they are, their case is no second question.
    ...swapped.map((group) => group.map((each) => ({ text: each, rule: 'separators', cost: 2 }))),
    bare.map((each) => ({ text: each, rule: 'separators', cost: 3 })),
  ]
}

/** `Light.Sofa`: words with a capital each, as in a title, whose case is no choice. */
function isTitle(text: string): boolean {
  return (text.match(/\p{L}+/gu) ?? []).every((word) => /^\p{Lu}?\p{Ll}+$/u.test(word) && word.length > 2)
}

/** `id, total` and `(9:00 - 9:30)` without the blanks beside signs and without brackets around all of it; hours with two digits. */
function closedUp(text: string): readonly TextVariant[] {
  const inside = /^[([]([^()[\]]*)[)\]]$/.exec(text)?.[1] ?? text
  const closed = inside
    .replace(/(?<=[\p{L}\p{N}])\s*([,;/:|])\s*(?=[\p{L}\p{N}+-])|(?<=\d)\s+-\s+(?=\d)/gu, (_all, sign?: string) => sign ?? '-')
    .trim()
  const padded = closed.replace(/(?<![\d:.])(\d):(?=[0-5]\d(?!\d))/g, '0$1:')
  return [closed, padded].filter((each) => each !== text).map((each) => ({ text: each, rule: 'blanks', cost: 2 }))
}

/** The words of a title with dashes between them, as it stands in a link. */
function slugOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** `monday` and `MONDAY` as `Monday`. */
function capitalized(text: string): string {
  return /^\p{L}+$/u.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1).toLowerCase()}` : text
}

/** `europe/berlin` as `Europe/Berlin`. */
function titled(text: string): string {
  return /^\p{L}+(?:[/_-]\p{L}+)+$/u.test(text) ? text.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()) : text
}

function casesOf(text: string): readonly TextVariant[] {
  return [text, text.toLowerCase(), text.toUpperCase(), capitalized(text), titled(text)].map((each) => ({
    text: each,
    rule: 'case',
    cost: 1,
  }))
}

/** Notations of addresses, links and ids: `mailto:`, `Ann <ann@example.org>`, `[text](link)`, braces and dashes of a UUID. */
export function formatVariants(text: string, format: string): readonly TextVariant[] {
  const found = VARIANTS[format]?.(text)
  return found === undefined || found === text ? [] : [{ text: found, rule: `${format} notation`, cost: 2 }]
}

const VARIANTS: Readonly<Record<string, (text: string) => string | undefined>> = {
  email: mail,
  uri: link,
  url: link,
  ipv4: (text) => /^(?:https?:\/\/)?(\d{1,3}(?:\.\d{1,3}){3})(?:\/|\/32)?$/i.exec(text)?.[1],
  ipv6: (text) => /^\[([0-9a-f:.]+)\]$/i.exec(text)?.[1],
  uuid: (text) => {
    const digits = (/^https?:\/\/\S+\/([0-9a-f-]{36})\/?$/i.exec(text)?.[1] ?? text)
      .replace(/^urn:uuid:/i, '')
      .replace(/^[{(]|[)}]$/g, '')
      .replace(/[-_\s]/g, '')
    return /^[0-9a-f]{32}$/i.test(digits) ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase() : undefined
  },
}

const OTHERS = /\b(?:not?|never|except|without|instead|other than|or|was|old)\b/i

interface Mailbox {
  /** Empty where there is none. */
  readonly person: string
  readonly address: string
}

/** `Ann <ann@example.org>` in its parts. Before an address stands a name, and no condition. */
export function mailbox(text: string): Mailbox | undefined {
  const [, person = '', address] =
    text.length > 320
      ? []
      : (/^([^<>@]*)<([^<>\s]+)>$/.exec(text.trim()) ?? /^([^<>@()]*)\(([^<>\s()]+@[^<>\s()]+)\)$/.exec(text.trim()) ?? [])
  const isName = person.trim() === '' || (/^["'\p{L}\p{N}]/u.test(person) && !OTHERS.test(person))
  return address === undefined || !isName ? undefined : { person: person.trim().replace(/^(["'])(.*)\1$/, '$2'), address }
}

function mail(text: string): string | undefined {
  if (text.length > 320) return undefined
  const [, label = '', target] = /^\[([^\]]*)\]\(mailto:([^()\s]+)\)$/i.exec(text) ?? []
  // A label with another address: it is open which of the two is meant.
  if (target !== undefined && label.includes('@') && label.trim() !== target) return undefined
  const named = mailbox(text)?.address ?? target ?? text
  return named.replace(/^mailto:/i, '')
}

function link(text: string): string | undefined {
  if (text.length > 8000) return undefined
  const [, label = '', target] = /^!?\[([^\]]*)\]\((\S+?)(?:\s+"[^"]*")?\)$/.exec(text) ?? []
  if (target !== undefined && label.includes('://') && label.trim() !== target) return undefined
  const inside = target ?? /^<([^<>\s|]+)(?:\|[^<>|]*)?>$/.exec(text)?.[1] ?? /^\(([^()\s]+)\)$/.exec(text)?.[1] ?? anchored(text) ?? text
  // Two links are not one with a space in it.
  if (/[\s,;|][a-z][a-z0-9+.-]*:\/\//i.test(inside)) return undefined
  const isWritten = /^[a-z][a-z0-9+.-]*:\/\//i.test(inside)
  // Spaces and letters of other scripts inside a link have one encoding.
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(inside)?.[1] ?? ''
  // The name of a host has an encoding of its own.
  const [path = ''] = inside.split(/[?#]/, 1)
  const behind = /\s(.*)$/.exec(path)?.[1] ?? ''
  // Words behind a link are no part of it. A name with blanks goes on with one word, has an ending, or is the name of a folder.
  if (behind !== '' && !/^[\w-]+$|\S\.\w{1,5}$|\//.test(behind)) return undefined
  return isWritten && !/[^\x21-\x7e]/.test(host) && /[^\x21-\x7e]/.test(inside) && !/[\r\n\t]|\s{2}|%/.test(inside)
    ? encodeURI(inside)
    : inside
}

/** The target of `<a href="...">`. */
function anchored(text: string): string | undefined {
  return /^<a\s[^<>]*href=(["'])([^"'<>\s]+)\1[^<>]*>[^<>]*<\/a>$/i.exec(text)?.[2]
}
