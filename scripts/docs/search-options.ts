import type { Options } from 'minisearch'

/** What the search knows of a part of a page. */
export interface SearchEntry {
  readonly id: number
  /** The title of the page. */
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly link: string
}

/** How texts are cut and compared. The index is built with it, and the browser searches with it. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading', 'link'],
  tokenize: wordsOf,
  searchOptions: {
    boost: { heading: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    boostDocument: (_id, _term, stored) => weightOf(String(stored?.['link'])),
    tokenize: (text) => text.split(/[\s\p{P}\p{S}]+/u),
  },
}

/** A reader wants a guide first, a record of a decision last. */
function weightOf(link: string): number {
  if (link.startsWith('guides/')) return 1.5
  return link.startsWith('decisions/') || link.startsWith('changelog') ? 0.5 : 1
}

/** The words of a text. A name of several words is found by each of them. */
function wordsOf(text: string): string[] {
  return text.split(/[\s\p{P}\p{S}]+/u).flatMap((word) => {
    const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/)
    return parts.length > 1 ? [word, ...parts] : [word]
  })
}
