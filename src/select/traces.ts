import { TextIndex } from './text-index.ts'
import { UNIT, VectorTable, DIMENSIONS, packed } from './vector-table.ts'
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
const MAX_TEXT = 500
/** The nearest traces that vote for their tools. */
const VOTERS = 48

/** What traces tell about every tool for one request: numbers by tool. */
export interface TraceEvidence {
  /** Shared words with the best trace of the tool, from 0 to 1. */
  readonly words: number
  /** Nearness to the best trace. */
  readonly nearest: number
  /** Nearness to the middle of its traces. */
  readonly middle: number
  /** The share of the votes of the nearest traces. */
  readonly votes: number
  /** Nearest traces in which it failed, as a share of the votes. */
  readonly against: number
}

interface Kept extends Trace {
  readonly vector: Int8Array | undefined
}

/** The memory of requests: which tool served what. Places are used again; what is forgotten leaves nothing. */
export class TraceIndex {
  readonly #texts = new TextIndex()
  readonly #table = new VectorTable()
  readonly #kept: (Kept | undefined)[] = []
  readonly #free: number[] = []
  readonly #byTool = new Map<string, number[]>()
  readonly #middles = new Map<string, Float32Array>()
  #scores = new Float32Array(64)
  #served = 0

  /** How many requests were served. */
  get served(): number {
    return this.#served
  }

  get tools(): number {
    return this.#byTool.size
  }

  /** How many traces a tool has. */
  count(tool: string): number {
    return this.#byTool.get(tool)?.length ?? 0
  }

  *all(): Generator<Trace> {
    for (const kept of this.#kept) {
      if (kept === undefined) continue
      const { vector: _vector, ...trace } = kept
      yield trace
    }
  }

  /** The same request again replaces the earlier one. */
  add(trace: Trace, vectors: TextVectors | undefined): void {
    const text = trace.text.slice(0, MAX_TEXT)
    const terms = termsOf(text)
    if (terms.length === 0) return
    const places = this.#byTool.get(trace.tool) ?? []
    const same = places.find((place) => this.#kept[place]?.text === text && this.#kept[place]?.served === trace.served)
    if (same !== undefined) this.#remove(same)
    else if (places.length >= MAX_PER_TOOL) this.#remove(places[0] as number)
    const place = this.#free.pop() ?? this.#kept.length
    const kept: Kept = { ...trace, text, vector: vectors?.vectorOf(text) }
    this.#kept[place] = kept
    const counted = new Map<string, number>()
    for (const term of terms) counted.set(term, (counted.get(term) ?? 0) + 1)
    this.#texts.add(place, counted)
    this.#table.set(place, kept.vector)
    this.#byTool.set(trace.tool, [...(this.#byTool.get(trace.tool) ?? []), place])
    this.#move(kept, 1)
    if (place >= this.#scores.length) this.#scores = new Float32Array(Math.max(place + 1, this.#scores.length * 2))
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
    this.#free.push(place)
    const rest = (this.#byTool.get(kept.tool) ?? []).filter((each) => each !== place)
    if (rest.length === 0) this.#byTool.delete(kept.tool)
    else this.#byTool.set(kept.tool, rest)
    this.#move(kept, -1)
  }

  #move({ tool, vector, served }: Kept, by: 1 | -1): void {
    if (!served) return
    this.#served += by
    if (vector === undefined) return
    const middle = this.#middles.get(tool) ?? new Float32Array(DIMENSIONS)
    for (let index = 0; index < DIMENSIONS; index++) middle[index] = (middle[index] as number) + by * (vector[index] as number)
    this.#middles.set(tool, middle)
  }

  /**
   * What the traces tell about a request, by tool; tools that no trace speaks of are left out. A trace that is being learned from is no evidence
   * for itself, and hidden tools have none.
   */
  evidence(
    request: { readonly terms: ReadonlySet<string>; readonly vector: Int8Array | undefined },
    { except, isHidden }: { readonly except?: Trace | undefined; readonly isHidden?: ((tool: string) => boolean) | undefined } = {},
  ): Map<string, TraceEvidence> {
    const { length } = this.#kept
    if (length === 0) return new Map()
    const scores = this.#scores.fill(0, 0, length)
    this.#texts.score(request.terms, scores)
    const products = request.vector === undefined ? undefined : this.#table.compare(request.vector)
    const nearness = (place: number): number => (products === undefined ? 0 : (products[place] as number) / (UNIT * UNIT))
    const usable = (place: number): Kept | undefined => {
      const kept = this.#kept[place]
      if (kept === undefined || isHidden?.(kept.tool) === true) return undefined
      return except !== undefined && kept.tool === except.tool && kept.text === except.text ? undefined : kept
    }
    let best = 0
    for (let place = 0; place < length; place++)
      if ((scores[place] as number) > best && usable(place) !== undefined) best = scores[place] as number
    const shareOf = (place: number): number => (best === 0 ? 0 : Math.min(1, (scores[place] as number) / best))
    const found = new Map<string, { words: number; nearest: number; middle: number; votes: number; against: number }>()
    const voters: { readonly kept: Kept; readonly weight: number }[] = []
    for (let place = 0; place < length; place++) {
      const kept = usable(place)
      if (kept === undefined) continue
      const words = shareOf(place)
      const near = nearness(place)
      const weight = words + near
      if (weight > 0 && (voters.length < VOTERS || weight > (voters.at(-1)?.weight ?? 0))) insert(voters, { kept, weight })
      if (!kept.served) continue
      const each = found.get(kept.tool)
      if (each === undefined) found.set(kept.tool, { words, nearest: near, middle: 0, votes: 0, against: 0 })
      else {
        if (words > each.words) each.words = words
        if (near > each.nearest) each.nearest = near
      }
    }
    // A trace that failed takes no votes from those that served.
    const total = voters.reduce((sum, { kept, weight }) => (kept.served ? sum + weight ** 4 : sum), 0) || 1
    for (const { kept, weight } of voters) {
      const each = found.get(kept.tool)
      if (each === undefined) continue
      if (kept.served) each.votes += weight ** 4 / total
      else each.against += Math.min(1, weight ** 4 / total)
    }
    if (request.vector !== undefined) for (const [tool, each] of found) each.middle = this.#nearMiddle(tool, request.vector, except)
    return found
  }

  #nearMiddle(tool: string, vector: Int8Array, except: Trace | undefined): number {
    const middle = this.#middles.get(tool)
    if (middle === undefined) return 0
    const own = except?.tool === tool ? this.#vectorOf(except) : undefined
    const direction = packed(own === undefined ? middle : middle.map((number, index) => number - (own[index] as number)))
    if (direction === undefined) return 0
    let sum = 0
    for (let index = 0; index < DIMENSIONS; index++) sum += (direction[index] as number) * (vector[index] as number)
    return sum / (UNIT * UNIT)
  }

  #vectorOf({ tool, text }: Trace): Int8Array | undefined {
    for (const place of this.#byTool.get(tool) ?? []) if (this.#kept[place]?.text === text) return this.#kept[place]?.vector
    return undefined
  }
}

function insert(voters: { readonly kept: Kept; readonly weight: number }[], voter: { readonly kept: Kept; readonly weight: number }): void {
  let at = voters.length
  while (at > 0 && (voters[at - 1]?.weight ?? 0) < voter.weight) at--
  voters.splice(at, 0, voter)
  if (voters.length > VOTERS) voters.pop()
}
