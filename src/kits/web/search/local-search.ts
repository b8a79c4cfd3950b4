import { checkOptions } from '../../../tool/check-given.ts'
import { wrongOption } from '../../../tool/errors/wrong-option.ts'
import { isOfDomain } from './domains.ts'
import type { Recency, SearchHit, SearchProvider } from './search-provider.ts'

/** A document of a local index. */
export interface SearchDocument {
  readonly title: string
  readonly url: string
  readonly text: string
  /** A date such as `2026-05-01`. */
  readonly published?: string | undefined
}

interface Indexed {
  readonly document: SearchDocument
  readonly words: readonly string[]
  readonly counts: ReadonlyMap<string, number>
}

/** A word of the title counts like so many of the text. */
const TITLE_WEIGHT = 3
/** The usual figures of BM25: how fast more of a word stops to count, and how much a long document loses. */
const [SATURATION, LENGTH_PENALTY] = [1.2, 0.75]
const SNIPPET_WORDS = 30
const DAYS: Readonly<Record<Recency, number>> = { day: 1, week: 7, month: 31, year: 366 }

/**
 * Searches documents in memory, ranked by BM25. For tests, and for a small collection of your own.
 * @example
 * const search = webSearch({ provider: localSearch([{ title: 'Otters', url: 'https://example.com/otters', text: 'Otters swim.' }]) })
 * console.log((await search.call({ query: 'otter swimming' })).ok) // true
 */
export function localSearch(documents: readonly SearchDocument[]): SearchProvider {
  const index = indexOf(documents)
  return {
    name: 'local',
    costUsd: 0,
    search: async ({ query, count, page, includeDomains, excludeDomains, recency }, { now }) => {
      const oldest = recency === undefined ? undefined : now() - DAYS[recency] * 86_400_000
      const allowed = index.filter(({ document: { url, published } }) => {
        const isIncluded = includeDomains.length === 0 || includeDomains.some((domain) => isOfDomain(url, domain))
        if (!isIncluded || excludeDomains.some((domain) => isOfDomain(url, domain))) return false
        return oldest === undefined || (published !== undefined && Date.parse(published) >= oldest)
      })
      const ranked = rank(allowed, index, wordsOf(query))
      const from = count * (page - 1)
      return { results: ranked.slice(from, from + count), more: ranked.length > from + count }
    },
  }
}

function indexOf(documents: readonly SearchDocument[]): readonly Indexed[] {
  if (!Array.isArray(documents)) throw wrongOption('documents', 'localSearch', 'a list of { title, url, text }')
  return documents.map((document: SearchDocument) => {
    checkOptions(document, 'A document of localSearch')
    const words = [...Array.from({ length: TITLE_WEIGHT }, () => wordsOf(document.title)).flat(), ...wordsOf(document.text)]
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { document, words, counts }
  })
}

function rank(allowed: readonly Indexed[], index: readonly Indexed[], asked: readonly string[]): SearchHit[] {
  const average = index.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, index.length)
  const terms = [...new Set(asked)].map((term) => {
    const holding = index.filter(({ counts }) => counts.has(term)).length
    return { term, rarity: Math.log(1 + (index.length - holding + 0.5) / (holding + 0.5)) }
  })
  const scored = allowed
    .map(({ document, words, counts }) => {
      const norm = SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * words.length) / Math.max(1, average))
      const score = terms.reduce((sum, { term, rarity }) => {
        const times = counts.get(term) ?? 0
        return sum + (rarity * times * (SATURATION + 1)) / (times + norm)
      }, 0)
      return { document, score }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  const best = scored[0]?.score ?? 1
  return scored.map(({ document: { title, url, text, published }, score }) => ({
    title,
    url,
    snippet: snippetOf(text, new Set(asked)),
    published,
    score: score / best,
  }))
}

/** The stretch of the text with the most of the words. */
function snippetOf(text: string, asked: ReadonlySet<string>): string {
  const words = text.split(/\s+/)
  const hits = words.map((word) => (wordsOf(word).some((each) => asked.has(each)) ? 1 : 0))
  let [inside, most, start] = [0, 0, 0]
  for (const [position, hit] of hits.entries()) {
    inside += hit - (hits[position - SNIPPET_WORDS] ?? 0)
    if (inside > most) [most, start] = [inside, Math.max(0, position - SNIPPET_WORDS + 1)]
  }
  const end = start + SNIPPET_WORDS
  return `${start > 0 ? '... ' : ''}${words.slice(start, end).join(' ')}${end < words.length ? ' ...' : ''}`
}

/** Words in small letters without accents and without the endings that English grammar adds. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 4 ? word.replace(/(?:ming|ing|ies|es|ed|s)$/, '') : word.replace(/s$/, ''),
  )
}
