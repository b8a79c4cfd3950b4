/** Saturation of repeated words, and how much long texts are held back. */
const K1 = 0.9
const B = 0.4

/** The occurrences of one term: documents and how much it counts in each. */
class Postings {
  documents = new Int32Array(4)
  weights = new Float32Array(4)
  size = 0

  add(document: number, weight: number): void {
    if (this.size === this.documents.length) {
      this.documents = grown(this.documents, new Int32Array(this.size * 2))
      this.weights = grown(this.weights, new Float32Array(this.size * 2))
    }
    this.documents[this.size] = document
    this.weights[this.size++] = weight
  }

  /** The last one takes its place: the order says nothing. */
  remove(document: number): void {
    const at = this.documents.subarray(0, this.size).indexOf(document)
    if (at < 0) return
    this.size--
    this.documents[at] = this.documents[this.size] as number
    this.weights[at] = this.weights[this.size] as number
  }
}

function grown<T extends Int32Array | Float32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** The documents that may be seen. */
interface Scope {
  readonly count: number
  /** By document: how much its length holds it back. */
  readonly held: Float64Array
  readonly isWhole: boolean
  readonly changes: number
}

function countSeen({ documents, size }: Postings, { isWhole }: Scope, seen: Uint8Array | undefined): number {
  if (isWhole || seen === undefined) return size
  let count = 0
  for (let at = 0; at < size; at++) if (seen[documents[at] as number] === 1) count++
  return count
}

/** How much a term tells that so many of the documents have. */
function rarity(found: number, { count }: Scope): number {
  return found === 0 ? 0 : Math.log(1 + (count - found + 0.5) / (found + 0.5))
}

/** How documents are scored. */
export interface Scoring {
  /** 1 for each document that may be seen. */
  readonly seen?: Uint8Array | undefined
  readonly weigh?: ((term: string) => number) | undefined
}

/** A term of a query with its rarity. */
export interface WeighedTerm {
  readonly term: string
  readonly idf: number
}

/**
 * Ranks documents by the words that they share with a query (BM25, with fields by weights). Documents are numbers of the caller's; each is
 * added once, and may be removed. A document without a length does not exist.
 */
export class TextIndex {
  readonly #postings = new Map<string, Postings>()
  readonly #terms: (readonly string[] | undefined)[] = []
  #lengths = new Float32Array(64)
  #total = 0
  #count = 0
  #changes = 0
  #whole: Scope | undefined
  readonly #scopes = new WeakMap<Uint8Array, Scope>()

  get count(): number {
    return this.#count
  }

  /** `counted` has the terms of a document, each with the sum of the weights of the fields in which it stands. */
  add(document: number, counted: ReadonlyMap<string, number>): void {
    while (document >= this.#lengths.length) this.#lengths = grown(this.#lengths, new Float32Array(this.#lengths.length * 2))
    let length = 0
    for (const [term, weight] of counted) {
      let postings = this.#postings.get(term)
      if (postings === undefined) this.#postings.set(term, (postings = new Postings()))
      postings.add(document, weight)
      length += weight
    }
    this.#terms[document] = [...counted.keys()]
    this.#lengths[document] = Math.max(length, Number.EPSILON)
    this.#total += length
    this.#count++
    this.#changes++
  }

  remove(document: number): void {
    const length = this.#lengths[document] ?? 0
    if (length === 0) return
    this.#lengths[document] = 0
    this.#total -= length
    this.#count--
    this.#changes++
    for (const term of this.#terms[document] ?? []) {
      const postings = this.#postings.get(term)
      postings?.remove(document)
      if (postings?.size === 0) this.#postings.delete(term)
    }
    this.#terms[document] = undefined
  }

  /** How much a term tells: rare ones more. 0 for a term that no document has. Only documents that may be seen are counted. */
  idf(term: string, seen?: Uint8Array): number {
    return rarity(this.frequency(term, seen), this.#scopeOf(seen))
  }

  /** How many documents that may be seen have a term. */
  frequency(term: string, seen?: Uint8Array): number {
    const postings = this.#postings.get(term)
    return postings === undefined ? 0 : countSeen(postings, this.#scopeOf(seen), seen)
  }

  /** How many documents may be seen. */
  seenCount(seen?: Uint8Array): number {
    return this.#scopeOf(seen).count
  }

  /** What the terms of a query tell together. A term that no document has counts as a rare one. */
  telling(terms: Iterable<string>, seen?: Uint8Array): number {
    const rarest = this.rarest(seen)
    let sum = 0
    for (const term of terms) sum += this.idf(term, seen) || rarest
    return sum
  }

  /** The rarity of a term that no document has. */
  rarest(seen?: Uint8Array): number {
    return Math.log(1 + (this.#scopeOf(seen).count + 0.5) / 0.5)
  }

  /**
   * Adds the score of every document that shares a term with the query to `scores`. With `seen`, 1 for each document that may be seen, the
   * scores are those that an index of these alone would give; what the others get means nothing. The same array is for the same documents.
   * The terms may be weighed, from 0 to 1. Gives the best score of a document that may be seen: scores only rise, so that it is met on the way.
   */
  score(terms: Iterable<string>, scores: Float32Array, { seen, weigh }: Scoring = {}): number {
    const scope = this.#scopeOf(seen)
    const { held, isWhole } = scope
    let best = 0
    for (const term of terms) {
      const postings = this.#postings.get(term)
      if (postings === undefined) continue
      const idf = rarity(countSeen(postings, scope, seen), scope) * (K1 + 1) * (weigh?.(term) ?? 1)
      const { documents, weights, size } = postings
      for (let at = 0; at < size; at++) {
        const document = documents[at] as number
        const weight = weights[at] as number
        const score = (scores[document] as number) + (idf * weight) / (weight + (held[document] as number))
        scores[document] = score
        if (score > best && (isWhole || (seen as Uint8Array)[document] === 1)) best = score
      }
    }
    return Math.fround(best)
  }

  /** What the documents that may be seen have in common; kept for the array as long as there is no change. */
  #scopeOf(seen: Uint8Array | undefined): Scope {
    const whole = this.#wholeScope()
    if (seen === undefined) return whole
    const kept = this.#scopes.get(seen)
    if (kept?.changes === this.#changes) return kept
    let count = 0
    let total = 0
    for (let document = 0; document < seen.length; document++) {
      const length = this.#lengths[document] ?? 0
      if (seen[document] !== 1 || length === 0) continue
      count++
      total += length
    }
    const scope = count === this.#count ? whole : this.#scope(count, total)
    this.#scopes.set(seen, scope)
    return scope
  }

  #wholeScope(): Scope {
    if (this.#whole?.changes !== this.#changes) this.#whole = { ...this.#scope(this.#count, this.#total), isWhole: true }
    return this.#whole as Scope
  }

  #scope(count: number, total: number): Scope {
    const mean = total / Math.max(1, count)
    const lengths = this.#lengths
    const held = new Float64Array(lengths.length)
    for (let document = 0; document < held.length; document++) held[document] = K1 * (1 - B + (B * (lengths[document] as number)) / mean)
    return { count, held, isWhole: false, changes: this.#changes }
  }

  /** The terms that a document and a query share, the most telling first. */
  sharedTerms(document: number, terms: ReadonlySet<string>, seen?: Uint8Array): WeighedTerm[] {
    return (this.#terms[document] ?? [])
      .filter((term) => terms.has(term))
      .map((term) => ({ term, idf: this.idf(term, seen) }))
      .toSorted((a, b) => b.idf - a.idf)
  }
}
