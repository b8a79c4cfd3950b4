import { isCommonWord } from './common-words.ts'
import { nameForm, nameWords, singular } from './name-words.ts'
import { areOpposed, isPole } from './opposite-names.ts'

/** Names that tools have for one and the same field. Each is a closed set of the trade: how results are cut, and what is searched, or written. */
const ROLES: readonly ReadonlySet<string>[] = [
  new Set(
    'limit max maxresults maxcount maxitems maxrows maxkeys count pagesize perpage numresults resultcount resultlimit topk topn top first take headlimit maxhits size n'.split(
      ' ',
    ),
  ),
  new Set('offset skip startindex'.split(' ')),
  new Set('cursor pagetoken nextpagetoken nextcursor continuationtoken'.split(' ')),
  new Set('query q search searchquery searchterm searchtext term keyword keywords pattern regex glob'.split(' ')),
  new Set('comment comments note notes remark remarks memo'.split(' ')),
  new Set('guests people persons partysize headcount numguests guestcount pax'.split(' ')),
  new Set('path file filename filepath pathname'.split(' ')),
  new Set('to recipient recipients receiver receivers'.split(' ')),
  new Set('body content contents text message description details'.split(' ')),
]

const CUTS = 3

function roleOf(words: readonly string[]): number {
  return ROLES.findIndex((names) => names.has(words.join('')))
}

/** Whether two names are of different roles in how results are cut: an offset is no limit, and neither is the number of guests. */
export function areOtherRoles(key: readonly string[], name: readonly string[]): boolean {
  const [given, taken] = [roleOf(key), roleOf(name)]
  return given !== taken && ((given >= 0 && given < CUTS) || (taken >= 0 && taken < CUTS))
}

/** Words behind a name that say no more than how its value is written. */
const SORTS: ReadonlySet<string> = new Set(['id', 'name', 'text', 'value', 'string', 'type'])

const IDS: ReadonlySet<string> = new Set(['id', 'number', 'no', 'code', 'ref', 'reference'])

/** Whether a name is a part of a longer one and says the same end or side: `target` and `target_lang`. */
export function isPart(key: string, name: string): boolean {
  const [given, taken] = [nameWords(key), nameWords(name)]
  return given.length > 0 && given.length < taken.length && without(given, taken).length === 0 && !areOpposed(given, taken)
}

/** How a key tells a field by its name; undefined where it does not. The lower the cost, the more it tells. */
export function likeness(key: string, name: string): { readonly rule: string; readonly cost: number } | undefined {
  const given = nameWords(key)
  const taken = nameWords(name)
  if (given.length === 0 || taken.length === 0) return undefined
  if (isShort(given, taken) || isShort(taken, given)) return { rule: 'key abbreviation', cost: 3 }
  const role = roleOf(given)
  if (role >= 0 && role === roleOf(taken)) return { rule: 'key of the same role', cost: 4 }
  const rest = without(taken, given)
  const isSorted = rest.length > 0 && !given.every(isPole) && rest.length < taken.length && rest.every((word) => SORTS.has(word))
  const more = without(given, taken)
  // `tracking_id` and `tracking_number`: two words for what tells one thing from all others.
  if (rest.length === 1 && more.length === 1 && taken.length > 1 && [...rest, ...more].every((word) => IDS.has(word)))
    return { rule: 'key of another sort', cost: 4 }
  return isSorted && without(given, taken).length === 0 && !areOpposed(given, taken) ? { rule: 'key without its sort', cost: 3 } : undefined
}

/** Whether two names say different things of the same: `source_id` and `account_id`, `distance_mi` and `distance_km`. */
export function saysOther(key: string, name: string): boolean {
  const [given, taken] = [nameWords(key), nameWords(name)]
  const [more, less] = [without(given, taken), without(taken, given)]
  return (more.length < given.length && more.length > 0 && less.length > 0) || areOpposed(given, taken)
}

function without(words: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others.map(singular))
  return words.filter((word) => !known.has(singular(word)))
}

/** `tz` for `timezone`, `max_len` for `max_length`, `ns` for `name_space`, `k` for `top_k`. */
function isShort(short: readonly string[], long: readonly string[]): boolean {
  const [only = ''] = short
  if (short.length === 1 && long.length === 2 && only.length === 1 && long[1] === only) return true
  if (short.length === 1 && long.length > 1) return isOfInitials(only, long) || (!long.includes(only) && isShortWord(only, long.join('')))
  const isSame = short.length === long.length && nameForm(short.join(' ')) !== nameForm(long.join(' '))
  return isSame && short.every((word, index) => word === long[index] || isShortWord(word, long[index] ?? ''))
}

function isOfInitials(short: string, long: readonly string[]): boolean {
  return short.length > 1 && !isCommonWord(short) && long.map((word) => word.charAt(0)).join('') === short
}

const VOWELS = /[aeiouy]/
const SMALL: ReadonlySet<string> = new Set(
  'a an as at by id in ip is it max min no of on or to up us cc bcc we me my he the and for not all any'.split(' '),
)

/** The beginning of a word, or its first consonants in their order. A short word that is a word of its own is none. */
function isShortWord(short: string, long: string): boolean {
  if (short.length >= long.length || short.charAt(0) !== long.charAt(0) || SMALL.has(short) || isCommonWord(short)) return false
  if (!/^[a-z]+$/.test(short) || !/^[a-z]+$/.test(long)) return false
  if (long.startsWith(short)) return short.length !== 2 && singular(long) !== short && long.length - short.length > 1
  if (short.length < 2 || short.length > 4 || VOWELS.test(short.slice(1))) return false
  let at = 0
  for (const letter of long) if (letter === short.charAt(at)) at++
  return at === short.length
}
