import type { Place } from './place.ts'

const SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['$', ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN']],
  ['us$', ['USD']],
  ['€', ['EUR']],
  ['£', ['GBP']],
  ['¥', ['JPY', 'CNY']],
  ['₹', ['INR']],
  ['rs', ['INR', 'PKR', 'LKR']],
  ['c$', ['CAD']],
  ['ca$', ['CAD']],
  ['a$', ['AUD']],
  ['au$', ['AUD']],
  ['nz$', ['NZD']],
  ['hk$', ['HKD']],
  ['s$', ['SGD']],
  ['r$', ['BRL']],
  ['mx$', ['MXN']],
  ['kr', ['NOK', 'SEK', 'DKK', 'ISK']],
  ['zł', ['PLN']],
  ['₩', ['KRW']],
  ['₺', ['TRY']],
  ['fr', ['CHF']],
  ['kč', ['CZK']],
  ['dollars', ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD']],
  ['dollar', ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD']],
  ['euros', ['EUR']],
  ['euro', ['EUR']],
  ['pounds', ['GBP']],
  ['yen', ['JPY']],
  ['us dollar', ['USD']],
  ['american dollar', ['USD']],
  ['canadian dollar', ['CAD']],
  ['australian dollar', ['AUD']],
  ['swiss franc', ['CHF']],
  ['british pound', ['GBP']],
  ['pound sterling', ['GBP']],
  ['japanese yen', ['JPY']],
  ['norwegian krone', ['NOK']],
  ['danish krone', ['DKK']],
  ['swedish krona', ['SEK']],
  ['indian rupee', ['INR']],
])

const CODES: ReadonlySet<string> = new Set(
  'USD EUR GBP JPY CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF INR CNY SGD HKD MXN BRL ZAR TRY KRW'.split(' '),
)

/** A text such as `$49.90` or `49.90 EUR`, taken apart. */
export interface MoneyText {
  readonly number: string
  /** The currencies that the sign may stand for. */
  readonly currencies: readonly string[]
}

/** Undefined for a text without a currency. */
export function moneyText(text: string): MoneyText | undefined {
  const parts =
    /^([-+]?)\s*([a-z]{0,2}\$|[€£¥₹₩₺]|(?:rs|kr|fr)\.?(?=[\s\d])|[a-z]{3}(?=[\s\d]))?\s*([-+]?[\d.,' ]*\d)\s*([$€£¥₹₩₺]|[a-zčł]{2,7}\.?)?$/iu.exec(
      text,
    )
  if (parts === null) return undefined
  const [, minus = '', before, number = '', behind] = parts
  const sign = before ?? behind
  if (sign === undefined || (before !== undefined && behind !== undefined && behind.toUpperCase() !== 'USD')) return undefined
  const currencies = SIGNS.get(sign.toLowerCase().replace(/\.$/, '')) ?? (CODES.has(sign.toUpperCase()) ? [sign.toUpperCase()] : undefined)
  if (currencies === undefined) return undefined
  const told = before !== undefined && behind !== undefined ? currencies.filter((each) => each === behind.toUpperCase()) : currencies
  return { number: minus + number.trim(), currencies: told }
}

/** The currencies that name and description of a field tell. */
export function currenciesOf({ words, text }: Place): ReadonlySet<string> {
  const told = new Set<string>()
  for (const word of [...words, ...(text.match(/[a-z]+|[$€£]/g) ?? [])]) {
    const code = word.toUpperCase()
    if (CODES.has(code)) told.add(code)
    else if (word === 'dollars' || word === 'dollar') told.add('USD')
    else if (word === 'euros' || word === 'euro' || word === '€') told.add('EUR')
    else if (word === '£') told.add('GBP')
  }
  return told
}

/** Whether a field counts cents: `$20` could then be 20 or 2000. */
export function isMinorUnit({ words, text }: Place): boolean {
  return [...words, ...(text.match(/[a-z]+/g) ?? [])].some((word) => MINOR.has(word))
}

/** Whether a field counts thousands or millions. */
export function isScaled({ words, text }: Place): boolean {
  return [...words, ...(text.match(/[a-z]+/g) ?? [])].some((word) => /^(?:thousand|million|billion)s?$/.test(word))
}

const MINOR: ReadonlySet<string> = new Set([
  'cent',
  'cents',
  'pence',
  'penny',
  'minor',
  'satoshi',
  'satoshis',
  'wei',
  'basis',
  'smallest',
  'mills',
])

/** Currencies whose writers group thousands by commas. */
export const COMMA_GROUPS: ReadonlySet<string> = new Set(['USD', 'GBP'])

/** The code of the only currency that a sign or a code stands for; undefined for words, and for the dollar of many countries. */
export function currencySigned(text: string): string | undefined {
  const code = text.toUpperCase()
  const [only, ...more] = CODES.has(code) ? [code] : /\p{Sc}/u.test(text) ? (SIGNS.get(text.toLowerCase()) ?? []) : []
  return more.length === 0 ? only : undefined
}

/** The codes of the currencies that a sign or a name stands for: `euros` for one of them, `dollars` for those of many countries. */
export function currenciesNamed(text: string): readonly string[] {
  const code = currencySigned(text)
  return code === undefined ? (SIGNS.get(text.toLowerCase().replace(/s$/, '')) ?? SIGNS.get(text.toLowerCase()) ?? []) : [code]
}
