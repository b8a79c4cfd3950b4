import { type Clause, clausesOf } from './clauses.ts'
import { ServerScores } from './server-scores.ts'
import { TextIndex, type WeighedTerm } from './text-index.ts'
import type { ToolText } from './tool-text.ts'
import { DIMENSIONS, UNIT, VectorTable } from './vector-table.ts'
import { termsOfWords, wordsOf } from './words.ts'
import type { TextVectors } from './word-vectors.ts'

/**
 * How much nearness in meaning counts beside shared words: among many tools some are near by chance, so it counts less with the logarithm of
 * their number. For the whole of a request of several clauses it counts less than for a clause.
 */
const MEANING = 2.9
const MEANING_BY_NUMBER = 0.175
const LEAST_MEANING = 1
const MEANING_OF_MANY = 0.7
/** How much the best clause counts beside the whole of a request, and being the best for a clause. */
const CLAUSE = 0.6
const BEST_OF_CLAUSE = 1
/** How much the best tool of a server counts for the others of it; more for a request of several clauses, which often needs one server. */
const SERVER = 0.4
const SERVER_OF_MANY = 0.6
/** Any text in English is a little near to any other. */
const COSINE = 1 / (UNIT * UNIT)

/** Less than what matters. */
const LITTLE = 1e-4

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
  /** Words, meaning, clauses and server in one number. */
  readonly score: Float32Array
  /** The places that are best for a clause each, in the order of the clauses. */
  readonly bestOfClauses: readonly BestOfClause[]
  /** The highest sum of rarities that a place shares with the request, before it became 1. */
  readonly bestWords: number
  readonly terms: ReadonlySet<string>
  /** The vector of the whole request. */
  readonly vector: Int8Array | undefined
  /** The places that may be seen. All numbers are as if there were no others. */
  readonly allowed: Allowed
}

/** The place that is best for a part of a request. */
export interface BestOfClause {
  readonly place: number
  readonly clause: string
  readonly terms: ReadonlySet<string>
  /** Its nearness in meaning to this part. */
  readonly meaning: number
  /** How much its words tell beside those of the other clauses: from 0 to 1. */
  readonly telling: number
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
  readonly #servers = new ServerScores()
  #words = new Float32Array(64)
  #meaning = new Float32Array(64)
  #clause = new Float32Array(64)
  #score = new Float32Array(64)
  #clauseWords = new Float32Array(64)
  #size = 0
  #picked = new Int32Array(64)
  #shared: { readonly place: number; readonly terms: ReadonlySet<string>; readonly shared: readonly WeighedTerm[] } | undefined
  #told: { readonly terms: ReadonlySet<string>; readonly telling: number } | undefined

  constructor({ kernel }: { readonly kernel?: boolean | undefined } = {}) {
    this.#vectors = new VectorTable(kernel === undefined ? {} : { kernel })
  }

  get size(): number {
    return this.#size
  }

  set(place: number, { terms, server }: Pick<ToolText, 'terms' | 'server'>, vector: Int8Array | undefined): void {
    this.remove(place)
    if (place >= this.#words.length) this.#grow(Math.max(place + 1, this.#words.length * 2))
    this.#size = Math.max(this.#size, place + 1)
    this.#texts.add(place, terms)
    this.#vectors.set(place, vector)
    this.#servers.set(place, server)
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

  /** The products of a vector with those of some places, by place; valid until the next call. */
  pick(vector: Int8Array, places: readonly number[]): Int32Array {
    if (places.length > this.#picked.length) this.#picked = new Int32Array(places.length * 2)
    this.#picked.set(places)
    this.#vectors.aim(vector)
    return this.#vectors.pick(this.#picked, places.length)
  }

  /** The share of a request that the words of a place cover, by the rarity of the words: from 0 to 1. Words that no tool has count as rare. */
  coverage(place: number, { terms, allowed }: Pick<Evidence, 'terms' | 'allowed'>): number {
    const shared = this.#sharedBy(place, terms, allowed).reduce((sum, { idf }) => sum + idf, 0)
    const all = this.#tellingOf(terms, allowed)
    return all === 0 ? 0 : shared / all
  }

  /** The terms of a request are a set of its own, and all its candidates are judged before anything changes: the last answer is kept. */
  #tellingOf(terms: ReadonlySet<string>, allowed: Allowed): number {
    if (this.#told?.terms !== terms) this.#told = { terms, telling: this.#texts.telling(terms, allowed) }
    return this.#told.telling
  }

  /** The terms that a place shares with a request, the rarest first. */
  shared(place: number, { terms, allowed }: Evidence): string[] {
    return this.#sharedBy(place, terms, allowed).map(({ term }) => term)
  }

  /** A tool is judged and told about in turn: the last answer is kept. */
  #sharedBy(place: number, terms: ReadonlySet<string>, allowed: Allowed): readonly WeighedTerm[] {
    if (this.#shared?.terms !== terms || this.#shared.place !== place)
      this.#shared = { place, terms, shared: this.#texts.sharedTerms(place, terms, allowed) }
    return this.#shared.shared
  }

  rank(request: string, allowed: Allowed, { vectors, weigh }: Means): Evidence {
    const clauses = clausesOf(request)
    const { terms, vector } = readText({ text: request, words: wordsOf(request) }, vectors)
    const { size } = this
    const words = this.#words
    const meaning = this.#meaning
    const score = this.#score
    const bestWords = this.#shareWords(terms, words, { allowed, weigh })
    const scale = bestWords === 0 ? 0 : 1 / bestWords
    const one = Math.max(LEAST_MEANING, Math.min(2, MEANING - MEANING_BY_NUMBER * Math.log(this.#texts.seenCount(allowed) + 1)))
    const weight = clauses.length === 0 ? one : MEANING_OF_MANY * one
    const products = this.#vectors.compare(vector ?? NO_VECTOR)
    for (let place = 0; place < size; place++) {
      const share = (words[place] as number) * scale
      const near = (products[place] as number) * COSINE
      words[place] = share
      meaning[place] = near
      score[place] = share + weight * near
    }
    this.#clause.fill(0, 0, size)
    const bestOfClauses = clauses.length === 0 ? [] : this.#lookAtClauses(clauses, { meaning: one, allowed, vectors, weigh })
    if (bestOfClauses.length > 0) this.#addClauses(bestOfClauses, allowed)
    this.#servers.raise(score, allowed, { size, share: bestOfClauses.length > 1 ? SERVER_OF_MANY : SERVER })
    return { words, meaning, clause: this.#clause, score, bestOfClauses, bestWords, terms, vector, allowed }
  }

  /** Fills the words that places share with a request; gives the best of the allowed ones. */
  #shareWords(terms: ReadonlySet<string>, words: Float32Array, { allowed, weigh }: Pick<Clauses, 'allowed' | 'weigh'>): number {
    const { size } = this
    words.fill(0, 0, size)
    return this.#texts.score(terms, words, { seen: allowed, weigh })
  }

  /**
   * Notes for every place how well it fits the clause that it fits best; gives the best place for each clause. Words count by the best
   * match of their own clause: a wish of common words is a wish too. The best of a clause whose words tell little counts less than those of
   * the others: `I am a student` is no wish.
   */
  #lookAtClauses(clauses: readonly Clause[], { meaning, allowed, vectors, weigh }: Clauses): BestOfClause[] {
    const words = this.#clauseWords
    const found: BestOfClause[] = []
    for (const clause of clauses) {
      const { terms, vector = NO_VECTOR } = readText(clause, vectors)
      const telling = this.#shareWords(terms, words, { allowed, weigh })
      const products = this.#vectors.compare(vector)
      const scale = telling === 0 ? 0 : 1 / telling
      const place = this.#lookAtClause({ words, products, scale, meaning: meaning * COSINE, allowed })
      if (place >= 0) found.push({ place, clause: clause.text, terms, meaning: (products[place] as number) * COSINE, telling })
    }
    const most = Math.max(Number.MIN_VALUE, ...found.map(({ telling }) => telling))
    return found.map((each) => ({ ...each, telling: each.telling / most }))
  }

  #lookAtClause({ words, products, scale, meaning, allowed }: ClauseNumbers): number {
    const { size } = this
    const clause = this.#clause
    let best = -1
    let most = 0
    for (let place = 0; place < size; place++) {
      const score = (words[place] as number) * scale + (products[place] as number) * meaning
      if (score > (clause[place] as number)) clause[place] = score
      if (score > most && allowed[place] === 1) {
        most = score
        best = place
      }
    }
    return best
  }

  /** The best of a clause moves up, but not past the best of the whole request. */
  #addClauses(bests: readonly BestOfClause[], allowed: Allowed): void {
    const { size } = this
    const score = this.#score
    let first = -Infinity
    for (let place = 0; place < size; place++) {
      const sum = (score[place] as number) + CLAUSE * (this.#clause[place] as number)
      score[place] = sum
      if (sum > first && allowed[place] === 1) first = sum
    }
    for (const { place, telling } of bests) {
      const before = score[place] as number
      if (before < first) score[place] = Math.max(before, Math.min(first - LITTLE, before + BEST_OF_CLAUSE * telling))
    }
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
    this.#clauseWords = larger(this.#clauseWords)
  }
}

/** What a request is read with. */
export interface Means {
  readonly vectors: TextVectors | undefined
  /** How much a term tells in requests, from 0 to 1; all tell the same unless given. */
  readonly weigh?: ((term: string) => number) | undefined
}

interface Clauses extends Means {
  /** How much meaning counts. */
  readonly meaning: number
  readonly allowed: Allowed
}

interface ReadText {
  readonly terms: ReadonlySet<string>
  readonly vector: Int8Array | undefined
}

function readText({ text, words }: Clause, vectors: TextVectors | undefined): ReadText {
  const vector = vectors?.vectorOfWords === undefined ? vectors?.vectorOf(text) : vectors.vectorOfWords(words)
  return { terms: new Set(termsOfWords(words)), vector }
}

interface ClauseNumbers {
  readonly words: Float32Array
  readonly products: Int32Array
  readonly scale: number
  readonly meaning: number
  readonly allowed: Allowed
}

/** The places with the highest numbers among the allowed ones, the highest first. A place without a number is not among them. */
export function highest(
  scores: Float32Array,
  allowed: Allowed,
  { count, size }: { readonly count: number; readonly size: number },
): number[] {
  const places = new Int32Array(Math.min(count, size) + 1)
  let found = 0
  let least = -Infinity
  for (let place = 0; place < size; place++) {
    const score = scores[place] as number
    if (!(score > least) && found === count) continue
    if (allowed[place] !== 1) continue
    let at = found
    for (; at > 0 && (scores[places[at - 1] as number] as number) < score; at--) places[at] = places[at - 1] as number
    places[at] = place
    if (found < count) found++
    least = scores[places[found - 1] as number] as number
  }
  return Array.from(places.subarray(0, found))
}
