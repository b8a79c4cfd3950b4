import { bareValue } from '../view/line-tokens.ts'
import type { Unit } from './units-of.ts'

const MOST_SHOWN = 12
const LONGEST = 40
/** Where nearly every hit goes on in another way, that says nothing. */
const MOST_DIFFERENT = 0.5
const NEXT = /^["')\]]*\s*[:=]?\s*("[^"]{1,60}"|'[^']{1,60}'|[^\s,;()[\]{}"']{1,60})/

/** How the hits of a search go on, with how often: `orders 44, events 37` behind `Seq Scan on`. Undefined where it is the same for all, or another for each. */
export function wordsAfter(units: readonly Unit[], wanted: string): string | undefined {
  const lower = wanted.toLowerCase()
  const counts = new Map<string, number>()
  let hits = 0
  for (const { text } of units) {
    const folded = text.toLowerCase()
    for (let at = folded.indexOf(lower); at >= 0; at = folded.indexOf(lower, at + lower.length)) {
      hits++
      const next = bareValue(NEXT.exec(text.slice(at + lower.length, at + lower.length + 80))?.[1] ?? '').slice(0, LONGEST)
      if (next !== '') counts.set(next, (counts.get(next) ?? 0) + 1)
    }
  }
  if (counts.size < 2 || counts.size > MOST_DIFFERENT * hits) return undefined
  const most = [...counts].toSorted((a, b) => b[1] - a[1])
  const shown = most.slice(0, MOST_SHOWN).map(([word, count]) => `${word} ${count}`)
  return `It goes on with: ${shown.join(', ')}${most.length > MOST_SHOWN ? `, … ${most.length} in all` : ''}`
}
