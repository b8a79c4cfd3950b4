import { setImmediate as turn } from 'node:timers/promises'
import { type Features, FIXED, fitWeights, type Lesson, scoreOf, type Weights } from './learned-weights.ts'
import { type Allowed, type Evidence, highest, type Ranking } from './ranking.ts'
import type { TraceEvidence } from './trace-tools.ts'
import { type Hidden, type Trace, TraceIndex } from './traces.ts'
import type { TextVectors } from './word-vectors.ts'

/** Candidates by the words of tools, and by traces. */
const FROM_WORDS = 24
const FROM_TRACES = 16
/** Below this many traces for each tool that has any, weights are not fitted. */
const MIN_TRACES_PER_TOOL = 3
/** Requests that a fit learns from. */
const MAX_LESSONS = 1500
/** For a part of the lessons the traces of a quarter of the tools are hidden, so that the weights of new tools are learned too. */
const PARTS = 4
/**
 * The larger the share of tools without traces is, the likelier is a request for one of them: its lessons count up to so much more.
 */
const NEW_TOOLS = 1.5
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
  #hidden: HiddenTraces | undefined
  #fitting: Promise<void> | undefined

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
    const { served, tools } = this.traces
    return served >= MIN_TRACES_PER_TOOL * tools && this.#sinceFit >= Math.max(50, served / 10)
  }

  /** Everything was forgotten, or the weights are from other traces. */
  reset(): void {
    this.#weights = FIXED
    this.#isFitted = false
    this.#sinceFit = this.traces.served
  }

  /** Weights that were fitted to these traces before. */
  restore(weights: Weights): void {
    this.#weights = weights
    this.#isFitted = true
    this.#sinceFit = 0
  }

  /** The best candidates, at least `count` where there are so many tools. Undefined if no trace speaks of a tool that the caller may see. */
  score(evidence: Evidence, allowed: Allowed, count: number): Scored[] | undefined {
    if (this.traces.served === 0) return undefined
    const { hidden, isEmpty } = this.#hiddenFrom(allowed)
    if (isEmpty) return undefined
    return this.#candidates(evidence, allowed, { hidden, count }).map(({ place, features, traces }) => ({
      place,
      traces,
      score: scoreOf(this.#weights, features),
    }))
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
    return (this.#hidden = { allowed, changes, hidden, isEmpty: !this.traces.hasServed(seen) })
  }

  /** Fits the weights to the traces. One fit runs at a time; who asks meanwhile waits for it. */
  refit(vectors: TextVectors | undefined): Promise<void> {
    return (this.#fitting ??= this.#fit(vectors).finally(() => {
      this.#fitting = undefined
    }))
  }

  async #fit(vectors: TextVectors | undefined): Promise<void> {
    this.#sinceFit = 0
    const { served, tools } = this.traces
    if (served === 0 || served < MIN_TRACES_PER_TOOL * tools) return this.reset()
    this.#weights = await fitWeights(await this.#lessons(vectors), turn)
    this.#isFitted = true
  }

  async #lessons(vectors: TextVectors | undefined): Promise<Lesson[]> {
    const traces = [...this.traces.places()].filter(([, { served }]) => served)
    const allowed = this.#all()
    const step = Math.max(1, Math.ceil(traces.length / MAX_LESSONS))
    const all = allowed.reduce((sum, each) => sum + each, 0)
    const weightOfNew = 1 + NEW_TOOLS * Math.max(0, 1 - this.traces.tools / Math.max(1, all))
    const lessons: Lesson[] = []
    for (let at = 0; at < traces.length; at += step) {
      const [place, trace] = traces[at] as readonly [number, Trace]
      const own = partOf(trace.tool)
      // Once as a tool among known ones, once as a new tool.
      const hiddenParts = [own === at % PARTS ? (own + 1) % PARTS : at % PARTS, own]
      for (const hidden of hiddenParts) {
        const lesson = this.#lesson(trace, { except: place, isHidden: (tool) => partOf(tool) === hidden }, { vectors, allowed })
        if (lesson !== undefined) lessons.push({ ...lesson, weight: hidden === own ? weightOfNew : 1 })
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
    const candidates = this.#candidates(ranking.rank(trace.text, allowed, { vectors, weigh: this.traces.weigh() }), allowed, { hidden })
    const right = candidates.findIndex(({ place }) => nameAt(place) === trace.tool)
    return right < 0 ? undefined : { candidates: candidates.map(({ features }) => features), right }
  }

  #candidates(evidence: Evidence, allowed: Allowed, { hidden, count = 0 }: Sought): Candidate[] {
    const { ranking, nameAt, placeOf } = this.#places
    const told = this.traces.evidence(evidence, hidden)
    const places = new Set(highest(evidence.score, allowed, { count: Math.max(FROM_WORDS, count), size: ranking.size }))
    for (const tool of told.best(FROM_TRACES)) {
      const place = placeOf(tool)
      if (place !== undefined && allowed[place] === 1) places.add(place)
    }
    return [...places].map((place) => {
      const name = nameAt(place)
      const traces = name === undefined ? undefined : told.of(name)
      return { place, traces, features: featuresOf(evidence, place, traces) }
    })
  }
}

interface Sought {
  readonly hidden: Hidden | undefined
  readonly count?: number
}

interface HiddenTraces {
  readonly allowed: Allowed
  readonly changes: number
  readonly hidden: Hidden | undefined
  readonly isEmpty: boolean
}

interface Candidate {
  readonly place: number
  readonly features: Features
  readonly traces: TraceEvidence | undefined
}

function featuresOf({ score, words, meaning, clause }: Evidence, place: number, traces: TraceEvidence | undefined): Features {
  const [s, w, m, c] = [score[place] ?? 0, words[place] ?? 0, meaning[place] ?? 0, clause[place] ?? 0]
  if (traces === undefined) return [s, w, m, c, 0, 0, 0, 0, 0, 0, 0]
  return [s, w, m, c, traces.words, traces.covered, traces.nearest, traces.middle, traces.votes, traces.against, 1]
}

function partOf(tool: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < tool.length; at++) hash = Math.imul(hash ^ tool.charCodeAt(at), 16_777_619)
  return (hash >>> 0) % PARTS
}
