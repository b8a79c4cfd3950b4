import { Highest } from './highest.ts'
import { type TraceEvidence, TraceTools } from './trace-tools.ts'
import { TextIndex } from './text-index.ts'
import { DIMENSIONS, UNIT, VectorTable } from './vector-table.ts'
import { termsOf } from './words.ts'
import type { TextVectors } from './word-vectors.ts'

/** A request and the tool that served it, or did not. */
export interface Trace {
  /** The request, or the text of the task. */
  readonly text: string
  /** The name of the tool. */
  readonly tool: string
  /** Whether the tool served it. A call that failed, or was undone, counts against the tool. */
  readonly served: boolean
  /** Whose request it was, so that it can be forgotten. */
  readonly principal?: string | undefined
  /** In milliseconds since the epoch. */
  readonly at: number
}

/** Traces of one tool that are kept, the newest. */
const MAX_PER_TOOL = 100
/** Characters of a request that are kept. */
export const MAX_TEXT = 500
/** The nearest traces that vote for their tools. */
const VOTERS = 48
/** Traces whose tools are looked at because they share words with a request. */
const BY_WORDS = 16
/** As if there were so many more requests with none of the words: few requests say little about words. */
const DOUBTED = 100
/** Below this nearness to the middle of its traces a tool is no candidate by that alone. */
const LEAST_MIDDLE = 0.5
const COSINE = 1 / (UNIT * UNIT)
const GONE = -1
/** Not the number of a tool. */
export const NO_TOOL = -1
const NO_VECTOR = new Int8Array(DIMENSIONS)

interface Kept extends Trace {
  readonly vector: Int8Array | undefined
}

/** A request as traces are compared with it. */
export interface TracedRequest {
  readonly terms: ReadonlySet<string>
  readonly vector: Int8Array | undefined
}

/** What does not exist for a request: tools that the caller may not see, and, in learning, a trace itself and tools that count as new. */
export interface Hidden {
  /** The place of a trace. */
  readonly except?: number
  readonly isHidden: (tool: string) => boolean
  /** 1 for the place of each trace of a tool that may be seen; all unless given. */
  readonly seen?: Uint8Array | undefined
}

/** What traces tell about a request. */
export interface ToldByTraces {
  /** Of each of these tools, by number; undefined for a tool that no trace speaks of, and for no number. */
  readonly of: (tools: readonly number[]) => readonly (TraceEvidence | undefined)[]
  /** The numbers of the tools that the traces speak for most, so many of them. */
  readonly best: (count: number) => readonly number[]
  readonly votes: Votes
}

/** The shares of the nearest traces that speak for tools, and against them: by the number of the tool, in the order of its nearest trace. */
type Votes = ReadonlyMap<number, { readonly votes: number; readonly against: number }>

interface Told {
  readonly share: number
  /** What the words of the request tell together. */
  readonly telling: number
  readonly middles: Int32Array
  readonly votes: Votes
  readonly vector: Int8Array
  readonly hidden: Hidden | undefined
}

/** The memory of requests: which tool served what. Places are used again; what is forgotten leaves nothing. */
export class TraceIndex {
  readonly #texts = new TextIndex()
  readonly #table = new VectorTable()
  readonly #tools = new TraceTools()
  readonly #kept: (Kept | undefined)[] = []
  readonly #free: number[] = []
  /** By place: the number of the tool, or `GONE`. */
  #numbers = new Int32Array(64)
  #isServed = new Uint8Array(64)
  #scores = new Float32Array(64)
  /** The products of the vector of a request, by place, and by the number of a tool the request for which its traces were compared. */
  #products: Int32Array = new Int32Array(64)
  readonly #rounds: number[] = []
  /** Places that are compared together. */
  #gathered = new Int32Array(64)
  #round = 0
  readonly #byWords = new Highest(BY_WORDS)
  readonly #voters = new Highest(VOTERS)
  #served = 0
  #changes = 0

  /** Raised by every change. */
  get changes(): number {
    return this.#changes
  }

  /** How many requests were served. */
  get served(): number {
    return this.#served
  }

  /** How many tools have traces. */
  get tools(): number {
    return this.#tools.count
  }

  *all(): Generator<Trace> {
    for (const [, trace] of this.places()) yield trace
  }

  /** The traces with their places. */
  *places(): Generator<readonly [place: number, trace: Trace]> {
    for (const [place, kept] of this.#kept.entries()) {
      if (kept === undefined) continue
      const { vector: _vector, ...trace } = kept
      yield [place, trace]
    }
  }

  /** The same request again replaces the earlier one. */
  add(trace: Trace, vectors: TextVectors | undefined): void {
    const text = trace.text.slice(0, MAX_TEXT)
    const terms = termsOf(text)
    if (terms.length === 0) return
    const known = this.#tools.numberOf(trace.tool)
    const places = known === undefined ? [] : this.#tools.placesOf(known)
    const same = places.find((place) => this.#kept[place]?.text === text && this.#kept[place]?.served === trace.served)
    if (same !== undefined) this.#remove(same)
    else if (places.length >= MAX_PER_TOOL) this.#remove(places[0] as number)
    const place = this.#free.pop() ?? this.#kept.length
    const kept: Kept = { ...trace, text, vector: vectors?.vectorOf(text) }
    this.#kept[place] = kept
    const counted = new Map<string, number>()
    for (const term of terms) counted.set(term, (counted.get(term) ?? 0) + 1)
    if (place >= this.#numbers.length) this.#grow(Math.max(place + 1, this.#numbers.length * 2))
    this.#texts.add(place, counted)
    this.#table.set(place, kept.vector)
    this.#numbers[place] = this.#tools.add(trace.tool, place, kept.served ? kept.vector : undefined)
    this.#isServed[place] = kept.served ? 1 : 0
    if (kept.served) this.#served++
    this.#changes++
  }

  /** Forgets the traces that match; gives how many. */
  forget(matches: (trace: Trace) => boolean): number {
    let forgotten = 0
    for (const [place, kept] of this.#kept.entries()) {
      if (kept === undefined || !matches(kept)) continue
      this.#remove(place)
      forgotten++
    }
    return forgotten
  }

  #remove(place: number): void {
    const kept = this.#kept[place]
    if (kept === undefined) return
    this.#texts.remove(place)
    this.#table.set(place, undefined)
    this.#kept[place] = undefined
    this.#numbers[place] = GONE
    this.#free.push(place)
    this.#tools.remove(kept.tool, place, kept.served ? kept.vector : undefined)
    if (kept.served) this.#served--
    this.#changes++
  }

  /**
   * How much a term tells in requests, from 0 to 1: a word of many requests, such as `recommend`, says little about which tool is meant,
   * however rare it is among tools.
   */
  weigh(seen?: Uint8Array): (term: string) => number {
    const most = Math.log(this.#texts.seenCount(seen) + DOUBTED)
    return (term) => 1 - Math.log(1 + this.#texts.frequency(term, seen)) / most
  }

  /** The names of the tools that traces speak of, by number; undefined for a number that is free. */
  get names(): readonly (string | undefined)[] {
    return this.#tools.names
  }

  /** The number of a tool; undefined if no trace speaks of it. */
  numberOf(tool: string): number | undefined {
    return this.#tools.numberOf(tool)
  }

  /** 1 for the place of each trace whose tool may be seen. */
  seen(isSeen: (tool: string) => boolean): Uint8Array {
    const isSeenTool = this.#tools.names.map((name) => name !== undefined && isSeen(name))
    const seen = new Uint8Array(this.#kept.length)
    for (let place = 0; place < seen.length; place++) seen[place] = isSeenTool[this.#numbers[place] as number] === true ? 1 : 0
    return seen
  }

  /** Whether any of the seen traces was served. */
  hasServed(seen: Uint8Array): boolean {
    for (let place = 0; place < seen.length; place++) if (seen[place] === 1 && this.#isServed[place] === 1) return true
    return false
  }

  /**
   * What the traces tell about a request; valid until the next request. Vectors are compared only for the tools that the words or the
   * middles of their traces speak for, so that the work hardly grows with the number of traces.
   */
  evidence({ terms, vector = NO_VECTOR }: TracedRequest, hidden?: Hidden): ToldByTraces {
    const scores = this.#scores.fill(0, 0, this.#kept.length)
    this.#texts.score(terms, scores, { seen: hidden?.seen })
    const middles = this.#tools.compareMiddles(vector)
    this.#table.aim(vector)
    this.#round++
    const nearest = this.#nearestByWords(hidden)
    const share = nearest.size === 0 ? 0 : 1 / nearest.weightAt(0)
    const tools = new Set<number>()
    for (let at = 0; at < nearest.size; at++) tools.add(this.#numbers[nearest.numberAt(at)] as number)
    const near = this.#tools.highestMiddles(middles, LEAST_MIDDLE * UNIT * UNIT, hidden?.isHidden)
    for (let at = 0; at < near.size; at++) tools.add(near.numberAt(at))
    this.#compare(tools)
    const votes = this.#votesOf(tools, share, hidden)
    const telling = this.#texts.telling(terms, hidden?.seen)
    return {
      of: (asked) => {
        this.#compare(asked)
        const told = { share, telling, middles, votes, vector, hidden }
        return asked.map((tool) => (tool === NO_TOOL ? undefined : this.#evidenceOf(tool, told)))
      },
      best: (count) => [...new Set([...votes.keys(), ...tools])].slice(0, count),
      votes,
    }
  }

  /** The traces that share most words with the request. */
  #nearestByWords(hidden: Hidden | undefined): Highest {
    const scores = this.#scores
    const { length } = this.#kept
    const nearest = this.#byWords
    nearest.clear(0)
    let least = 0
    for (let place = 0; place < length; place++) {
      const score = scores[place] as number
      if (score > least && !this.#isOut(place, hidden)) least = nearest.offer(place, score)
    }
    return nearest
  }

  /** Compares the traces of some tools with the request, each once. */
  #compare(tools: Iterable<number>): void {
    const rounds = this.#rounds
    let count = 0
    for (const tool of tools) {
      if (tool === NO_TOOL || rounds[tool] === this.#round) continue
      rounds[tool] = this.#round
      const places = this.#tools.placesOf(tool)
      if (count + places.length > this.#gathered.length) this.#gathered = larger(this.#gathered, count + places.length)
      for (let at = 0; at < places.length; at++) this.#gathered[count++] = places[at] as number
    }
    this.#products = this.#table.pick(this.#gathered, count)
  }

  /** How near the request is to a trace that was compared. */
  #near(place: number): number {
    return Math.fround((this.#products[place] as number) * COSINE)
  }

  /** The votes of the nearest traces among those of the tools. */
  #votesOf(tools: ReadonlySet<number>, share: number, hidden: Hidden | undefined): Votes {
    const voters = this.#voters
    voters.clear(0)
    const scores = this.#scores
    let least = 0
    for (const tool of tools) {
      const places = this.#tools.placesOf(tool)
      for (let at = 0; at < places.length; at++) {
        const place = places[at] as number
        const weight = (scores[place] as number) * share + this.#near(place)
        if (weight > least && !this.#isOut(place, hidden)) least = voters.offer(place, weight)
      }
    }
    return this.#count(voters)
  }

  /** Looks at the traces of one tool: there are few. */
  #evidenceOf(tool: number, { share, telling, middles, votes, vector, hidden }: Told): TraceEvidence | undefined {
    let words = 0
    let nearest = -1
    let isKnown = false
    const places = this.#tools.placesOf(tool)
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number
      if (this.#isServed[place] !== 1 || this.#isOut(place, hidden)) continue
      isKnown = true
      words = Math.max(words, this.#scores[place] as number)
      nearest = Math.max(nearest, this.#near(place))
    }
    if (!isKnown) return undefined
    const own = hidden?.except === undefined ? undefined : this.#kept[hidden.except]
    const middle =
      own?.served === true && own.vector !== undefined && this.#numbers[hidden?.except as number] === tool
        ? this.#tools.compareMiddleWithout(tool, own.vector, vector)
        : (middles[tool] as number)
    const voted = votes.get(tool)
    return {
      words: words * share,
      covered: telling === 0 ? 0 : Math.min(1, words / telling),
      nearest,
      middle: middle * COSINE,
      votes: voted?.votes ?? 0,
      against: voted?.against ?? 0,
    }
  }

  #isOut(place: number, hidden: Hidden | undefined): boolean {
    return hidden !== undefined && (place === hidden.except || hidden.isHidden((this.#kept[place] as Kept).tool))
  }

  /** A trace that failed takes no votes from those that served. */
  #count(voters: Highest): Votes {
    let total = 0
    for (let at = 0; at < voters.size; at++) if (this.#isServed[voters.numberAt(at)] === 1) total += fourth(voters.weightAt(at))
    const counted = new Map<number, { votes: number; against: number }>()
    for (let at = 0; at < voters.size; at++) {
      const place = voters.numberAt(at)
      const tool = this.#numbers[place] as number
      let each = counted.get(tool)
      if (each === undefined) counted.set(tool, (each = { votes: 0, against: 0 }))
      const vote = fourth(voters.weightAt(at)) / (total || 1)
      if (this.#isServed[place] === 1) each.votes += vote
      else each.against += Math.min(1, vote)
    }
    return counted
  }

  #grow(capacity: number): void {
    const numbers = new Int32Array(capacity)
    numbers.set(this.#numbers)
    const isServed = new Uint8Array(capacity)
    isServed.set(this.#isServed)
    this.#numbers = numbers
    this.#isServed = isServed
    this.#scores = new Float32Array(capacity)
  }
}

function larger(from: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(Math.max(least, from.length * 2))
  to.set(from)
  return to
}

/** Much cheaper than a power. */
function fourth(number: number): number {
  const square = number * number
  return square * square
}
