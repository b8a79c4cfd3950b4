import type { JsonSchema } from '../json-schema.ts'
import type { InputFacts } from './input-facts.ts'
import type { Descriptions, Place } from './place.ts'
import type { Outcome, RepairChange } from './reading.ts'
import type { SchemaNode } from './schema-node.ts'

/** The walk of a schema beside a value, as its parts see it. */
export interface Walk {
  readonly facts: InputFacts
  readonly descriptions: Descriptions
  /** The words of the tool and its schema, in lower case. */
  readonly about: string
  /** The tool deletes, sends or pays: fields that might narrow its effect are not dropped. */
  readonly hasEffect: boolean
  /** The name of the tool, or the first word about it, says that it only reads. */
  readonly isRead: boolean
  readonly read: (schema: JsonSchema) => SchemaNode
  readonly fits: (schema: JsonSchema, value: unknown) => boolean
  readonly matches: (pattern: string, text: string) => boolean
  /** The one value that the given one stands for at this place, or why there is none. */
  readonly fix: (schema: JsonSchema, value: unknown, place: Place) => Outcome
  /** Keeps a change that only a person may make. */
  readonly propose: (change: RepairChange) => void
}

/** A value at a place that does not fit its schema. */
export interface Misfit {
  readonly node: SchemaNode
  readonly value: unknown
  readonly place: Place
  readonly walk: Walk
}
