import { nameWords } from './name-words.ts'
import { sameMeasures } from './same-measure.ts'

/** A listed value by its name. */
interface Named {
  readonly value: unknown
  readonly name: string
}

const LONGEST = 40

/**
 * The listed values that a text means by what all values are: signs of comparison (`eq`), lengths of time (`daily`), languages (`es-ES`), names of fields
 * (`created_at`), names of firms (`DHL Express`). The first kind with a value decides; two values are a tie.
 */
export function wordsFor<N extends Named>(text: string, names: readonly N[]): readonly N[] {
  if (text.length > LONGEST || names.length < 2) return []
  for (const kind of KINDS) {
    const found = kind(text, names)
    if (found.length > 0) return found.length === 1 ? (found as readonly N[]) : []
  }
  return []
}

type Kind = (text: string, names: readonly Named[]) => readonly Named[]

const KINDS: readonly Kind[] = [comparisons, cadences, languages, ofFields, acronyms]

const SIGNS: readonly (readonly [signs: readonly string[], told: ReadonlySet<string>])[] = [
  [['=', '==', '==='], new Set(['eq', 'equal', 'equals', 'equal to', 'is'])],
  [['!=', '<>', '!=='], new Set(['ne', 'neq', 'not equal', 'not equals', 'not equal to', 'is not'])],
  [['>'], new Set(['gt', 'greater', 'greater than', 'more than', 'above'])],
  [['>='], new Set(['gte', 'ge', 'at least', 'greater than or equal', 'greater than or equal to', 'greater or equal'])],
  [['<'], new Set(['lt', 'less', 'less than', 'below'])],
  [['<='], new Set(['lte', 'le', 'at most', 'less than or equal', 'less than or equal to', 'less or equal'])],
]

/** `eq` for `=`, where at least two signs of comparison are listed. */
function comparisons(text: string, names: readonly Named[]): readonly Named[] {
  const signs = SIGNS.flatMap(([each]) => each)
  if (names.filter(({ name }) => signs.includes(name)).length < 2) return []
  const told = text
    .trim()
    .replace(/^\$/, '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
  const [meant] = SIGNS.filter(([, words]) => words.has(told)).map(([each]) => each)
  return meant === undefined ? [] : names.filter(({ name }) => meant.includes(name))
}

const LENGTHS: Readonly<Record<string, string>> = {
  hourly: '1 hour',
  daily: '1 day',
  weekly: '1 week',
  monthly: '1 month',
  quarterly: '3 months',
  yearly: '1 year',
  annually: '1 year',
}

/** `daily` for `1d`, where only lengths of time are listed. */
function cadences(text: string, names: readonly Named[]): readonly Named[] {
  const length = LENGTHS[text.trim().toLowerCase()]
  return length === undefined ? [] : sameMeasures(length, names)
}

const LANGUAGE = /^[a-z]{2}(?:-[A-Z]{2})?$/

/** Languages that are written in another way in another country. */
const SCRIPTS: ReadonlySet<string> = new Set(['zh', 'sr', 'pa', 'uz', 'az', 'mn'])

/** `es-ES` for `es`, where languages are listed and no other one of this language: a listed country would be another one. */
function languages(text: string, names: readonly Named[]): readonly Named[] {
  const [, language = ''] = /^([a-z]{2})[-_][A-Z]{2}$/.exec(text.trim()) ?? []
  if (language === '' || SCRIPTS.has(language) || !names.every(({ name }) => LANGUAGE.test(name))) return []
  const same = names.filter(({ name }) => name.slice(0, 2) === language)
  return same.length === 1 && same[0]?.name === language ? same : []
}

/** `created_at` for `created`: the name of a field with the word that it ends with. */
function ofFields(text: string, names: readonly Named[]): readonly Named[] {
  const words = nameWords(text)
  if (!/^[a-z]+(?:_[a-z]+)+$|^[a-z]+[A-Z][a-z]+$/.test(text) || !FIELD_ENDS.has(words.at(-1) ?? '')) return []
  const bare = words.slice(0, -1).join(' ')
  return names.filter(({ name }) => nameWords(name).join(' ') === bare)
}

const FIELD_ENDS: ReadonlySet<string> = new Set(['at', 'on', 'date', 'time'])

/** `DHL Express` for `dhl`: a name in capitals with one word behind it, where that word is in no listed value. */
function acronyms(text: string, names: readonly Named[]): readonly Named[] {
  const [, name = '', behind = ''] = /^([A-Z]{3,6}) ([A-Z][a-z]+)$/.exec(text.trim()) ?? []
  if (name === '' || names.some((each) => nameWords(each.name).includes(behind.toLowerCase()))) return []
  return names.filter((each) => each.name.toLowerCase() === name.toLowerCase())
}
