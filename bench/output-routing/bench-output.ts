/** A large output of a tool, with questions whose answers stand in it or follow from it. */
export interface BenchOutput {
  readonly name: string
  /** What the model was asked to do, one natural sentence, which touches at most half of the questions. */
  readonly task: string
  readonly text?: string
  /** A structured value instead of a text. */
  readonly value?: unknown
  readonly questions: readonly Question[]
}

export type Kind = 'needle' | 'total' | 'extreme' | 'absence' | 'group' | 'change'

export interface Question {
  readonly ask: string
  readonly kind: Kind
  /** Each inner list: at least one of these spellings must stand in the text; all lists must hold. Case-insensitive. */
  readonly answer: readonly (readonly string[])[]
  /** Answers as well, for example the list of everything that is there where something is not. */
  readonly instead?: readonly (readonly string[])[]
  /** What a sensible model would ask for, given the question and the names in the data. */
  readonly reads: readonly Read[]
}

interface Aggregate {
  readonly table?: string
  /** A value, or an object with gt, lt, gte, lte, not, in or contains. */
  readonly where?: Readonly<Record<string, unknown>>
  readonly groupBy?: string
  readonly count?: true
  readonly sum?: string
  readonly avg?: string
  readonly min?: string
  readonly max?: string
  readonly top?: string
  readonly distinct?: string
}

export type Read =
  | { readonly query: string }
  /** JMESPath over the value. */
  | { readonly path: string }
  /** Lines of the text, from 1, both included. */
  | { readonly range: readonly [number, number] }
  | { readonly aggregate: Aggregate }
