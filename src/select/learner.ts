import { setImmediate as turn } from 'node:timers/promises'
import { FEATURES, type Features, FIXED, fitWeights, KNOWN, type Lesson, scoreOf, type Weights } from './learned-weights.ts'
import { likenesses, type VotedTool } from './likeness.ts'
import { type Allowed, type Evidence, highest, type Ranking } from './ranking.ts'
import type { TraceEvidence } from './trace-tools.ts'
import { type Hidden, NO_TOOL, type Trace, TraceIndex } from './traces.ts'
import type { TextVectors } from './word-vectors.ts'

/** Candidates by the words of tools, and by traces. */
const FROM_WORDS = 24
const FROM_TRACES = 16
/** Tools, those of the nearest traces, to which candidates are compared. */
const VOTED = 16
/** Below this many traces for each tool that has any, weights are not fitted. */
const MIN_TRACES_PER_TOOL = 3
/** Requests that a fit learns from. */
const MAX_LESSONS = 1500
/** For a part of the lessons the traces of a quarter of the tools are hidden, so that the weights of new tools are learned too. */
const PARTS = 4
/**
 * The larger the share of tools without traces is, the likelier is a request for one of them: its lessons count up to so much more.
 */
const NEW_TOOLS = 2
/** Not a place. */
const NOWHERE = -1
/** No number of changes: a fit that waits. */
const NOT_BEGUN = -1
/** Lessons that are prepared before requests are answered again. */
const AT_ONCE = 4

/** A candidate with its score. */
export interface Scored {
  readonly place: number
  readonly score: number
  readonly traces: TraceEvidence | undefined
}

/** The tools of a catalog, as far as learning needs them. */
export interface Places {
  readonly ranking: Ranking
  readonly nameAt: (place: number) => string | undefined
  readonly placeOf: (name: string) => number | undefined
}

/** Ranks by what served earlier requests. Weights are fitted beside the requests, which never wait for that. */
export class Learner {
  readonly traces = new TraceIndex()
  readonly #places: Places
  #weights: Weights = FIXED
  #isFitted = false
  #sinceFit = 0
  /** Raised where weights are taken back or given: those of a fit that began before do not count. */
  #resets = 0
  #hidden: HiddenTraces | undefined
  #fitting: Fit | undefined
  readonly #features: Features = new Float64Array(FEATURES)

  constructor(places: Places) {
    this.#places = places
  }

  get isFitted(): boolean {
    return this.#isFitted
  }

  get weights(): Weights {
    return this.#weights
  }

  add(trace: Trace, vectors: TextVectors | undefined): void {
    this.traces.add(trace, vectors)
    this.#sinceFit++
  }

  /** Whether enough is new for another fit. */
  get isDue(): boolean {
    return this.#sinceFit >= Math.max(50, this.traces.served / 10)
  }

  /** Everything was forgotten, or the weights are from other traces. */
  reset(): void {
    this.#resets++
    this.#weights = FIXED
    this.#isFitted = false
    this.#sinceFit = this.traces.served
  }

  /** Weights that were fitted to these traces before. */
  restore(weights: Weights): void {
    this.#resets++
    this.#weights = weights
    this.#isFitted = true
    this.#sinceFit = 0
  }

  /** The best candidates, at least `count` where there are so many tools. Undefined if no trace speaks of a tool that the caller may see. */
  score(evidence: Evidence, allowed: Allowed, count: number): Scored[] | undefined {
    if (this.traces.served === 0) return undefined
    const { hidden, isEmpty, numbers } = this.#hiddenFrom(allowed)
    if (isEmpty) return undefined
    return this.#candidates(evidence, allowed, { hidden, numbers, count }).map((candidate) => {
      fillFeatures(this.#features, evidence, candidate)
      const { place, traces } = candidate
      return { place, traces, score: scoreOf(this.#weights, this.#features) }
    })
  }

  /** How much a term tells in requests; undefined if there are none that the caller may know of. */
  weigh(allowed: Allowed): ((term: string) => number) | undefined {
    if (this.traces.served === 0) return undefined
    const { hidden, isEmpty } = this.#hiddenFrom(allowed)
    return isEmpty ? undefined : this.traces.weigh(hidden?.seen)
  }

  /** Traces of tools that the caller may not see do not exist for a request. The last answer is kept: most requests are for the same mask. */
  #hiddenFrom(allowed: Allowed): HiddenTraces {
    const { changes } = this.traces
    if (this.#hidden?.allowed === allowed && this.#hidden.changes === changes) return this.#hidden
    const { placeOf } = this.#places
    const isSeen = (tool: string): boolean => allowed[placeOf(tool) ?? -1] === 1
    const seen = this.traces.seen(isSeen)
    const hidden = seen.includes(0) ? { isHidden: (tool: string) => !isSeen(tool), seen } : undefined
    return (this.#hidden = { allowed, changes, hidden, numbers: this.#numbered(), isEmpty: !this.traces.hasServed(seen) })
  }

  /** The tools that traces speak of, by place and by number. */
  #numbered(): Numbers {
    const { names } = this.traces
    const places = new Int32Array(names.length).fill(NOWHERE)
    const numbers = new Int32Array(this.#places.ranking.size).fill(NO_TOOL)
    for (const [number, name] of names.entries()) {
      const place = name === undefined ? undefined : this.#places.placeOf(name)
      if (place === undefined) continue
      places[number] = place
      numbers[place] = number
    }
    return { numberAt: (place) => numbers[place] as number, placeAt: (number) => places[number] as number }
  }

  /** The same, looked up: the tools may change between the lessons of a fit. */
  readonly #live: Numbers = {
    numberAt: (place) => this.traces.numberOf(this.#places.nameAt(place) ?? '') ?? NO_TOOL,
    placeAt: (number) => this.#places.placeOf(this.traces.names[number] ?? '') ?? NOWHERE,
  }

  /** Fits the weights to the traces that there are now. One fit runs at a time: if it began with other traces, one more follows it. */
  refit(vectors: TextVectors | undefined): Promise<void> {
    const { changes } = this.traces
    const before = this.#fitting
    if (before?.changes === changes) return before.done
    // Whoever asks while one more waits gets that one: it begins with what there is then.
    if (before?.changes === NOT_BEGUN) return before.done
    const fit: Fit = { changes: before === undefined ? changes : NOT_BEGUN, done: Promise.resolve() }
    fit.done = (before?.done ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        fit.changes = this.traces.changes
        return this.#fit(vectors)
      })
      .finally(() => {
        if (this.#fitting === fit) this.#fitting = undefined
      })
    this.#fitting = fit
    return fit.done
  }

  async #fit(vectors: TextVectors | undefined): Promise<void> {
    this.#sinceFit = 0
    const resets = this.#resets
    const known = this.#knownTraces()
    const isFew = known.traces.length === 0 || known.traces.length < MIN_TRACES_PER_TOOL * known.tools
    const weights = isFew ? FIXED : await fitWeights(await this.#lessons(known, vectors), turn)
    // What was forgotten meanwhile leaves nothing, in the weights neither.
    if (resets !== this.#resets) return
    this.#weights = weights
    this.#isFitted = !isFew
  }

  /** The traces that served, of tools that are there: what others are said to have served teaches nothing. */
  #knownTraces(): KnownTraces {
    const { placeOf } = this.#places
    const isThere = (tool: string): boolean => placeOf(tool) !== undefined
    const traces = [...this.traces.places()].filter(([, { served, tool }]) => served && isThere(tool))
    const seen = this.traces.seen(isThere)
    return { traces, tools: new Set(traces.map(([, { tool }]) => tool)).size, seen: seen.includes(0) ? seen : undefined }
  }

  async #lessons({ traces, tools, seen }: KnownTraces, vectors: TextVectors | undefined): Promise<Lesson[]> {
    const allowed = this.#all()
    const step = Math.max(1, Math.ceil(traces.length / MAX_LESSONS))
    const all = allowed.reduce((sum, each) => sum + each, 0)
    const weightOfNew = 1 + NEW_TOOLS * Math.max(0, 1 - tools / Math.max(1, all))
    const lessons: Lesson[] = []
    for (let at = 0; at < traces.length; at += step) {
      const [place, trace] = traces[at] as readonly [number, Trace]
      const own = partOf(trace.tool)
      // Once as a tool among known ones, once as a new tool.
      const hiddenParts = [own === at % PARTS ? (own + 1) % PARTS : at % PARTS, own]
      for (const part of hiddenParts) {
        const isHidden = (tool: string): boolean => partOf(tool) === part || this.#places.placeOf(tool) === undefined
        const lesson = this.#lesson(trace, { except: place, isHidden, seen }, { vectors, allowed })
        if (lesson !== undefined) lessons.push({ ...lesson, weight: part === own ? weightOfNew : 1 })
      }
      if (lessons.length % AT_ONCE < 2) await turn()
    }
    return lessons
  }

  #all(): Allowed {
    const { ranking, nameAt } = this.#places
    return Uint8Array.from({ length: ranking.size }, (_, place) => (nameAt(place) === undefined ? 0 : 1))
  }

  #lesson(
    trace: Trace,
    hidden: Hidden,
    { vectors, allowed }: { readonly vectors: TextVectors | undefined; readonly allowed: Allowed },
  ): Omit<Lesson, 'weight'> | undefined {
    const { ranking, nameAt } = this.#places
    const evidence = ranking.rank(trace.text, allowed, { vectors, weigh: this.traces.weigh(hidden.seen) })
    const candidates = this.#candidates(evidence, allowed, { hidden, numbers: this.#live })
    const right = candidates.findIndex(({ place }) => nameAt(place) === trace.tool)
    if (right < 0) return undefined
    const features = candidates.map((candidate) => fillFeatures(new Float64Array(FEATURES), evidence, candidate))
    return { candidates: features, right }
  }

  #candidates(evidence: Evidence, allowed: Allowed, { hidden, numbers, count = 0 }: Sought): Candidate[] {
    const { ranking } = this.#places
    const told = this.traces.evidence(evidence, hidden)
    const places = highest(evidence.score, allowed, { count: Math.max(FROM_WORDS, count), size: ranking.size })
    for (const tool of told.best(FROM_TRACES)) {
      const place = numbers.placeAt(tool)
      if (place !== NOWHERE && allowed[place] === 1 && !places.includes(place)) places.push(place)
    }
    const traces = told.of(places.map((place) => numbers.numberAt(place)))
    const voted: VotedTool[] = []
    for (const [tool, { votes }] of told.votes) {
      const place = numbers.placeAt(tool)
      if (place !== NOWHERE && allowed[place] === 1) voted.push({ place, votes })
      if (voted.length === VOTED) break
    }
    const likeness = likenesses(places, voted, ranking)
    return places.map((place, at) => ({ place, traces: traces[at], likeness: likeness[at] as number }))
  }
}

/** Places of a catalog and numbers of tools that traces speak of, each by the other; `NOWHERE` and `NO_TOOL` for none. */
interface Numbers {
  readonly numberAt: (place: number) => number
  readonly placeAt: (number: number) => number
}

interface Sought {
  readonly hidden: Hidden | undefined
  readonly numbers: Numbers
  readonly count?: number
}

interface HiddenTraces {
  readonly allowed: Allowed
  readonly changes: number
  readonly hidden: Hidden | undefined
  readonly numbers: Numbers
  readonly isEmpty: boolean
}

interface Candidate {
  readonly place: number
  readonly traces: TraceEvidence | undefined
  /** How like it is to the tools that the traces speak for. */
  readonly likeness: number
}

/** A fit that runs, or waits for the one before. */
interface Fit {
  /** The changes of the traces when it began, or `NOT_BEGUN`. */
  changes: number
  done: Promise<void>
}

interface KnownTraces {
  readonly traces: readonly (readonly [place: number, trace: Trace])[]
  /** How many tools they are of. */
  readonly tools: number
  /** 1 for the place of each trace of a tool that is there; undefined if all are. */
  readonly seen: Uint8Array | undefined
}

/** In the order of `Features`. */
function fillFeatures(features: Features, { score, words, meaning, clause }: Evidence, { place, traces, likeness }: Candidate): Features {
  features[0] = score[place] ?? 0
  features[1] = words[place] ?? 0
  features[2] = meaning[place] ?? 0
  features[3] = clause[place] ?? 0
  features[4] = traces?.words ?? 0
  features[5] = traces?.covered ?? 0
  features[6] = traces?.nearest ?? 0
  features[7] = traces?.middle ?? 0
  features[8] = traces?.votes ?? 0
  features[9] = traces?.against ?? 0
  features[10] = likeness
  features[KNOWN] = traces === undefined ? 0 : 1
  return features
}

function partOf(tool: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < tool.length; at++) hash = Math.imul(hash ^ tool.charCodeAt(at), 16_777_619)
  return (hash >>> 0) % PARTS
}
