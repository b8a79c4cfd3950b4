import { clausesOf } from './clauses.ts'
import { TextIndex } from './text-index.ts'
import type { ToolText } from './tool-text.ts'
import { DIMENSIONS, UNIT, VectorTable } from './vector-table.ts'
import { termsOf } from './words.ts'
import type { TextVectors } from './word-vectors.ts'

/** How much nearness in meaning counts beside shared words, for a request of one clause and for the whole of a longer one. */
const MEANING = 2
const MEANING_OF_MANY = 1.2
/** Any text in English is a little near to any other. */
const COSINE = 1 / (UNIT * UNIT)

/** It is near to nothing. */
const NO_VECTOR = new Int8Array(DIMENSIONS)

/** What is known about every place for one request: numbers by place, valid until the next request. */
export interface Evidence {
  /** Shared words, from 0 to 1: 1 for the best of the allowed places. What the others have means nothing. */
  readonly words: Float32Array
  /** Nearness in meaning, from -1 to 1. */
  readonly meaning: Float32Array
  /** The best clause of the request: words and meaning together; 0 for a request of one clause. */
  readonly clause: Float32Array
  /** Words, meaning and clauses in one number. */
  readonly score: Float32Array
  /** The places that are best for a clause each, in the order of the clauses. */
  readonly bestOfClauses: readonly { readonly place: number; readonly clause: string }[]
  /** The highest sum of rarities that a place shares with the request, before it became 1. */
  readonly bestWords: number
  readonly terms: ReadonlySet<string>
  /** The vector of the whole request. */
  readonly vector: Int8Array | undefined
  /** The places that may be seen. All numbers are as if there were no others. */
  readonly allowed: Allowed
}

/** Which places may be seen: 1 for each. */
export type Allowed = Uint8Array

/**
 * Ranks tools by what they say about themselves. A tool has a place, a number; the places of removed tools are used again. All arrays are
 * made once and grow with the number of places, so that a request makes next to nothing.
 */
export class Ranking {
  readonly #texts = new TextIndex()
  readonly #vectors: VectorTable
  #words = new Float32Array(64)
  #meaning = new Float32Array(64)
  #clause = new Float32Array(64)
  #score = new Float32Array(64)
  #scratch = new Float32Array(64)
  #size = 0

  constructor({ kernel }: { readonly kernel?: boolean | undefined } = {}) {
    this.#vectors = new VectorTable(kernel === undefined ? {} : { kernel })
  }

  get size(): number {
    return this.#size
  }

  set(place: number, { terms }: ToolText, vector: Int8Array | undefined): void {
    this.remove(place)
    if (place >= this.#words.length) this.#grow(Math.max(place + 1, this.#words.length * 2))
    this.#size = Math.max(this.#size, place + 1)
    this.#texts.add(place, terms)
    this.#vectors.set(place, vector)
  }

  /** A copy of the vector of a place; undefined if it has none. */
  vectorAt(place: number): Int8Array | undefined {
    const row = this.#vectors.row(place)
    return row.some((each) => each !== 0) ? row.slice() : undefined
  }

  remove(place: number): void {
    if (place >= this.#size) return
    this.#texts.remove(place)
    this.#vectors.set(place, undefined)
  }

  vector(place: number): Int8Array {
    return this.#vectors.row(place)
  }

  /** The share of a request that the words of a place cover, by the rarity of the words: from 0 to 1. Words that no tool has count as rare. */
  coverage(place: number, { terms, allowed }: Evidence): number {
    const shared = this.#texts.sharedTerms(place, terms, allowed).reduce((sum, { idf }) => sum + idf, 0)
    const rarest = this.#texts.rarest(allowed)
    let all = 0
    for (const term of terms) all += this.#texts.idf(term, allowed) || rarest
    return all === 0 ? 0 : shared / all
  }

  /** The terms that a place shares with a request, the rarest first. */
  shared(place: number, { terms, allowed }: Evidence): string[] {
    return this.#texts.sharedTerms(place, terms, allowed).map(({ term }) => term)
  }

  rank(request: string, allowed: Allowed, vectors: TextVectors | undefined): Evidence {
    const clauses = clausesOf(request)
    const vector = vectors?.vectorOf(request)
    const terms = new Set(termsOf(request))
    const { size } = this
    const words = this.#words
    const meaning = this.#meaning
    const score = this.#score
    const bestWords = this.#shareWords(terms, words, allowed)
    const scale = bestWords === 0 ? 0 : 1 / bestWords
    const weight = clauses.length === 0 ? MEANING : MEANING_OF_MANY
    const products = this.#vectors.compare(vector ?? NO_VECTOR)
    for (let place = 0; place < size; place++) {
      const share = (words[place] as number) * scale
      const near = (products[place] as number) * COSINE
      words[place] = share
      meaning[place] = near
      score[place] = share + weight * near
    }
    this.#clause.fill(0, 0, size)
    const bestOfClauses = clauses.map((clause) => this.#lookAtClause(clause, allowed, vectors)).filter((best) => best !== undefined)
    if (clauses.length > 0)
      for (let place = 0; place < size; place++) score[place] = (score[place] as number) + (this.#clause[place] as number)
    return { words, meaning, clause: this.#clause, score, bestOfClauses, bestWords, terms, vector, allowed }
  }

  /** Fills the words that places share with a request; gives the best of the allowed ones. */
  #shareWords(terms: ReadonlySet<string>, words: Float32Array, allowed: Allowed): number {
    const { size } = this
    words.fill(0, 0, size)
    this.#texts.score(terms, words, allowed)
    let best = 0
    for (let place = 0; place < size; place++) if ((words[place] as number) > best && allowed[place] === 1) best = words[place] as number
    return best
  }

  /** Notes how well the clause fits every place, where it is the best so far; gives the best place for it. */
  #lookAtClause(text: string, allowed: Allowed, vectors: TextVectors | undefined): { place: number; clause: string } | undefined {
    const { size } = this
    const clause = this.#clause
    const words = this.#scratch
    const bestWords = this.#shareWords(new Set(termsOf(text)), words, allowed)
    const scale = bestWords === 0 ? 0 : 1 / bestWords
    const products = this.#vectors.compare(vectors?.vectorOf(text) ?? NO_VECTOR)
    let best = -1
    let most = 0
    for (let place = 0; place < size; place++) {
      const score = (words[place] as number) * scale + (products[place] as number) * (MEANING * COSINE)
      if (score > (clause[place] as number)) clause[place] = score
      if (score > most && allowed[place] === 1) {
        most = score
        best = place
      }
    }
    return best < 0 ? undefined : { place: best, clause: text }
  }

  #grow(capacity: number): void {
    const larger = (from: Float32Array): Float32Array<ArrayBuffer> => {
      const to = new Float32Array(capacity)
      to.set(from)
      return to
    }
    this.#words = larger(this.#words)
    this.#meaning = larger(this.#meaning)
    this.#clause = larger(this.#clause)
    this.#score = larger(this.#score)
    this.#scratch = larger(this.#scratch)
  }
}

/** The places with the highest numbers among the allowed ones, the highest first. A place without a number is not among them. */
export function highest(
  scores: Float32Array,
  allowed: Allowed,
  { count, size }: { readonly count: number; readonly size: number },
): number[] {
  const places: number[] = []
  let least = -Infinity
  for (let place = 0; place < size; place++) {
    const score = scores[place] as number
    if (allowed[place] !== 1 || (places.length === count && score <= least)) continue
    let at = places.length
    while (at > 0 && (scores[places[at - 1] as number] as number) < score) at--
    places.splice(at, 0, place)
    if (places.length > count) places.pop()
    least = scores[places.at(-1) as number] as number
  }
  return places
}
