import type { JsonSchema } from '../json-schema.ts'
import type { Case } from './case.ts'
import type { Fields } from './fields.ts'
import type { Fit, Terms } from './fit.ts'
import type { SchemaReader } from './reader.ts'
import type { Apartness } from './values.ts'

/** The comparison of two roots, as the rules for the single types use it. */
export interface Comparing {
  readonly given: SchemaReader
  readonly taken: SchemaReader
  readonly apartness: Apartness
  /** Whether every value that is given is taken. */
  readonly compare: (given: JsonSchema, taken: JsonSchema, terms?: Terms) => Fit
}

/** What an atom is compared with. */
export interface CaseTerms {
  readonly taken: Case
  readonly terms: Terms
  /** The terms are shared because those of the whole are. */
  readonly isInherited: boolean
  /** The case is one of several. */
  readonly isOption: boolean
  readonly comparison: Comparing
}

/** The fields of both sides, and how they are compared. */
export interface FieldTerms extends CaseTerms {
  readonly ours: Fields
  readonly theirs: Fields
  /** All names that either side speaks of. */
  readonly keys: readonly string[]
}
