const MIN_PART = 3
const MIN_WORD = 6
const MAX_WORD = 40
/** Each further part makes a split less likely, as much as a word that is this many times rarer. */
const PER_PART = Math.log(20)

/**
 * The words of a word that is several written as one: `airqualityforecast` is air, quality, forecast. `rankOf` gives how common a word is,
 * 0 for the most common one. Of all ways to split it, the one with the most common and fewest words counts. Undefined if there is none.
 */
export function wordParts(word: string, rankOf: (part: string) => number | undefined): readonly string[] | undefined {
  if (word.length < MIN_WORD || word.length > MAX_WORD) return undefined
  // The best split of the first letters, by their number.
  const costs = new Float64Array(word.length + 1).fill(Infinity)
  const starts = new Int32Array(word.length + 1)
  costs[0] = 0
  for (let end = MIN_PART; end <= word.length; end++) {
    for (let start = 0; start <= end - MIN_PART; start++) {
      if (costs[start] === Infinity) continue
      const rank = rankOf(word.slice(start, end))
      const cost = rank === undefined ? Infinity : (costs[start] as number) + Math.log(rank + 10) + PER_PART
      if (cost < (costs[end] as number)) {
        costs[end] = cost
        starts[end] = start
      }
    }
  }
  if (costs[word.length] === Infinity) return undefined
  const parts: string[] = []
  for (let end = word.length; end > 0; end = starts[end] as number) parts.unshift(word.slice(starts[end], end))
  return parts
}
