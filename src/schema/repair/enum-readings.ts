import { DOUBT } from './doubt-words.ts'
import { otherForms } from './enum-forms.ts'
import type { ListedValue } from './schema-node.ts'
import { withoutNameSign } from './name-sign.ts'
import { nameWords } from './name-words.ts'
import { americanSpelling } from './spelling.ts'
import { isOtherMeasure, sameMeasures, withEnding } from './same-measure.ts'
import { wordsFor } from './enum-words.ts'
import { standardNames } from './standard-names.ts'
import { isOneSlip, areNear } from './one-slip.ts'
import { fixedNotations } from './pattern-notations.ts'
import type { Place } from './place.ts'

/** A listed value that a text may stand for. */
export interface EnumReading {
  readonly value: unknown
  readonly rule: string
  readonly cost: number
  /** It is a guess, which is no repair of a protected field. */
  readonly isGuess?: boolean
}

interface Named {
  readonly value: unknown
  readonly name: string
}

/**
 * The listed values that a text may stand for, by a ladder: case, separators, accents, labels, the name of the field beside it, one slip. The
 * first step with a value decides; several values on one step are a tie.
 */
export function enumReadings(text: string, listed: readonly ListedValue[], place: Place): readonly EnumReading[] {
  const names = listed.flatMap(({ value }) =>
    typeof value === 'string' || typeof value === 'number' ? [{ value, name: String(value) }] : [],
  )
  const labels = labelsOf(listed, names, place)
  for (const { rule, cost, form } of FORMS) {
    const found = matches(names, text, form)
    if (found.length > 0) return found.map(({ value }) => ({ value, rule, cost }))
  }
  const measures = [...sameMeasures(text, names), ...withEnding(text, names)]
  if (measures.length > 0) return measures.map(({ value }) => ({ value, rule: 'enum measure', cost: 2 }))
  const written = distinct(
    (isOtherMeasure(text, names) ? [] : fixedNotations(text, (each) => names.some(({ name }) => name === each))).flatMap((each) =>
      matches(names, each, asGiven),
    ),
  )
  if (written.length > 0) return written.map(({ value }) => ({ value, rule: 'enum notation', cost: 2 }))
  const ratio = /^(\d+)\s*[x×/:]\s*(\d+)$/i.exec(text)
  const shaped = ratio === null ? [] : names.filter(({ name }) => name === `${ratio[1]}:${ratio[2]}`)
  if (shaped.length > 0) return shaped.map(({ value }) => ({ value, rule: 'enum notation', cost: 2 }))
  const plain = withoutSign(text, names, place)
  if (plain !== undefined)
    for (const { form } of FORMS.slice(0, 2)) {
      const found = matches(names, plain, form)
      if (found.length > 0) return found.map(({ value }) => ({ value, rule: 'enum sign', cost: 2 }))
    }
  for (const { form } of FORMS) {
    const found = matches(labels, text, form)
    if (found.length > 0) return found.map(({ value }) => ({ value, rule: 'enum label', cost: 2 }))
  }
  const bare = withoutKey(text, place)
  if (bare !== undefined)
    for (const { form } of FORMS) {
      const found = matches([...names, ...labels], bare, form)
      if (found.length > 0) return found.map(({ value }) => ({ value, rule: 'enum with its name', cost: 2 }))
    }
  const related = relatedValues(text, names, place)
  if (related.length > 0) return related
  const meant = wordsFor(text, names)
  if (meant.length > 0) return meant.map(({ value }) => ({ value, rule: 'enum by its kind', cost: 3 }))
  const forms = otherForms(text, names, {
    areNames: place.words.some((word) => (NAMES.has(word) && word !== 'species') || ENVIRONMENTS.has(word)),
    areActions: place.words.some((word) => ACTIONS.has(word)),
  })
  if (forms.length > 0) return forms.map(({ value }) => ({ value, rule: 'enum in another form', cost: 4, isGuess: true }))
  const explained = withoutGloss(text, names, labels)
  if (explained.length > 0) return explained.map(({ value }) => ({ value, rule: 'enum with a note', cost: 3, isGuess: true }))
  return slips(text, [...names, ...labels], place)
}

/** Values that only a prefix that all of them share, or another pair of words for yes and no, tells apart from the text. */
function relatedValues(text: string, names: readonly Named[], { words }: Place): readonly EnumReading[] {
  const pair = ofPair(text, names)
  if (pair !== undefined) return [{ value: pair.value, rule: 'enum pair', cost: 2 }]
  const gender = words.some((word) => word === 'gender' || word === 'sex') ? GENDERS[text.toLowerCase()] : undefined
  const told = names.filter(({ name }) => name.toLowerCase() === gender)
  if (told.length > 0) return told.map(({ value }) => ({ value, rule: 'enum by its standard', cost: 2 }))
  const standard = standardNames(text, names)
  if (standard.length > 0) return standard.map(({ value }) => ({ value, rule: 'enum by its standard', cost: 2 }))
  const marked = [...mediaNamed(text, names), ...signedNames(text, names)]
  if (marked.length > 0) return marked.map(({ value }) => ({ value, rule: 'enum by its standard', cost: 2 }))
  const short = withoutPrefix(names, words)
  return matches(short, text, withoutSeparators).map(({ value }) => ({ value, rule: 'enum prefix', cost: 2 }))
}

/** `png` where only types of media such as `image/png` are listed. */
function mediaNamed(text: string, names: readonly Named[]): readonly Named[] {
  if (names.length < 2 || !names.every(({ name }) => /^[a-z]+\/[a-z\d.+-]+$/.test(name))) return []
  const given = text.toLowerCase().replace(/^\./, '')
  const found = names.filter(({ name }) => name.endsWith(`/${given === 'jpg' ? 'jpeg' : given}`))
  return found.length === 1 ? found : []
}

/** `AB positive` where every listed value ends with a plus or a minus. */
function signedNames(text: string, names: readonly Named[]): readonly Named[] {
  const [, bare, word = ''] = /^(\S+)\s+(pos(?:itive)?|neg(?:ative)?|plus|minus)\.?$/i.exec(text) ?? []
  if (bare === undefined || names.length < 2 || !names.every(({ name }) => /[+-]$/.test(name))) return []
  return names.filter(({ name }) => name.toLowerCase() === `${bare.toLowerCase()}${/^p/i.test(word) ? '+' : '-'}`)
}

const GENDERS: Readonly<Record<string, string>> = { m: 'male', f: 'female', man: 'male', woman: 'female', male: 'm', female: 'f' }

const YES: ReadonlySet<string> = new Set(['yes', 'y', 'true', 't', 'on', '1', 'enabled'])
const NO: ReadonlySet<string> = new Set(['no', 'n', 'false', 'f', 'off', '0', 'disabled'])

/** `yes` where `Y` and `N` are the only values. */
function ofPair(text: string, names: readonly Named[]): Named | undefined {
  const [first, second, ...more] = names
  if (first === undefined || second === undefined || more.length > 0) return undefined
  const yes = [first, second].find(({ name }) => YES.has(name.toLowerCase()))
  const no = [first, second].find(({ name }) => NO.has(name.toLowerCase()))
  if (yes === undefined || no === undefined) return undefined
  return YES.has(text.toLowerCase()) ? yes : NO.has(text.toLowerCase()) ? no : undefined
}

/** `STATUS_OPEN` and `STATUS_CLOSED` without the word before them: a word of the field, so that it says nothing. */
function withoutPrefix(names: readonly Named[], words: readonly string[]): readonly Named[] {
  const heads = new Set(names.map(({ name }) => nameWords(name)[0] ?? ''))
  const [head = ''] = heads
  if (names.length < 2 || heads.size > 1 || !words.includes(head)) return []
  return names.map(({ value, name }) => ({ value, name: nameWords(name).slice(1).join(' ') }))
}

/** `NO - Norway` where Norway is the label of NO, `NOK (Norwegian krone)` and `Norwegian krone (NOK)`: one value and what it means. */
function withoutGloss(text: string, names: readonly Named[], labels: readonly Named[]): readonly Named[] {
  if (text.length > LONGEST_LABEL) return []
  const [, first = '', second = ''] = /^([^()]+?)\s*\(([^()]+)\)$/.exec(text) ?? /^(.+?)\s*(?:[–—:]|\s-\s|=)\s*(.+)$/.exec(text) ?? []
  const lower = (each: string): string => each.trim().toLowerCase()
  const [one, other] = [first, second].map((part) => names.filter(({ name }) => withoutSeparators(name) === withoutSeparators(part.trim())))
  const found = one?.length === 0 ? other : one
  const gloss = one?.length === 0 ? first : second
  const [only] = found ?? []
  // `dark (red)` is `dark_red` if there is one.
  if (names.some(({ name }) => withoutSeparators(name) === withoutSeparators(`${first} ${second}`))) return []
  // Two values, or a value with a condition, are no value with a note.
  if (first === '' || only === undefined || found?.length !== 1 || (one?.length ?? 0) + (other?.length ?? 0) > 1 || DOUBT.test(gloss))
    return []
  const isLabel = labels.some(({ value, name }) => value === only.value && lower(name) === lower(gloss))
  if (labels.some(({ value, name }) => value !== only.value && lower(name) === lower(gloss))) return []
  const isWords = /^\p{L}[\p{L}\s.'-]*$/u.test(gloss.trim()) && lower(only.name).length >= 2
  // Behind a dash the note is a reason, in which no other value is named.
  const isReason =
    one?.length !== 0 && gloss.trim().split(/\s+/).length > 2 && !names.some(({ name }) => lower(gloss).includes(lower(name)))
  const isStandard = standardNames(gloss.trim(), names).some(({ value }) => value === only.value)
  return isLabel || isStandard || (isWords && (text.endsWith(')') || isReason)) ? [only] : []
}

const FORMS: readonly { readonly rule: string; readonly cost: number; readonly form: (text: string) => string }[] = [
  { rule: 'enum as text', cost: 1, form: asGiven },
  { rule: 'enum case', cost: 1, form: (text) => text.toLowerCase() },
  { rule: 'enum separators', cost: 2, form: withoutSeparators },
  { rule: 'enum spelling', cost: 2, form: inOneSpelling },
  { rule: 'enum spelling', cost: 2, form: withWords },
  // The stroke of `≠` is no accent: without it, the sign says the opposite.
  { rule: 'enum accents', cost: 2, form: (text) => withoutSeparators(text.normalize('NFD').replace(/(?<=\p{L})\p{M}+/gu, '')) },
]

/** The sign for `and` as a word, and the letters that German writes as two where there is no other way: `Zuerich`. */
function withWords(text: string): string {
  const spelled = text
    .toLowerCase()
    .replace(/\s*&\s*/g, ' and ')
    .replace(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter)
  return withoutSeparators(spelled)
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

function asGiven(text: string): string {
  return text
}

/** Words only: a sign would be lost among them. */
function inOneSpelling(text: string): string {
  return /^\p{L}[\p{L}\s_-]*\p{L}$/u.test(text) ? nameWords(text).map(americanSpelling).join('') : withoutSeparators(text)
}

/**
 * Signs (`c++`, `<=`) stay. So do separators between two digits (1.5 is not 15) and a dash at an end: `-created` sorts the other way, and
 * `a-` is another grade.
 */
function withoutSeparators(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/(?<=\d)[\s_\-./](?=\d)/g, '\u0001')
    .replace(/^-|-$|(?<=\d)_$/g, '\u0002')
    .replace(/[\s_\-./]+/g, '')
}

/** An item of a list, and a value in brackets. */
const MARKED = /^(?:\(?\d{1,2}[.)]|[-*•])\s+(\p{L}[\p{L}\d\s_-]*)$/u
const BRACKETED = /^(?:\[|<|\(|\*)(\p{L}[\p{L}\d\s_-]*)(?:\]|>|\)|\*)$/u

const VERSION = /^v(?:ersion)?[\s.]*(\d[\d.]*)$/i

/** `#incidents`, `high,` and the `v2.0` of a version without the sign, where no listed value has one there. */
function withoutSign(text: string, names: readonly Named[], { words }: Place): string | undefined {
  const bare =
    withoutNameSign(text, words) ??
    (words.includes('version') && !names.some(({ name }) => VERSION.test(name)) ? VERSION.exec(text)?.[1] : undefined) ??
    /^\*\.([a-z\d]+)$/i.exec(text)?.[1] ??
    MARKED.exec(text)?.[1] ??
    BRACKETED.exec(text)?.[1] ??
    /^(\p{L}[\p{L}\d\s_-]*)[.:;,]$/u.exec(text)?.[1]
  return bare === undefined || names.some(({ name }) => /^[#@]|[.:;,]$/.test(name)) ? undefined : bare
}

function matches(names: readonly Named[], text: string, form: (text: string) => string): readonly Named[] {
  const wanted = form(text)
  if (wanted === '') return []
  return distinct(names.filter(({ name }) => form(name) === wanted))
}

function distinct(names: readonly Named[]): readonly Named[] {
  return names.filter(({ value }, index) => names.findIndex((each) => each.value === value) === index)
}

const LONGEST_LABEL = 60

/** Labels from titles, and from descriptions such as `S = small, M = medium` or `small (S)`. */
function labelsOf(listed: readonly ListedValue[], names: readonly Named[], { text }: Place): readonly Named[] {
  const own = listed.flatMap(({ value, labels }) => labels.filter(({ length }) => length <= LONGEST_LABEL).map((name) => ({ value, name })))
  if (text === '' || names.length > 100) return own
  const told = names.flatMap(({ value, name }) => {
    const escaped = name.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    const before = new RegExp(
      `(?<![\\w-])['"\`]?${escaped}['"\`]?\\s*(?:=|:|-|–|is|means|for)\\s+['"]?([\\p{L}][\\p{L} -]{0,30}?)['"]?(?=[,;.)]|$| and | or )`,
      'u',
    )
    const behind = new RegExp(`([\\p{L}][\\p{L}-]{0,30}) \\(['"\`]?${escaped}['"\`]?\\)`, 'u')
    const noted = new RegExp(`(?<![\\w-])['"\`]?${escaped}['"\`]?\\s*\\(([\\p{L}][\\p{L} -]{0,30})\\)`, 'u')
    const equal = new RegExp(`(?<![\\w-])${escaped}=([\\p{L}]{2,30})`, 'u')
    return [before, behind, noted, equal].flatMap((pattern) => {
      const label = pattern.exec(text)?.[1]?.trim()
      return label === undefined || names.some((each) => each.name.toLowerCase() === label) ? [] : [{ value, name: label }]
    })
  })
  return [...own, ...told, ...numberedLabels(names, text)]
}

/** `1 ascending, -1 descending`: a description that puts a word behind each of the listed numbers. */
function numberedLabels(names: readonly Named[], text: string): readonly Named[] {
  if (!names.every(({ value }) => typeof value === 'number')) return []
  const told = names.map(({ value, name }) => ({
    value,
    name:
      new RegExp(`(?:^|[,;:(])\\s*${name.replace('.', String.raw`\.`)}\\s+(\\p{L}[\\p{L} -]{1,30}?)(?=[,;.)]|$)`, 'u').exec(text)?.[1] ??
      '',
  }))
  return told.every(({ name }) => name !== '') ? told : []
}

/** `high priority`, `priority: high` and `Status.OPEN` without the name of the field. */
function withoutKey(text: string, { words }: Place): string | undefined {
  if (text.length > LONGEST_LABEL) return undefined
  const dotted = /^(\p{L}[\p{L}\d_]*)(?:\.|::|:\s*|\s*=\s*)(\S.*)$/u.exec(text)
  if (dotted !== null && nameWords(dotted[1] ?? '').some((word) => words.includes(word))) return dotted[2]
  const article = /^(?:the|an?|by|via)\s+(\S.*)$/i.exec(text)?.[1]
  if (article !== undefined) return article
  const parts = text.trim().split(/[\s_-]+/)
  const isName = (part: string | undefined): boolean =>
    part !== undefined && words.some((word) => americanSpelling(word) === americanSpelling(part.toLowerCase()))
  if (parts.length < 2) return undefined
  if (isName(parts.at(-1))) return parts.slice(0, -1).join(' ')
  return isName(parts[0]) ? parts.slice(1).join(' ') : undefined
}

/** Fields with codes and proper names, whose neighbours are other codes and names. */
const NAMES: ReadonlySet<string> = new Set(
  (
    'currency country locale language code symbol ticker airport version model person name author owner user member employee manager player ' +
    'patient doctor drug medicine medication substance species gene host hostname server node database schema table bucket queue cluster ' +
    'branch repository repo package domain team client tenant contact street station'
  ).split(' '),
)

/** What is done there may have no way back. */
const ENVIRONMENTS: ReadonlySet<string> = new Set(['env', 'environment'])

const ACTIONS: ReadonlySet<string> = new Set(['action', 'command', 'decision', 'operation', 'verdict'])

function slips(text: string, names: readonly Named[], { words }: Place): readonly EnumReading[] {
  if (text.length > LONGEST_LABEL) return []
  const given = withoutSeparators(text)
  const isName = words.some((word) => NAMES.has(word))
  if (names.some(({ name }) => isPartOf(given, withoutSeparators(name)))) return []
  const found = distinct(
    names.filter(({ name }) => isOneSlip(given, withoutSeparators(name)) && (!isName || isSwapped(given, withoutSeparators(name)))),
  )
  const near = distinct(
    names.filter(({ name }) => areNear(given, withoutSeparators(name)) || areNear(given.slice(0, -1), withoutSeparators(name))),
  )
  const [only] = found
  if (only === undefined || found.length > 1 || near.some(({ value }) => value !== only.value)) return []
  return [{ value: only.value, rule: 'enum slip', cost: 6, isGuess: true }]
}

/** Two letters of a long name that changed places make no other name. */
function isSwapped(given: string, name: string): boolean {
  return given.length >= LONG_NAME && [...given].toSorted().join('') === [...name].toSorted().join('')
}

const LONG_NAME = 7

/** An abbreviation of a value, or the opposite of one (`inactive`), is no slip. */
function isPartOf(given: string, name: string): boolean {
  return NEGATIONS.some((negation) => given === `${negation}${name}` || name === `${negation}${given}`)
}

const NEGATIONS = ['in', 'un', 'non', 'not', 'dis', 'de', 'im', 'a', 're', 'pre']
