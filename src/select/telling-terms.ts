import type { Ranking } from './ranking.ts'
import type { TraceIndex } from './traces.ts'

/** Of the tools that served requests with a term, usually this share says it too. */
const USUALLY_SAID = 0.3
/** As if there were so many more tools of which the usual share says it: few tools say little about a term. */
const DOUBTED_TOOLS = 5
/** No term counts less than this share of what its frequency in requests leaves. */
const LEAST = 0.1
/** Terms whose weights are kept. */
const MAX_KEPT = 5000

/** What terms are weighed by. */
export interface TermSources {
  readonly traces: TraceIndex
  readonly ranking: Ranking
  /** The number of the tool at a place, as traces have it. */
  readonly numberAt: (place: number) => number
  /** 1 for the place of each trace that may be seen; all unless given. */
  readonly seen?: Uint8Array | undefined
  /** The number of a tool whose traces do not count, since it is looked at as a new one. */
  readonly without?: number | undefined
}

/**
 * How much a term tells in requests, from 0 to 1. A word of many requests tells little about which tool is meant, however rare it is among
 * tools. And some words are in requests but not in what the tools that serve them say: a tool that says such a word is found by chance.
 * Requests for known tools show which words these are, so that new tools are found by the others.
 */
export function tellingTerms({ traces, ranking, numberAt, seen, without }: TermSources): (term: string) => number {
  const byFrequency = traces.weigh(seen)
  const kept = new Map<string, number>()
  return (term) => {
    const known = kept.get(term)
    if (known !== undefined) return known
    const tools = traces.markTools(term, { seen, without })
    let said = 0
    for (const place of ranking.placesOf(term)) if (traces.isMarked(numberAt(place))) said++
    const share = (said + USUALLY_SAID * DOUBTED_TOOLS) / (tools + DOUBTED_TOOLS)
    const weight = byFrequency(term) * Math.max(LEAST, Math.min(1, share / USUALLY_SAID))
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(term, weight)
    return weight
  }
}
