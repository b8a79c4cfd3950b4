import type { Misfit } from './walk.ts'

/** A value that a text may stand for. */
export interface Candidate {
  readonly value: unknown
  readonly rule: string
  readonly cost: number
  /** It is more than another notation: a proposal where the field is protected. */
  readonly isGuess?: boolean | undefined
}

/** One way to read a text as a value of a type. Rules are independent of each other: only their costs compare. */
export interface LeafRule {
  readonly into: 'boolean' | 'null' | 'number' | 'string'
  readonly read: (text: string, misfit: Misfit) => readonly Candidate[]
}
