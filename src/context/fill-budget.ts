import type { Fact } from './facts/fact.ts'
import type { CountTokens } from './tokens.ts'

export interface FillOptions {
  readonly budget: number
  readonly count: CountTokens
  /** What a token is worth where none is left. A fact that is worth less for each of its tokens is not said, although it would fit. */
  readonly leastWorth: number
  /** While less than this is said, tokens are worth less by as much; all of the budget unless told. */
  readonly plenty?: number | undefined
}

export interface FilledText {
  readonly text: string
  readonly tokens: number
  readonly said: number
}

interface Line {
  readonly fact: Fact
  /** Its place among all facts: parts keep their order. */
  readonly place: number
  readonly text: string
  readonly rate: number
}

/** After so many that do not fit, the others are not tried: they are longer, or say less. */
const MOST_MISFITS = 300
/** What a line costs besides its words. */
const LINE_COST = 3

/** A way to say a fact: the short one first, where it has most of the worth; then what the long one adds. */
interface Step {
  readonly fact: Fact
  readonly place: number
  readonly said: string
  readonly worth: number
  readonly guess: number
  /** The long form, after the short one may have been said. */
  readonly isMore: boolean
}

/** Of the worth of a fact its short form has so much. */
const SHORT_SHARE = 0.75

/** Says as much as a budget holds, by the worth of each token. */
export function fillBudget(facts: readonly Fact[], { budget, count, leastWorth, plenty = budget }: FillOptions): FilledText {
  const ranked = facts.flatMap(stepsOf).toSorted((a, b) => b.guess - a.guess)
  const lines = new Map<number, Line>()
  const parts = new Set<string>()
  let left = budget
  let misfits = 0
  for (const { fact, place, said, worth, guess, isMore } of ranked) {
    const least = leastWorth * Math.min(1, (budget - left) / Math.max(1, Math.min(plenty, budget)))
    if (misfits > MOST_MISFITS || left <= LINE_COST || guess < least / 2) break
    const before = lines.get(place)
    const tokensBefore = before === undefined ? 0 : count(before.text) + 1
    const heading = parts.has(fact.part) || fact.order === 0 ? 0 : count(fact.part) + 1
    const room = left + tokensBefore - heading
    const text = fact.order === 0 ? said : ` ${said}`
    const tokens = said.length > 12 * room ? Infinity : count(text) + 1
    if (tokens > room) {
      misfits++
      continue
    }
    const rate = isMore ? worth / Math.max(1, tokens - tokensBefore) : worth / (tokens + LINE_COST - 1)
    if (rate < least) continue
    lines.set(place, { fact, place, text, rate: isMore ? fact.worth / (tokens + LINE_COST - 1) : rate })
    parts.add(fact.part)
    left -= tokens - tokensBefore + heading
  }
  return assembled([...lines.values()], { budget, count })
}

function stepsOf(fact: Fact, place: number): Step[] {
  const guess = (worth: number, length: number): number => worth / (length / 3 + LINE_COST)
  const { text, short, worth, shortShare = SHORT_SHARE, restShare = 1 - shortShare } = fact
  const whole = { fact, place, said: text, worth, guess: guess(worth, text.length), isMore: false }
  if (short === undefined || short.length >= text.length) return [whole]
  const least = { fact, place, said: short, worth: shortShare * worth, guess: guess(shortShare * worth, short.length), isMore: false }
  const more = restShare * worth
  return [least, { ...whole, worth: more, guess: Math.min(least.guess, (3 * more) / (text.length - short.length + 1)), isMore: true }]
}

/** The lines in the order of their parts. The whole is counted again: the sum of its lines is not quite its tokens. */
function assembled(lines: readonly Line[], { budget, count }: Pick<FillOptions, 'budget' | 'count'>): FilledText {
  let kept = lines.toSorted((a, b) => b.rate - a.rate)
  for (;;) {
    const text = textOf(kept)
    const tokens = text === '' ? 0 : count(text)
    if (tokens <= budget) return { text, tokens, said: kept.length }
    kept = kept.slice(0, -Math.max(1, Math.ceil(kept.length * Math.min(0.5, (tokens - budget) / tokens))))
  }
}

function textOf(lines: readonly Line[]): string {
  const parts = new Map<string, Line[]>()
  for (const line of lines.toSorted((a, b) => a.place - b.place)) {
    const own = parts.get(line.fact.part)
    if (own === undefined) parts.set(line.fact.part, [line])
    else own.push(line)
  }
  return [...parts]
    .map(([part, own]) => {
      const sorted = own.toSorted((a, b) => a.fact.order - b.fact.order)
      const heading = part === '' || sorted[0]?.fact.order === 0 ? [] : [/ (?:rows|keys)$/.test(part) ? part : `${part}:`]
      return [...heading, ...sorted.map(({ text }) => text)].join('\n')
    })
    .join('\n')
}
