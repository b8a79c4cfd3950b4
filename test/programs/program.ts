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

/** Every kind of program by its name. A row of the table adds its kinds here. */
export interface ProgramNodes {
  readonly leaf: LeafProgram
}

export type ProgramKind = keyof ProgramNodes

/** Every form of a tool, as data: a leaf, or one of the ways to compose tools. */
export type Program = ProgramNodes[ProgramKind]
