import { nameWords, singular } from './name-words.ts'

/** A listed value by its name. */
interface Named {
  readonly value: unknown
  readonly name: string
}

/** Words and the short forms that programs have for them. Short names of environments are left out: what is done there may have no way back. */
const SHORT: Readonly<Record<string, string>> = {
  ...{ asc: 'ascending', desc: 'descending', admin: 'administrator', async: 'asynchronous', sync: 'synchronous', auto: 'automatic' },
  ...{
    avg: 'average',
    max: 'maximum',
    min: 'minimum',
    std: 'standard',
    perm: 'permanent',
    misc: 'miscellaneous',
    med: 'medium',
    int: 'integer',
  },
  ...{
    info: 'information',
    warn: 'warning',
    err: 'error',
    crit: 'critical',
    tbsp: 'tablespoon',
    tsp: 'teaspoon',
    pcs: 'piece',
    pkg: 'package',
  },
  ...{ intl: 'international', appt: 'appointment', dept: 'department', mgmt: 'management', bool: 'boolean', str: 'string', num: 'number' },
  ...{
    temp: 'temperature',
    precip: 'precipitation',
    freq: 'frequency',
    vol: 'volume',
    lang: 'language',
    veggie: 'vegetarian',
    vac: 'vacation',
  },
}

/** Names that mean the same: seasons, directions, endings of files and names of languages. */
const EQUAL: readonly (readonly string[])[] = [
  ['fall', 'autumn'],
  ['in', 'incoming', 'inbound'],
  ['out', 'outgoing', 'outbound'],
  ...[
    ['jpg', 'jpeg'],
    ['tif', 'tiff'],
    ['yml', 'yaml'],
    ['htm', 'html'],
    ['mpg', 'mpeg'],
    ['md', 'markdown'],
    ['txt', 'text', 'plain text'],
  ],
  ...[
    ['js', 'javascript'],
    ['ts', 'typescript'],
    ['py', 'python'],
    ['rb', 'ruby'],
    ['rs', 'rust'],
    ['kt', 'kotlin'],
    ['golang', 'go'],
  ],
  ...[
    ['xls', 'excel'],
    ['xlsx', 'excel'],
    ['doc', 'word'],
    ['docx', 'word'],
    ['iso 8859 1', 'latin 1', 'latin1'],
    ['postgres', 'postgresql'],
    ['mongo', 'mongodb'],
    ['k8s', 'kubernetes'],
    ['gz', 'gzip'],
    ['h265', 'hevc'],
    ['h264', 'avc'],
    ['zst', 'zstd'],
  ],
  ...[
    ['greyscale', 'grayscale', 'black and white'],
    ['t shirt', 'tshirt'],
  ],
]

/** Orders of lists as people tell them. */
const ORDERS: readonly (readonly [told: RegExp, order: string])[] = [
  [/\b(?:ascending|increasing|low(?:est)? to high(?:est)?|low(?:est)? first|a (?:to )?z|smallest first|cheapest first)\b/, 'asc'],
  [/\b(?:descending|decreasing|high(?:est)? to low(?:est)?|high(?:est)? first|z (?:to )?a|largest first|most expensive first)\b/, 'desc'],
  [/\b(newest|latest|oldest) (?:ones )?first\b/, '$1'],
]

/** What the listed values are. */
interface ListedKind {
  /** Names of things, of which another form is another thing. */
  readonly areNames: boolean
  /** What is to be done. */
  readonly areActions: boolean
}

/**
 * The listed values that are another form of the same word: its number (`meal` for `meals`), a short form
 * (`warn` for `warning`) or another name of the same format (`JPG` for `jpeg`). The first kind with a value decides; two values are a tie.
 * Names of things have no other forms than those of formats.
 */
export function otherForms<N extends Named>(given: string, names: readonly N[], { areNames, areActions }: ListedKind): readonly N[] {
  const text = (names.some(({ name }) => name.includes('/')) ? given : given.replace(MEDIA, '')).replace(/^HTTP (?=[A-Z]+$)/i, '')
  if (text.length > LONGEST || !/^(?:\p{L}|[123](?:st|nd|rd)\b)[\p{L}\d\s_:(),-]*\)?$/u.test(text) || text.endsWith('-')) return []
  const told = EQUAL.some((each) => each.includes(text.toLowerCase())) ? text.toLowerCase() : nameWords(text).join(' ')
  const environment = SHORTENED[text.toLowerCase()]
  if (environment !== undefined) {
    const near = names.filter(({ name }) => name.toLowerCase().includes(environment))
    return near.length === 1 ? near.filter(({ name }) => name.toLowerCase() === environment) : []
  }
  const states = areNames || names.length < LEAST_STATES ? [] : ofOneStem(told, names)
  const known = names.map((each) => ({ each, name: nameWords(each.name).join(' ') }))
  // `name, size` are two of the values, and no name of a size.
  if (told.includes(' ') && told.split(' ').every((word) => known.some(({ name }) => name === word))) return []
  for (const isSame of areNames ? FORMS.slice(0, 1) : areActions ? [...FORMS, isDone] : FORMS) {
    const found = known.filter(({ name }) => name !== '' && isSame(told, name))
    const isOther = known.some(({ name }) => name.startsWith(told) && !found.some((each) => each.name === name))
    if (found.length > 0) return found.length === 1 && !isOther ? found.map(({ each }) => each) : []
  }
  return states
}

/**
 * The full name of an environment where its short one is listed. The other way round is a guess: what is done in an environment may have no way
 * back, and `prod` is said of more than one.
 */
const SHORTENED: Readonly<Record<string, string>> = { production: 'prod', development: 'dev' }

/** Of two values, the word for what is done may ask for the other one. */
const LEAST_STATES = 3

/** The value that is the same verb: `completed` for `complete`. None where another value has the stem in it, as `reopened` has that of `open`. */
function ofOneStem<N extends Named>(told: string, names: readonly N[]): readonly N[] {
  const stem = stemOf(told)
  const related = stem === '' ? [] : names.filter(({ name }) => name.toLowerCase().includes(stem))
  const [only, ...more] = related
  if (only === undefined || more.length > 0) return []
  return stemOf(only.name) === stem && (told.endsWith('ed') || only.name.endsWith('ed')) ? [only] : []
}

const LONGEST = 60

/** The kind of a medium before its name: `image/png`. */
const MEDIA = /^(?:image|text|application|audio|video)\/(?:x-)?(?=[a-z\d]+$)/i

const FORMS: readonly ((given: string, name: string) => boolean)[] = [
  (given, name) => given === name || EQUAL.some((names) => names.includes(given) && names.includes(name)),
  (given, name) => inOneNumber(given) === inOneNumber(name) && given.length > 2 && name.length > 2,
  (given, name) => isShortFor(given, name) || isShortFor(name, given),
  (given, name) => isAcronym(given, name) || isAcronym(name, given),
  (given, name) => withOrder(given) === withOrder(name),
  (given, name) => isDoing(given, name) || isDoing(name, given),
  (given, name) => isWithNoun(withoutNoun(given), name),
  (given, name) => given !== name && periodOf(given) !== undefined && periodOf(given) === periodOf(name),
]

function inOneNumber(words: string): string {
  const at = words.lastIndexOf(' ') + 1
  return words.slice(0, at) + singular(words.slice(at))
}

function isShortFor(short: string, word: string): boolean {
  return Object.hasOwn(SHORT, short) && SHORT[short] === inOneNumber(word)
}

/** `eps` for `earnings per share`: the first letters of at least three words. */
function isAcronym(short: string, words: string): boolean {
  const initials = words.split(' ').map((word) => word.charAt(0))
  return initials.length > 2 && initials.join('') === short && !WORDS.has(short)
}

/** Words of their own that the first letters of others make by chance: `any` of `America/New_York`. */
const WORDS: ReadonlySet<string> = new Set(
  'all and any are ask but can day end for has her him his not now off old one our out own pay per put the top two use was way who yes you'.split(
    ' ',
  ),
)

/** `price low to high` as `price asc`. */
function withOrder(words: string): string {
  return ORDERS.reduce((told, [pattern, order]) => told.replace(pattern, order), words)
}

/** `run` for `running`, and `heating` for `heat`: what is done, by its verb. */
function isDoing(given: string, name: string): boolean {
  const stem = name.endsWith('ing') && name.length > 5 ? name.slice(0, -3) : ''
  return stem !== '' && (given === stem || given === `${stem}e` || `${given}${given.at(-1)}` === stem)
}

/** `resolv` of `resolve` and `resolved`, `cancel` of `canceled` and `cancelled`: one word without its ending. Empty for a short one. */
function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return ''
  const stem = word.replace(/(?:ed|e)$/, '').replace(/([^aeiouls])\1$|(l)l$/, '$1$2')
  return stem.length > 2 && /[aeiouy]/.test(stem) ? stem : ''
}

/** Nouns that only say of what kind a value is: `bar chart`. */
const KINDS: ReadonlySet<string> = new Set(
  'account backup bed build category chart class delivery diagram document file format graph image kind leave level meal member membership method mode option order payment plan plot quality request room service shipping size style subscription theme ticket tier type version view'.split(
    ' ',
  ),
)

function withoutNoun(words: string): string {
  const at = words.lastIndexOf(' ')
  return at > 0 && KINDS.has(words.slice(at + 1)) ? words.slice(0, at) : ''
}

const ORDINALS: Readonly<Record<string, string>> = {
  '1st': 'first',
  '2nd': 'second',
  '3rd': 'third',
  first: '1st',
  second: '2nd',
  third: '3rd',
}

/** `bar chart` for `bar`, `1st class` for `first` and `descending order` for `desc`. */
function isWithNoun(bare: string, name: string): boolean {
  if (bare === '') return false
  return bare === name || ORDINALS[bare] === name || isShortFor(bare, name) || isShortFor(name, bare)
}

const PERIODS: Readonly<Record<string, string>> = {
  ...{
    hourly: 'hour',
    daily: 'day',
    weekly: 'week',
    monthly: 'month',
    quarterly: 'quarter',
    yearly: 'year',
    annually: 'year',
    annual: 'year',
  },
}

/** The length of time of `daily`, `every day` and `once a day`. */
function periodOf(words: string): string | undefined {
  const noun = /^(?:(?:every|each|per|once an?|once every|once per|past|the past) )?(minute|hour|day|week|month|quarter|year)$/.exec(
    words,
  )?.[1]
  return noun ?? (Object.hasOwn(PERIODS, words) ? PERIODS[words] : undefined)
}

/** `approved` for the action `approve`. */
function isDone(given: string, name: string): boolean {
  return name.length > 3 && (given === `${name}d` || given === `${name}ed`) && given.endsWith('ed')
}
