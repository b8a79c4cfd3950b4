import { isRecord, type JsonSchema } from '../json-schema.ts'
import { TooCostly } from '../meter.ts'
import { quote } from '../quote.ts'
import { READS } from './clamp.ts'
import { columnsToRows } from './columns-to-rows.ts'
import { cellToTable, chosenItems, fixList, indexedList, isListMisfit, joinedList, namedPlaces, oneToList } from './fix-list.ts'
import { fixObject, isObjectMisfit } from './fix-object.ts'
import { fixRange } from './fix-range.ts'
import { fixScalar } from './fix-scalar.ts'
import { fixUnion } from './fix-union.ts'
import type { InputFacts } from './input-facts.ts'
import { jsonBody } from './json-body.ts'
import { LocalCheck } from './local-check.ts'
import { looksLikeJson, looseJson } from './loose-json.ts'
import { onlyField } from './only-field.ts'
import { partsByType } from './parts-by-type.ts'
import { fixParts } from './parts-to-value.ts'
import type { Descriptions, Place } from './place.ts'
import { mapToPairs, pairsToMap, pairToItem } from './pairs-to-map.ts'
import { after, isReading, type Outcome, type RepairChange, reading, settle, unchanged } from './reading.ts'
import { type NodeReader, type SchemaNode, takes } from './schema-node.ts'
import { splitText } from './split-parts.ts'
import { fixTextContainer, severalIn } from './text-containers.ts'
import { openEnvelope, unwrapped } from './unwrap.ts'
import type { Misfit, Walk } from './walk.ts'

const MOST_STEPS = 4000
const DEEPEST = 40

interface WalkOptions {
  readonly reader: NodeReader
  readonly facts: InputFacts
  readonly descriptions: Descriptions
  readonly about: string
}

const EFFECTS =
  /\b(?:delet|remov|send|pay|transfer|cancel|refund|purg|drop|charg|withdraw|publish|terminat|destroy|wip|book|buy|sell|purchas)/

/** What a tool that only reads looks for. */
const BOOKS = /\b(?:books|bookings?)\b/g

/** One walk of a schema beside a value, in a bounded number of steps. Throws TooCostly beyond them. */
export class SchemaWalk implements Walk {
  readonly facts: InputFacts
  readonly descriptions: Descriptions
  readonly about: string
  readonly hasEffect: boolean
  readonly isRead: boolean
  readonly proposals: RepairChange[] = []
  readonly #reader: NodeReader
  readonly #check: LocalCheck
  /** By value, then by schema and path: options of unions inside unions meet the same value again and again. */
  readonly #known = new WeakMap<object, Map<JsonSchema, Map<string, Outcome>>>()
  #left = MOST_STEPS

  constructor({ reader, facts, descriptions, about }: WalkOptions) {
    this.#reader = reader
    this.#check = new LocalCheck(reader.root)
    this.facts = facts
    this.descriptions = descriptions
    this.about = `${about} ${apart(about)}`.trim().toLowerCase()
    this.isRead = READS.test(apart(about))
    this.hasEffect = EFFECTS.test(this.isRead ? this.about.replace(BOOKS, '') : this.about)
  }

  readonly read = (schema: JsonSchema): SchemaNode => this.#reader.read(schema)

  readonly fits = (schema: JsonSchema, value: unknown): boolean => this.#check.fits(schema, value)

  readonly matches = (pattern: string, text: string): boolean => this.#check.matches(pattern, text)

  readonly propose = (change: RepairChange): void => {
    if (this.proposals.length < MOST_PROPOSALS) this.proposals.push(change)
  }

  /** Repairs a whole input that fits as far as parts can tell, and is not valid: it may have fields that no part has evaluated. */
  fixWhole(schema: JsonSchema, value: unknown, place: Place): Outcome {
    return fixed({ node: this.read(schema), value, place, walk: this })
  }

  readonly fix = (schema: JsonSchema, value: unknown, place: Place): Outcome => {
    if (this.fits(schema, value)) return unchanged(value)
    if (--this.#left < 0) throw new TooCostly()
    if (place.depth > DEEPEST) return { because: 'it is nested too deeply' }
    if (typeof value !== 'object' || value === null) return fixed({ node: this.read(schema), value, place, walk: this })
    const ofValue = kept(this.#known, value, () => new Map<JsonSchema, Map<string, Outcome>>())
    const ofSchema = kept(ofValue, schema, () => new Map<string, Outcome>())
    return kept(ofSchema, place.path, () => fixed({ node: this.read(schema), value, place, walk: this }))
  }
}

/** The words of a name such as `user_delete` or `userDelete`, each with a beginning of its own. */
function apart(text: string): string {
  return text
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}

const MOST_PROPOSALS = 20

interface Kept<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

function kept<K, V>(known: Kept<K, V>, key: K, make: () => V): V {
  let value = known.get(key)
  if (value === undefined) {
    value = make()
    known.set(key, value)
  }
  return value
}

function fixed(misfit: Misfit): Outcome {
  const { node, value } = misfit
  const empty = emptyInput(misfit)
  if (empty !== undefined) return empty
  if (node.options !== undefined) return fixUnion(misfit)
  if (isObjectMisfit(misfit)) return fixObjectOrEnvelope(misfit)
  if (isListMisfit(misfit)) return fixListOrOnly(misfit)
  if (typeof value === 'string') return fixText(misfit)
  const named = onlyList(misfit)
  if (named !== undefined) return named
  const whole = fixRange(misfit) ?? fixParts(misfit)
  if (whole !== undefined) return whole
  const map = pairToItem(misfit) ?? pairsToMap(misfit) ?? (Array.isArray(value) ? (splitText(misfit) ?? partsByType(misfit)) : undefined)
  if (map !== undefined) return map
  const readings = [...unwrapped(misfit)]
  if (readings.length === 0 && takesOnlyLists(node))
    readings.push(...indexedList(misfit), ...namedPlaces(misfit), ...chosenItems(misfit), ...mapToPairs(misfit), ...columnsToRows(misfit))
  const more = takesOnlyLists(node) && !Array.isArray(value) && value !== null && readings.length === 0 ? oneToList(misfit) : []
  const field = typeof value === 'number' ? onlyField(misfit) : undefined
  if (field !== undefined) return field
  if (readings.length + more.length > 0) return settle([...readings, ...more], () => '')
  const json = jsonBody(misfit)
  if (json !== undefined) return json
  if (Array.isArray(value) && takes(node, 'string')) return joinedList({ ...misfit, value })
  if (typeof value === 'object') return { because: `${quote(value)} does not fit` }
  return fixScalar(misfit)
}

/** A list where an object is taken that needs one list and nothing else: the list without its name. */
function onlyList({ node, value, place, walk }: Misfit): Outcome | undefined {
  const [name, ...more] = node.required
  const schema = name === undefined ? undefined : node.properties[name]
  if (place.path !== '' || !Array.isArray(value) || value.length === 0 || takes(node, 'array')) return undefined
  if (name === undefined || schema === undefined || more.length > 0 || schema['type'] !== 'array') return undefined
  const whole = walk.fix(node.schema, { [name]: value }, { ...place, depth: place.depth + 1 })
  return isReading(whole) ? after({ path: place.path, from: value, to: { [name]: value }, rule: 'list named', cost: 3 }, whole) : undefined
}

function takesOnlyLists(node: SchemaNode): boolean {
  return takes(node, 'array') && !takes(node, 'string') && !takes(node, 'integer') && !takes(node, 'object')
}

function fixObjectOrEnvelope(misfit: Parameters<typeof fixObject>[0]): Outcome {
  const opened = openEnvelope(misfit)
  if (opened !== undefined && isReading(opened)) return opened
  const outcome = fixObject(misfit)
  return isReading(outcome) ? outcome : (splitText(misfit) ?? partsByType(misfit) ?? outcome)
}

/** A list inside a list of one is the list itself, also where it is a text: `['mon, fri']`. */
function fixListOrOnly(misfit: Parameters<typeof fixList>[0]): Outcome {
  const outcome = fixList(misfit)
  const { value, node, place, walk } = misfit
  const { items: item } = node.schema
  // `[11.4, 47.3]` where several such points are taken: one of them.
  if (
    !isReading(outcome) &&
    isRecord(item) &&
    item['minItems'] === value.length &&
    item['maxItems'] === value.length &&
    walk.fits(item, value) &&
    walk.fits(node.schema, [value])
  )
    return reading({ path: place.path, from: value, to: [value], rule: 'one to list', cost: 3 })
  const [only] = value
  if (isReading(outcome) || value.length !== 1) return outcome
  const items = Array.isArray(only) ? (only as readonly unknown[]) : typeof only === 'string' ? severalIn(only, misfit) : []
  if (items.length === 0 && !Array.isArray(only)) return outcome
  const inside = walk.fix(node.schema, items, place)
  const change = { path: place.path, from: value, to: items, rule: 'list of one', cost: 2 }
  return isReading(inside) ? { value: inside.value, cost: inside.cost + 2, changes: [change, ...inside.changes] } : outcome
}

/** No arguments at all, where none is needed. */
function emptyInput({ node, value, place }: Misfit): Outcome | undefined {
  const isNothing = value === null || (Array.isArray(value) && value.length === 0) || (typeof value === 'string' && value.trim() === '')
  const isEmpty = isNothing && place.path === '' && takes(node, 'object') && !takes(node, 'array') && !takes(node, 'null')
  return isEmpty && node.required.size === 0 ? reading({ path: '', from: value, to: {}, rule: 'no arguments', cost: 2 }) : undefined
}

/** `{"value": 5}` as a text where a number is taken: a value with a wrapping, as JSON. */
function wrappedText({ node, value, place, walk }: Misfit): Outcome | undefined {
  const json = typeof value === 'string' && looksLikeJson(value) ? looseJson(value) : undefined
  if (json === undefined || typeof json.value !== 'object' || json.value === null) return undefined
  const inside = walk.fix(node.schema, json.value, { ...place, depth: place.depth + 1 })
  return isReading(inside) ? after({ path: place.path, from: value, to: json.value, rule: 'JSON text', cost: 2 }, inside) : undefined
}

function fixText(misfit: Misfit): Outcome {
  const { node } = misfit
  const isScalar = takes(node, 'string') || takes(node, 'integer') || takes(node, 'boolean') || takes(node, 'null')
  const scalar: Outcome = isScalar ? fixScalar(misfit) : { because: `${quote(misfit.value)} does not fit` }
  if (isReading(scalar)) return scalar
  if (node.listed !== undefined || !(takes(node, 'object') || takes(node, 'array'))) return wrappedText(misfit) ?? scalar
  const container = fixTextContainer(misfit)
  return isReading(container)
    ? container
    : (cellToTable(misfit) ??
        fixRange(misfit) ??
        splitText(misfit) ??
        pairToItem(misfit) ??
        onlyField(misfit) ??
        partsByType(misfit) ??
        container)
}
