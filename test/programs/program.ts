/**
 * How the ledger treats the order of a leaf. `refused`: nothing happens, and it says so. `unsaid`: it happens, and no answer comes. `lost`:
 * nothing happens, and no answer comes. `flaky`: lost at first, then unsaid, then answered. `odd_message`: refused with text that not every
 * database can hold. `odd_value`: done, with such a text for a value.
 */
export type LeafMode = 'ok' | 'refused' | 'unsaid' | 'lost' | 'flaky' | 'odd_message' | 'odd_value'

/** A tool that asks the ledger for one thing. */
export interface LeafProgram {
  readonly kind: 'leaf'
  readonly mode: LeafMode
  /** How long the ledger takes, in milliseconds. */
  readonly ms: number
  readonly effect: 'read' | 'write'
  /** Whether it may be repeated with the same key. */
  readonly isKeyed: boolean
  /** Part of the name of its tool, in place of its position: another version of a program renames a step by it. */
  readonly name?: string
}

/** How a step of a saga is undone: `stuck` is refused each time. */
export type CompensationKind = 'none' | 'works' | 'flaky' | 'stuck' | 'irreversible'

export interface SagaStepProgram {
  readonly program: Program
  readonly compensation: CompensationKind
  readonly attempts: number
  /** `s` and its number by default. */
  readonly label?: string
}

type JoinName = 'all' | 'first' | 'quorum' | 'partial' | 'best'

/** Every form of a tool, as data: a leaf, or one of the ways to compose tools. */
export type Program =
  | LeafProgram
  | { readonly kind: 'pipe'; readonly parts: readonly Program[] }
  | {
      readonly kind: 'parallel'
      readonly join: JoinName
      /** The time of `partial`, in milliseconds. */
      readonly afterMs: number
      readonly concurrency: number
      readonly parts: readonly Program[]
    }
  | { readonly kind: 'map'; readonly item: Program; readonly count: number; readonly concurrency: number; readonly collects: boolean }
  | { readonly kind: 'loop'; readonly turn: Program; readonly turns: number; readonly most: number }
  | {
      readonly kind: 'gate'
      readonly inner: Program
      /** 0 without a time-out. */
      readonly timeoutMs: number
      readonly onTimeout: 'reject' | 'continue' | 'stop'
    }
  | { readonly kind: 'saga'; readonly steps: readonly SagaStepProgram[] }
  /** A compound that sleeps, and then calls. */
  | { readonly kind: 'sleep'; readonly ms: number; readonly inner: Program }
  /** A compound that calls its parts one after the other, and goes on where one fails. */
  | { readonly kind: 'seq'; readonly parts: readonly Program[]; readonly labels?: readonly string[] }
  /** A compound that calls its parts at the same time. With `first` it returns as soon as one has ended. */
  | { readonly kind: 'flows'; readonly parts: readonly Program[]; readonly waitsFor: 'all' | 'first' }
  /** A compound that asks a person, and then calls. */
  | { readonly kind: 'ask'; readonly inner: Program; readonly timeoutMs: number }
  /** A compound that gives its part less time than it has. */
  | { readonly kind: 'deadline'; readonly inner: Program; readonly ms: number }
  /** Takes the route with this number; a number beyond the last has no route. */
  | { readonly kind: 'branch'; readonly routes: readonly Program[]; readonly taken: number }
  | { readonly kind: 'classify'; readonly routes: readonly Program[]; readonly taken: number; readonly isSure: boolean }
  | { readonly kind: 'cache'; readonly inner: Program; readonly ttlMs: number }
  /** One key for each place in the program, so that the items of a map share it. */
  | { readonly kind: 'idempotent'; readonly inner: Program }

export type ProgramKind = Program['kind']

/** The programs directly inside one. */
export function partsOf(program: Program): readonly Program[] {
  switch (program.kind) {
    case 'leaf':
      return []
    case 'pipe':
    case 'parallel':
    case 'seq':
    case 'flows':
      return program.parts
    case 'branch':
    case 'classify':
      return program.routes
    case 'map':
      return [program.item]
    case 'loop':
      return [program.turn]
    case 'saga':
      return program.steps.map(({ program: step }) => step)
    case 'gate':
    case 'sleep':
    case 'ask':
    case 'deadline':
    case 'cache':
    case 'idempotent':
      return [program.inner]
  }
}
