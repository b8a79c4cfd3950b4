import { wordsOf } from './words.ts'

/** Clauses of a request that are looked up at the most, besides the whole of it. */
const MAX_CLAUSES = 6
/** A clause with fewer words says too little alone. */
const MIN_WORDS = 3
/** A point inside a number, a file name or an address ends nothing. */
const BREAKS =
  /[.;!?]+['")\]]*(?= |$)|,? (?:and then|then|after that|afterwards|also|additionally|in addition|finally|lastly|secondly|thirdly|as well as|and also|plus)\b[ ,]*|, (?:and )?(?=\p{L}{3,} \p{L})| and (?=(?:\p{L}+ ){2})/giu

/** The parts of a request that may each ask for another tool; empty if it has one only. */
export function clausesOf(request: string): readonly string[] {
  const clauses = request
    .slice(0, 4000)
    // Runs of spaces would make the search below slow.
    .replaceAll(/[\r\n]+/g, '. ')
    .replaceAll(/\s+/g, ' ')
    .split(BREAKS)
    .map((clause) => clause.trim())
    .filter((clause) => wordsOf(clause).length >= MIN_WORDS)
  return clauses.length < 2 ? [] : joined(clauses)
}

/** Neighbours are joined, the shortest first: the last wish of a long request counts as much as the first. */
function joined(clauses: readonly string[]): readonly string[] {
  const left = [...clauses]
  while (left.length > MAX_CLAUSES) {
    let shortest = 0
    let least = Infinity
    for (let at = 0; at + 1 < left.length; at++) {
      const length = (left[at] as string).length + (left[at + 1] as string).length
      if (length >= least) continue
      least = length
      shortest = at
    }
    left.splice(shortest, 2, `${left[shortest]}, ${left[shortest + 1]}`)
  }
  return left
}
