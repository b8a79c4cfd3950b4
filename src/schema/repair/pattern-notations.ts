import { numberWord } from './number-words.ts'
import { partsOf } from './units.ts'
import { type Unit, UNITS } from './unit-table.ts'

/** How units of memory are written where programs are run. */
const SHORT: Readonly<Record<string, string>> = { kib: 'Ki', mib: 'Mi', gib: 'Gi', tib: 'Ti' }

/**
 * Texts of one meaning that have several fixed notations: `en_us` and `en-US`, `Q1 2026` and `2026-Q1`, `1920 × 1080` and `1920x1080`, `5 minutes`
 * and `5m`. The pattern of the field chooses among them.
 */
export function fixedNotations(text: string, takes: (text: string) => boolean): readonly string[] {
  if (text.length > LONGEST) return []
  const found = new Set(NOTATIONS.flatMap((notation) => notation(text)).filter((each) => each !== text && takes(each)))
  return found.size > 0 ? [...found] : measures(text, takes)
}

const LONGEST = 40

const NOTATIONS: readonly ((text: string) => readonly string[])[] = [
  locale,
  quarter,
  week,
  sides,
  hardware,
  offset,
  range,
  comparison,
  network,
]

function locale(text: string): readonly string[] {
  const [, language, country] = /^([a-z]{2,3})[-_\s]([a-z]{2})(?:\.utf-?8)?$/i.exec(text) ?? /^([a-z]{2})([A-Z]{2})$/.exec(text) ?? []
  // Only the case tells the parts of `US-en` that stand the other way round.
  if (language === undefined || country === undefined || (/^[A-Z]+$/.test(language) && /^[a-z]+$/.test(country))) return []
  return ['-', '_'].map((between) => `${language.toLowerCase()}${between}${country.toUpperCase()}`)
}

function quarter(text: string): readonly string[] {
  const [, first, behind] = /^q([1-4])(?:[\s/-]*|\sof\s)(\d{4})$/i.exec(text.replace(/^([1-4])q(?=\s)/i, 'Q$1')) ?? []
  const [, before, second] = /^(\d{4})[\s/-]*q([1-4])$/i.exec(text) ?? []
  const [, ordinal = '', told] = /^(first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: of)?,? (\d{4})$/i.exec(text) ?? []
  const [year, number] = [behind ?? before ?? told, first ?? second ?? QUARTERS[ordinal.toLowerCase()]]
  if (year === undefined || number === undefined) return []
  return [`${year}-Q${number}`, `${year}Q${number}`, `${year} Q${number}`, `Q${number} ${year}`, `Q${number}-${year}`, `Q${number}/${year}`]
}

const QUARTERS: Readonly<Record<string, string>> = {
  ...{ first: '1', second: '2', third: '3', fourth: '4' },
  ...{ '1st': '1', '2nd': '2', '3rd': '3', '4th': '4' },
}

function week(text: string): readonly string[] {
  const [, before, behind] = /^(\d{4})[\s-]?w(\d{1,2})$/i.exec(text) ?? []
  const [, second, last] = /^(?:week |w|cw|kw)\s?(\d{1,2})(?: of|,|\/)? ?(\d{4})$/i.exec(text) ?? []
  const [year, number] = [before ?? last, behind ?? second]
  if (year === undefined || number === undefined) return []
  return [`${year}-W${number.padStart(2, '0')}`, `${year}W${number.padStart(2, '0')}`]
}

function sides(text: string): readonly string[] {
  const [, width, height] = /^(\d{1,6})\s*[x×*]\s*(\d{1,6})(?:\s?px|\s?pixels)?$/i.exec(text) ?? []
  return width === undefined || height === undefined ? [] : [`${width}x${height}`, `${width}×${height}`, `${width} x ${height}`]
}

/** `10.20.0.0/255.255.0.0` as `10.20.0.0/16`: ones, and zeros behind them. */
function network(text: string): readonly string[] {
  const [, address, mask = ''] = /^(\d{1,3}(?:\.\d{1,3}){3})\s*\/\s*(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text) ?? []
  const parts = mask.split('.').map(Number)
  const bits = parts.map((part) => part.toString(2).padStart(8, '0')).join('')
  return address === undefined || parts.some((part) => part > 255) || !/^1*0*$/.test(bits)
    ? []
    : [`${address}/${bits.replaceAll('0', '').length}`]
}

/** `1 to 5` as `1-5`. */
function range(text: string): readonly string[] {
  const [, first, second] = /^(\d{1,9})(?:\s+to\s+|\s*\.\.\s*)(\d{1,9})$/i.exec(text) ?? []
  return first === undefined || second === undefined || Number(first) > Number(second) ? [] : [`${first}-${second}`, `${first}..${second}`]
}

const COMPARISONS: Readonly<Record<string, string>> = { '≤': '<=', '≥': '>=', '≠': '!=' }

function comparison(text: string): readonly string[] {
  const plain = COMPARISONS[text]
  return plain === undefined ? [] : [plain]
}

/** The address of a network card: twelve digits, whatever stands between them. */
function hardware(text: string): readonly string[] {
  const digits = text.replace(/[:.\s-]/g, '')
  if (!/^[0-9a-f]{12}$/i.test(digits) || !/[a-f]/i.test(digits)) return []
  const pairs = digits.match(/../g) ?? []
  return [':', '-'].flatMap((between) => [pairs.join(between).toLowerCase(), pairs.join(between).toUpperCase()])
}

/** `UTC+1`, `+0100` and `+1` as `+01:00`. */
function offset(text: string): readonly string[] {
  const [, sign, hours = '', minutes = '00'] = /^(?:utc|gmt)?\s?([+-])(\d{1,2})(?::?(\d\d))?$/i.exec(text.replace(/\u2212/, '-')) ?? []
  if (sign === undefined || Number(hours) > 14) return []
  return [':', ''].map((between) => `${sign}${hours.padStart(2, '0')}${between}${minutes}`)
}

const LENGTHS: Readonly<Record<string, string>> = { H: 'hours', M: 'minutes', S: 'seconds' }

/** `5 minutes` and `PT5M` as `5m`. The number stays, and the unit must be one of a kind: where `m` may be months, nothing else tells minutes. */
function measures(text: string, takes: (text: string) => boolean): readonly string[] {
  const [, length, letter = ''] = /^PT(\d+)([HMS])$/i.exec(text) ?? []
  const [part, ...more] = partsOf(length === undefined ? text : `${length} ${LENGTHS[letter.toUpperCase()]}`) ?? []
  if (part === undefined || more.length > 0) return []
  const count = /^\d+(?:\.\d+)?$/.test(part.count) ? part.count : numberWord(part.count)
  if (count === undefined) return []
  const [unit, ...others] = UNITS.filter(({ words }) => words.includes(part.word))
  if (unit === undefined || others.length > 0) return []
  const written = [...unit.words, SHORT[unit.name] ?? ''].filter((word) => word !== '')
  const fitting = ['', ' '].flatMap((between) =>
    written.flatMap((word) => [word, word.toUpperCase()].map((each) => `${count}${between}${each}`)),
  )
  const found = new Set(fitting.filter((each) => takes(each) && isCertain(each, unit, takes)))
  return found.size === 1 ? [...found] : []
}

/** A single `m` are minutes only beside seconds or hours. */
function isCertain(text: string, { name }: Unit, takes: (text: string) => boolean): boolean {
  if (name !== 'min' || !/\dm$/i.test(text)) return !/\dM$/.test(text)
  return [text.replace(/m$/, 's'), text.replace(/m$/, 'h')].some(takes) && !text.endsWith('M')
}
