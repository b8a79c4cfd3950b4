import { isResultCount } from './clamp.ts'
import { numbers } from './field-numbers.ts'
import type { Candidate } from './leaf-rule.ts'
import { COMMA_GROUPS, currenciesNamed, currenciesOf, isMinorUnit, isScaled, moneyText } from './money.ts'
import { someWord } from './name-words.ts'
import { gridOf } from './number-readings.ts'
import { numberWord } from './number-words.ts'
import { unitOf } from './units.ts'
import type { Misfit } from './walk.ts'

/** Only the currency that the field or the input names, and never for cents. */
export function currencyOff(text: string, misfit: Misfit): readonly Candidate[] {
  const cents = centsIn(text, misfit)
  if (cents !== undefined) return numbers(cents, misfit).map(({ value }) => ({ value, rule: 'own unit off', cost: 2 }))
  const money = moneyText(inDigits(text))
  const { place, walk } = misfit
  if (money === undefined || isMinorUnit(place) || isScaled(place)) return []
  const own = currenciesOf(place)
  if (own.size === 0 && !isPrice(misfit)) return []
  const told = own.size > 0 ? own : walk.facts.currencies
  // A bound of a search is in the currency of what is searched, and no currency is named that it could contradict.
  const isFree = told.size === 0 && isSearchBound(misfit)
  const known = isFree ? new Set(money.currencies.slice(0, 1)) : told
  const [currency] = known
  if (currency === undefined || known.size > 1 || !money.currencies.includes(currency)) return []
  // No price has three decimals: `$1.500` was written by somebody who groups by dots.
  const isOdd = /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(money.number)
  const isGrouped = isFree && /^\d{1,3}(?:,\d{3})+$/.test(money.number)
  const decimal = walk.facts.decimal ?? ((COMMA_GROUPS.has(currency) || isGrouped) && !isOdd ? '.' : undefined)
  return numbers(money.number, misfit, decimal).map(({ value }) => ({ value, rule: 'currency off', cost: 2 }))
}

/** What is told in money, where neither the name nor the description says a currency. Results, minutes and guests have none. */
const PRICES: ReadonlySet<string> = new Set(
  (
    'bid capital charge contribution credit debit deposit donation earnings expense gross income limit loan net offer pledge premium principal rate ' +
    'spend spending sum threshold total turnover value worth'
  ).split(' '),
)

function isPrice({ place }: Misfit): boolean {
  if (place.kind === 'money') return true
  if (place.kind !== 'plain' || isResultCount(place) || unitOf(place) !== undefined) return false
  const words = [...place.words, ...place.group]
  return (
    someWord(words, PRICES) ||
    place.words.every((word) => BOUNDS.has(word)) ||
    /\b(?:price|cost|fee|amount|money|budget|value|pay)\b/.test(place.text)
  )
}

/** The number of `1250 cents` where the field counts cents. */
function centsIn(text: string, { place }: Misfit): string | undefined {
  const [, count, word = ''] = /^(\d[\d ,]*)\s?(cents?|pence)$/i.exec(text) ?? []
  const told = [...place.words, ...(place.text.match(/[a-z]+/g) ?? [])]
  return count !== undefined && told.includes(word.toLowerCase().replace(/^cent$/, 'cents')) ? count.trim() : undefined
}

/** `twelve euros` with its number in digits, and `12,-` without the sign for no cents. */
function inDigits(text: string): string {
  const [, words = '', currency] = /^([a-z]+(?:[ -][a-z]+)?) ([a-z]+)$/i.exec(text) ?? []
  const number = currency === undefined ? undefined : numberWord(words)
  return number === undefined ? text.replace(/(?<=\d)[.,](?:-{1,2}|[–—])(?=\s|\p{Sc}|$)/u, '') : `${number} ${currency}`
}

/** `0.25 ETH` beside `asset: ETH`: the code that another field of the input names. */
export function codeOff(text: string, misfit: Misfit): readonly Candidate[] {
  const [, count, code = ''] = /^([+-]?\d[\d.,]*)\s?([A-Za-z]{2,5})$/.exec(text) ?? []
  if (misfit.place.kind !== 'quantity' && !isPrice(misfit)) return []
  if (count === undefined || !misfit.walk.facts.codes.has(code.toUpperCase()) || isMinorUnit(misfit.place) || isScaled(misfit.place))
    return []
  return numbers(count, misfit).map(({ value }) => ({ value, rule: 'code off', cost: 2 }))
}

const BOUNDS: ReadonlySet<string> = new Set(['min', 'max', 'minimum', 'maximum', 'least', 'most'])

/** Whether a number bounds what a tool that only reads finds. */
function isSearchBound({ place, walk }: Misfit): boolean {
  return !walk.hasEffect && someWord(place.words, BOUNDS)
}

/** Where a thousand is often 1024. */
const BINARY: ReadonlySet<string> = new Set(['token', 'memory', 'context', 'byte', 'size', 'length', 'resolution', 'width', 'height'])

const SCALES: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000, mio: 1_000_000, mn: 1_000_000 }

/** `60k` or `€1.2M` for a bound of a search. An amount that is paid is written in full. */
export function thousands(text: string, misfit: Misfit): readonly Candidate[] {
  const [, before = '', count, scale = '', behind = ''] = /^(\p{Sc}?)\s?(\d+(?:\.\d+)?)\s?(k|M|mio|mn)\s?(\p{Sc}?)$/iu.exec(text) ?? []
  const { place, node, walk } = misfit
  const told = new Set([...currenciesOf(place), ...walk.facts.currencies])
  if (before + behind !== '' && told.size > 0 && !currenciesNamed(before + behind).some((each) => told.has(each))) return []
  const isLetter = scale.toLowerCase() !== 'm' || (scale === 'M' && place.kind === 'money')
  if (
    count === undefined ||
    !isLetter ||
    !isSearchBound(misfit) ||
    (someWord(place.words, BINARY) && !/\b(?:characters?|words?|lines?|rows?)\b/.test(place.text)) ||
    unitOf(place) !== undefined ||
    isScaled(place)
  )
    return []
  const value = Number((Number(count) * (SCALES[scale.toLowerCase()] ?? 1)).toPrecision(12))
  return gridOf(node.schema)(value) ? [{ value, rule: 'thousands', cost: 3 }] : []
}
