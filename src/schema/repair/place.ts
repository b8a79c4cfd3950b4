import { fieldStep, joinPath } from '../field-path.ts'
import type { JsonSchema } from '../json-schema.ts'
import { type FieldKind, fieldKind } from './field-kind.ts'
import { nameWords, singular } from './name-words.ts'

/** Where a value stands, and the evidence that its place gives. */
export interface Place {
  readonly path: string
  /** The name of the field; empty for the whole input. Items of a list have the name of the list. */
  readonly key: string
  /** The words of the name. */
  readonly words: readonly string[]
  /** Title, description and examples, in lower case. */
  readonly text: string
  readonly kind: FieldKind
  /** The words of the name of the object around it. */
  readonly group: readonly string[]
  readonly depth: number
}

/** Descriptions of fields by their paths, in addition to those of the schema. */
export type Descriptions = Readonly<Record<string, string>>

export function rootPlace(schema: JsonSchema, descriptions: Descriptions): Place {
  return { path: '', key: '', words: [], text: textOf(schema, descriptions['']), kind: 'plain', group: [], depth: 0 }
}

export function fieldPlace(parent: Place, key: string, { schema, descriptions }: Described): Place {
  const path = joinPath(parent.path, fieldStep(key))
  const hint = descriptions[path]
  const evidence = hint === undefined ? keptEvidence(schema, key) : evidenceOf(schema, key, hint)
  return { path, key, ...evidence, group: parent.words, depth: parent.depth + 1 }
}

type Evidence = Pick<Place, 'kind' | 'text' | 'words'>

const known = new WeakMap<JsonSchema, Map<string, Evidence>>()

/** Items of a list have the same fields again. */
function keptEvidence(schema: JsonSchema, key: string): Evidence {
  let ofSchema = known.get(schema)
  if (ofSchema === undefined) known.set(schema, (ofSchema = new Map()))
  let evidence = ofSchema.get(key)
  if (evidence === undefined) {
    evidence = evidenceOf(schema, key, undefined)
    if (ofSchema.size < MOST_KEPT) ofSchema.set(key, evidence)
  }
  return evidence
}

const MOST_KEPT = 50

function evidenceOf(schema: JsonSchema, key: string, hint: string | undefined): Evidence {
  const words = nameWords(key)
  const text = textOf(schema, hint)
  return { words, text, kind: fieldKind(schema['x-kind'], words, text) }
}

interface Described {
  readonly schema: JsonSchema
  readonly descriptions: Descriptions
}

/** An item shares name and description with its list. */
export function itemPlace(list: Place, index: number, schema: JsonSchema): Place {
  const words = list.words.map(singular)
  const text = `${list.text} ${textOf(schema, undefined)}`
  const kind = typeof schema['x-kind'] === 'string' ? fieldKind(schema['x-kind'], words, text) : list.kind
  return { path: `${list.path}[${index}]`, key: list.key, words, text, kind, group: list.group, depth: list.depth + 1 }
}

/** The same place, seen through an option of a union that says more about it. */
export function optionPlace(place: Place, schema: JsonSchema): Place {
  const more = textOf(schema, undefined)
  const declared = schema['x-kind']
  if (more === '' && declared === undefined) return place
  const text = `${place.text} ${more}`
  return { ...place, text, kind: declared === undefined ? place.kind : fieldKind(declared, place.words, text) }
}

const LONGEST_TEXT = 2000

function textOf({ title, description, examples }: JsonSchema, hint: string | undefined): string {
  const shown = Array.isArray(examples) ? examples.filter((each) => typeof each === 'string') : []
  const parts = [title, description, hint, ...shown].filter((each) => typeof each === 'string')
  return parts.length === 0 ? '' : parts.join(' ').slice(0, LONGEST_TEXT).toLowerCase()
}
