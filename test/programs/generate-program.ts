import type { CompensationKind, LeafProgram, Program, ProgramKind, SagaStepProgram } from './program.ts'
import type { RandomStream } from './random-stream.ts'

export interface GenerateOptions {
  /** About how many leaves there will be. */
  readonly leaves: number
  /** Kinds that do not come up. */
  readonly without?: ReadonlySet<ProgramKind>
  /** No odd texts. */
  readonly isPlain?: boolean
}

const MOST_DEPTH = 4

/** So few different times that they meet. */
const LEAF_TIMES = [0.5, 2, 5, 12, 30, 100] as const
const LIMIT_TIMES = [3, 8, 20, 40, 100] as const
const SLEEP_TIMES = [5, 300, 1600, 8000] as const

/** A random program. Sagas come up most: directly in races, maps and loops, with gates and sleeps before and inside them. */
export function generateProgram(random: RandomStream, options: GenerateOptions): Program {
  return new Generation(random, options).program(0)
}

type Maker = (depth: number) => Program

class Generation {
  readonly #random: RandomStream
  readonly #options: GenerateOptions
  readonly #makers: readonly { readonly weight: number; readonly make: Maker }[]
  readonly #weights: number
  #left: number

  constructor(random: RandomStream, options: GenerateOptions) {
    this.#random = random
    this.#options = options
    this.#left = options.leaves
    this.#makers = this.#allMakers().filter(({ kind }) => options.without?.has(kind) !== true)
    this.#weights = this.#makers.reduce((sum, { weight }) => sum + weight, 0)
  }

  program(depth: number): Program {
    const random = this.#random
    if (depth >= MOST_DEPTH || this.#left <= 1 || random.chance(depth === 0 ? 0 : 0.12 + 0.1 * depth)) return this.#leaf()
    let place = random.next() * this.#weights
    const chosen = this.#makers.find(({ weight }) => (place -= weight) < 0)
    return chosen === undefined ? this.#leaf() : chosen.make(depth + 1)
  }

  #allMakers(): readonly { readonly kind: ProgramKind; readonly weight: number; readonly make: Maker }[] {
    const random = this.#random
    return [
      { kind: 'saga', weight: 30, make: (depth) => this.#saga(depth) },
      { kind: 'parallel', weight: 22, make: (depth) => this.#parallel(depth) },
      { kind: 'map', weight: 10, make: (depth) => this.#map(depth) },
      { kind: 'loop', weight: 6, make: (depth) => this.#loop(depth) },
      { kind: 'pipe', weight: 9, make: (depth) => ({ kind: 'pipe', parts: this.#parts(2, 3, depth) }) },
      { kind: 'gate', weight: 8, make: (depth) => this.#gate(depth) },
      { kind: 'sleep', weight: 6, make: (depth) => ({ kind: 'sleep', ms: random.pick(SLEEP_TIMES), inner: this.program(depth) }) },
      { kind: 'seq', weight: 5, make: (depth) => ({ kind: 'seq', parts: this.#parts(1, 3, depth) }) },
      { kind: 'flows', weight: 4, make: (depth) => this.#flows(depth) },
      { kind: 'ask', weight: 3, make: (depth) => ({ kind: 'ask', inner: this.program(depth), timeoutMs: random.chance(0.2) ? 5000 : 0 }) },
      { kind: 'deadline', weight: 3, make: (depth) => ({ kind: 'deadline', inner: this.program(depth), ms: random.pick(LIMIT_TIMES) }) },
      { kind: 'branch', weight: 3, make: (depth) => this.#branch(depth) },
      { kind: 'classify', weight: 2, make: (depth) => this.#classify(depth) },
      { kind: 'cache', weight: 2, make: () => ({ kind: 'cache', inner: this.#leaf(), ttlMs: random.pick([1, 20, 60_000]) }) },
      { kind: 'idempotent', weight: 2, make: () => ({ kind: 'idempotent', inner: this.#leaf() }) },
    ]
  }

  #parts(least: number, most: number, depth: number): Program[] {
    return this.#random.some(least, most, () => this.program(depth))
  }

  #leaf(): LeafProgram {
    this.#left--
    const random = this.#random
    const effect = random.chance(0.25) ? 'read' : 'write'
    return {
      kind: 'leaf',
      mode: this.#mode(),
      ms: random.pick(LEAF_TIMES),
      effect,
      isKeyed: effect === 'read' || !random.chance(0.15),
    }
  }

  #mode(): LeafProgram['mode'] {
    const random = this.#random
    if (random.chance(0.72)) return 'ok'
    if (random.chance(0.05) && this.#options.isPlain !== true) return random.pick(['odd_message', 'odd_value'])
    return random.pick(['refused', 'refused', 'unsaid', 'lost', 'flaky'])
  }

  /** In a race, mostly a saga: of what else may be cut off there, nothing is promised. */
  #contender(depth: number): Program {
    const { without } = this.#options
    return without?.has('saga') !== true && this.#random.chance(0.4) ? this.#saga(depth) : this.program(depth)
  }

  #parallel(depth: number): Program {
    const random = this.#random
    return {
      kind: 'parallel',
      join: random.pick(['all', 'first', 'first', 'quorum', 'partial', 'partial', 'best']),
      afterMs: random.pick(LIMIT_TIMES),
      concurrency: random.pick([1, 2, 8]),
      parts: random.some(2, 3, () => this.#contender(depth)),
    }
  }

  #map(depth: number): Program {
    const random = this.#random
    const count = 2 + random.below(2)
    return { kind: 'map', item: this.#contender(depth), count, concurrency: random.pick([1, 2, 8]), collects: random.chance(0.3) }
  }

  #loop(depth: number): Program {
    const random = this.#random
    const turns = 1 + random.below(3)
    return { kind: 'loop', turn: this.#contender(depth), turns, most: random.chance(0.1) ? Math.max(1, turns - 1) : 5 }
  }

  #gate(depth: number): Program {
    const random = this.#random
    const timeoutMs = random.chance(0.25) ? random.pick([300, 5000]) : 0
    return { kind: 'gate', inner: this.program(depth), timeoutMs, onTimeout: random.pick(['reject', 'reject', 'continue', 'stop']) }
  }

  #flows(depth: number): Program {
    return { kind: 'flows', parts: this.#parts(2, 3, depth), waitsFor: this.#random.chance(0.15) ? 'first' : 'all' }
  }

  #branch(depth: number): Program {
    const routes = this.#parts(1, 2, depth)
    return { kind: 'branch', routes, taken: this.#random.chance(0.1) ? routes.length : this.#random.below(routes.length) }
  }

  #classify(depth: number): Program {
    const routes = this.#parts(1, 2, depth)
    return { kind: 'classify', routes, taken: this.#random.below(routes.length), isSure: !this.#random.chance(0.1) }
  }

  #saga(depth: number): Program {
    return { kind: 'saga', steps: this.#random.some(1, 3, () => this.#step(depth)) }
  }

  #step(depth: number): SagaStepProgram {
    const random = this.#random
    const program = random.chance(0.7) ? this.#leaf() : this.program(depth)
    const attempts = random.chance(0.2) ? 2 : 1
    if (program.kind !== 'leaf' || program.effect === 'read') return { program, compensation: 'none', attempts }
    const others: readonly [CompensationKind, ...CompensationKind[]] = ['flaky', 'stuck', 'none', 'irreversible']
    return { program, compensation: random.chance(0.85) ? 'works' : random.pick(others), attempts }
  }
}
