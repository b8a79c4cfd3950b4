import type { Place } from './place.ts'
import { UNITS } from './unit-table.ts'

/** The number of `12 l/min` or `12 litres per minute` for a field of the same rate: `flow_l_min`, `flow_l_per_min` or `Litres per minute`. */
export function withoutRate(text: string, place: Place): string | undefined {
  if (text.length > LONGEST) return undefined
  const [, count, over = '', under = ''] = /^([+-]?\d[\d.,]*)\s*([a-zµ°]+)(?:\s*\/\s*|\s+per\s+|\s+an?\s+)([a-z]+)$/i.exec(text) ?? []
  const rate = count === undefined ? undefined : rateOf(over.toLowerCase(), under.toLowerCase())
  return rate !== undefined && rates(place).has(rate) ? count : undefined
}

const LONGEST = 60

/** The rates that name and description of a field tell. */
function rates({ words, text }: Place): ReadonlySet<string> {
  const [third = '', second = '', last = ''] = words.slice(-3)
  const named = second === 'per' ? rateOf(third, last) : rateOf(words.at(-2) ?? '', words.at(-1) ?? '')
  const told = [...text.matchAll(/([a-zµ°]+)(?:\s?\/\s?|\s+per\s+|\s+an?\s+)([a-z]+)/g)].map(([, over = '', under = '']) =>
    rateOf(over, under),
  )
  return new Set([named, ...told].filter((rate) => rate !== undefined))
}

/** One name for all spellings of a rate; undefined where one of the words is no unit. */
function rateOf(over: string, under: string): string | undefined {
  const [first, second] = [over, under].map((word) => UNITS.find(({ words }) => words.includes(word)))
  return first === undefined || second === undefined || first.dimension === second.dimension ? undefined : `${first.name}/${second.name}`
}
