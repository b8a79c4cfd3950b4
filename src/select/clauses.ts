import { MAX_WORDS, wordsOf } from './words.ts'

/** Clauses of a request that are looked up at the most, besides the whole of it. */
const MAX_CLAUSES = 6
/** A clause with fewer words says too little alone. */
const MIN_WORDS = 3
/** A point inside a number, a file name or an address ends nothing. */
const BREAKS =
  /[.;!?]+['")\]]*(?= |$)|,? (?:and then|then|after that|afterwards|also|additionally|in addition|finally|lastly|secondly|thirdly|as well as|and also|plus)\b[ ,]*|, (?:and )?(?=\p{L}{3,} \p{L})| and (?=(?:\p{L}+ ){2})/giu

/** A part of a request, with its words. */
export interface Clause {
  readonly text: string
  readonly words: readonly string[]
}

/** The parts of a request that may each ask for another tool; empty if it has one only. */
export function clausesOf(request: string): readonly Clause[] {
  const clauses = request
    .slice(0, 4000)
    // Runs of spaces would make the search below slow.
    .replaceAll(/[\r\n]+/g, '. ')
    .replaceAll(/\s+/g, ' ')
    .split(BREAKS)
    .map((clause): Clause => ({ text: clause.trim(), words: wordsOf(clause) }))
    .filter(({ words }) => words.length >= MIN_WORDS)
  return clauses.length < 2 ? [] : joined(clauses)
}

/** Neighbours are joined, the shortest first: the last wish of a long request counts as much as the first. */
function joined(clauses: readonly Clause[]): readonly Clause[] {
  const left = [...clauses]
  while (left.length > MAX_CLAUSES) {
    let shortest = 0
    let least = Infinity
    for (let at = 0; at + 1 < left.length; at++) {
      const length = (left[at] as Clause).text.length + (left[at + 1] as Clause).text.length
      if (length >= least) continue
      least = length
      shortest = at
    }
    const [first, second] = left.slice(shortest, shortest + 2) as [Clause, Clause]
    const words = [...first.words, ...second.words].slice(0, MAX_WORDS)
    left.splice(shortest, 2, { text: `${first.text}, ${second.text}`, words })
  }
  return left
}
