import type { LeafProgram, Program, ProgramKind } from './program.ts'
import type { RandomStream } from './random-stream.ts'
import type { Generating, NodeKind } from './row.ts'
import { kindNamed, KINDS } from './table.ts'

export interface GenerateOptions {
  /** About how many leaves there will be. */
  readonly leaves: number
  /** Kinds that do not come up. */
  readonly without?: ReadonlySet<ProgramKind>
  /** No odd texts. */
  readonly isPlain?: boolean
  /** The kind of the whole; any by default. */
  readonly root?: ProgramKind
}

const MOST_DEPTH = 4

/** A random program. Sagas come up most: directly in races, maps and loops, with gates and sleeps before and inside them. */
export function generateProgram(random: RandomStream, options: GenerateOptions): Program {
  const { leaves, without, isPlain = false, root } = options
  const kinds = KINDS.filter((kind) => without?.has(kind) !== true).map(kindNamed)
  const whole = new Generation({ random, isPlain, kinds, left: leaves }, 0)
  return root === undefined ? whole.program() : whole.of(kindNamed(root))
}

interface Common {
  readonly random: RandomStream
  readonly isPlain: boolean
  readonly kinds: readonly NodeKind<Program>[]
  /** How many leaves are to come. */
  left: number
}

class Generation implements Generating {
  readonly random: RandomStream
  readonly isPlain: boolean
  readonly #common: Common
  readonly #depth: number

  constructor(common: Common, depth: number) {
    this.random = common.random
    this.isPlain = common.isPlain
    this.#common = common
    this.#depth = depth
  }

  of(kind: NodeKind<Program>, depth = this.#depth + 1): Program {
    return kind.generate(new Generation(this.#common, depth))
  }

  readonly leaf = (): LeafProgram => {
    this.#common.left--
    return this.of(kindNamed('leaf')) as LeafProgram
  }

  readonly program = (): Program => {
    const depth = this.#depth
    const isLeaf = depth >= MOST_DEPTH || this.#common.left <= 1 || this.random.chance(depth === 0 ? 0 : 0.12 + 0.1 * depth)
    const kind = isLeaf ? undefined : this.#pick(this.#common.kinds)
    return kind === undefined ? this.leaf() : this.of(kind)
  }

  readonly some = (least: number, most: number): readonly Program[] => this.random.some(least, most, this.program)

  readonly contender = (): Program => {
    const kind = this.random.chance(0.4) ? this.#pick(this.#common.kinds.filter(({ undoesItself }) => undoesItself === true)) : undefined
    return kind === undefined ? this.program() : this.of(kind, this.#depth)
  }

  readonly delayed = (): Program => {
    const kind = this.#pick(this.#common.kinds.filter(({ waits }) => waits === true))
    return kind === undefined ? this.leaf() : this.of(kind, MOST_DEPTH)
  }

  #pick(kinds: readonly NodeKind<Program>[]): NodeKind<Program> | undefined {
    let place = this.random.next() * kinds.reduce((sum, { weight }) => sum + weight, 0)
    return kinds.find(({ weight }) => (place -= weight) < 0)
  }
}
