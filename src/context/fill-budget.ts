import type { Fact } from './facts/fact.ts'
import type { CountTokens } from './tokens.ts'

export interface FillOptions {
  readonly budget: number
  readonly count: CountTokens
  /** A fact that is worth less than this for each of its tokens is not said, although it would fit. */
  readonly leastWorth: number
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

/** Says as much as a budget holds, by the worth of each token. */
export function fillBudget(facts: readonly Fact[], { budget, count, leastWorth }: FillOptions): FilledText {
  const ranked = facts
    .map((fact, place) => ({ fact, place, guess: fact.worth / (fact.text.length / 3 + LINE_COST) }))
    .toSorted((a, b) => b.guess - a.guess)
  const lines: Line[] = []
  let left = budget
  let misfits = 0
  for (const { fact, place, guess } of ranked) {
    if (misfits > MOST_MISFITS || left <= LINE_COST) break
    if (guess < leastWorth / 2) break
    const line = fitting({ fact, place }, left, count)
    if (line === undefined) misfits++
    else if (line.rate >= leastWorth) {
      lines.push(line)
      left -= count(line.text) + 1
    }
  }
  return assembled(lines, { budget, count })
}

function fitting({ fact, place }: Pick<Line, 'fact' | 'place'>, left: number, count: CountTokens): Line | undefined {
  for (const said of [fact.text, fact.short]) {
    if (said === undefined || said.length > 12 * left) continue
    const text = fact.order === 0 ? said : `- ${said}`
    const tokens = count(text)
    if (tokens + 1 <= left) return { fact, place, text, rate: fact.worth / (tokens + LINE_COST) }
  }
  return undefined
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
      const heading = part === '' || sorted[0]?.fact.order === 0 ? [] : [`${part}:`]
      return [...heading, ...sorted.map(({ text }) => text)].join('\n')
    })
    .join('\n')
}
