import { fieldStep, joinPath } from '../field-path.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Codec } from './codec.ts'
import type { DialectRules } from './dialect-rules.ts'

/** A rule that the dialect has no word for. It stands in a description, and our own validation still holds it. */
export interface MovedRule {
  readonly keyword: string
  /** Where, such as `items[].name`; `{}` is any key of a map. */
  readonly path: string
  readonly value: unknown
}

/** A part that a model sends as text, or cannot send. */
export interface LostPart {
  readonly keyword: string
  readonly path: string
  readonly why: string
}

/** Valid values that a model can no longer send. */
export interface NarrowedPart {
  readonly path: string
  readonly why: string
}

/** The share of a vendor's limits that a schema takes. */
export interface DialectCost {
  readonly optionals: number
  readonly unions: number
  readonly characters: number
}

/** Where a node of the original stands. */
export interface Spot {
  readonly path: string
  /** How many objects of the dialect are around it. */
  readonly depth: number
  /** The references that were followed to it. */
  readonly followed: readonly string[]
}

/** What is left of a vendor's limits for one schema. */
export interface Allowance {
  /** So many optional properties may be left out; of the others, so many may be null; the rest are lists of at most one. */
  readonly optionals: number
  readonly nulls: number
  readonly unions: number
}

/** What all nodes of one schema share while it is rewritten. */
export interface Building {
  readonly root: JsonSchema
  readonly rules: DialectRules
  readonly allowance: Allowance
  readonly report: Report
  /** The codec of a node. */
  readonly build: (schema: unknown, spot: Spot) => Codec
  /** Whether a value is valid under a schema of the original. */
  readonly isValid: (schema: unknown, value: unknown) => boolean
}

/** What was found and used while a schema was rewritten. */
export class Report {
  readonly moved: MovedRule[] = []
  readonly lost: LostPart[] = []
  readonly narrowed: NarrowedPart[] = []
  optionals = 0
  nulls = 0
  unions = 0
  properties = 0
  enumValues = 0
  characters = 0
}

/** The spot of a part: a property, `[]` or `{}`. */
export function below(spot: Spot, step: string, isName = true): Spot {
  return { ...spot, path: joinPath(spot.path, isName ? fieldStep(step) : step) }
}
