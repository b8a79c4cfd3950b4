import { isRecord, isSameJson, type JsonSchema } from '../json-schema.ts'
import { quote } from '../quote.ts'
import { describedKeys } from './described-key.ts'
import { mayDrop } from './droppable-field.ts'
import { fittingFields } from './fitting-fields.ts'
import { keyIndexOf } from './key-index.ts'
import { moveFields } from './move-fields.ts'
import { nameWords, singular, someWord } from './name-words.ts'
import { fieldPlace, type Place } from './place.ts'
import { renamedPair } from './renamed-pair.ts'
import { renamedEnds } from './range-ends.ts'
import { DROPPED, isReading, type NoReading, type Outcome, type RepairChange } from './reading.ts'
import { type SchemaNode, takes } from './schema-node.ts'
import { splitEnds } from './split-ends.ts'
import { splitLocation, splitRepository } from './split-location.ts'
import { splitMeasures } from './split-parts.ts'
import { truncatedKeys } from './truncated-keys.ts'
import type { Misfit, Walk } from './walk.ts'

interface ObjectMisfit extends Misfit {
  readonly value: Readonly<Record<string, unknown>>
}

/** The fields of an object, with the changes that led to them. */
interface Assigned {
  readonly fields: Map<string, unknown>
  readonly changes: RepairChange[]
  readonly unknown: readonly string[]
}

/** Repairs an object: finds the field of each key, then repairs each value, adds defaults, and drops the rest where that is safe. */
export function fixObject(misfit: ObjectMisfit): Outcome {
  const assigned = assignKeys(moveFields(misfit), misfit)
  if ('because' in assigned) return assigned
  const { fields, changes } = assigned
  changes.push(...splitMeasures(fields, misfit), ...splitLocation(fields, misfit), ...splitRepository(fields, misfit))
  const refusal = dropUnknown(assigned, misfit) ?? fixFields(assigned, misfit) ?? addMissing(assigned, misfit)
  if (refusal !== undefined) return refusal
  if (fields.size === 0 && Object.keys(misfit.value).length > 0 && someWord(misfit.place.words, FILTERS))
    return { because: 'without its empty fields, nothing is left of the condition' }
  return { value: Object.fromEntries(fields), changes, cost: changes.reduce((sum, { cost }) => sum + cost, 0) }
}

/** Without any condition, everything is meant. */
const FILTERS: ReadonlySet<string> = new Set(['condition', 'criteria', 'criterion', 'filter', 'match', 'query', 'selector', 'where'])

function assignKeys({ value, changes: moved }: ReturnType<typeof moveFields>, { node, place, walk }: ObjectMisfit): Assigned | NoReading {
  const { properties, others } = node
  const index = keyIndexOf(node)
  const fields = new Map<string, unknown>()
  const changes = [...moved]
  const unknown: string[] = []
  const own = place.path === '' ? toolWords(walk) : NO_WORDS
  const ends = others === undefined ? renamedEnds(Object.keys(value), node) : NO_ENDS
  for (const key of Object.keys(value)) if (Object.hasOwn(properties, key)) fields.set(key, value[key])
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(properties, key)) continue
    const end = ends.get(key)
    const found =
      end === undefined
        ? (index.find(key) ?? index.findMeasure(key, value[key]) ?? index.findBeside(key, own))
        : { name: end, rule: 'key of an end', cost: 3 }
    if (found === 'near') return { because: `${quote(key)} is close to the names of fields, and it is not certain which one it is` }
    if (found === undefined || (others !== undefined && found.cost > 2)) {
      unknown.push(key)
      if (others !== undefined) fields.set(key, value[key])
    } else if (fields.has(found.name)) {
      if (!isSameJson(fields.get(found.name), value[key])) return { because: `the field ${quote(found.name)} is given twice` }
      changes.push({ path: fieldPath(place.path, key), from: value[key], to: undefined, rule: 'same field twice', cost: found.cost })
    } else {
      fields.set(found.name, value[key])
      changes.push({ path: fieldPath(place.path, found.name), from: key, to: found.name, rule: found.rule, cost: found.cost })
    }
  }
  const described = others === undefined ? describedKeys(unknown, new Set(fields.keys()), node) : NO_ENDS
  const left = unknown.filter((key) => !described.has(key))
  const truncated = others === undefined ? truncatedKeys(left, new Set([...fields.keys(), ...described.values()]), node) : NO_ENDS
  for (const [key, name] of [...described, ...truncated]) {
    fields.set(name, value[key])
    changes.push({ path: fieldPath(place.path, name), from: key, to: name, rule: 'key as described', cost: 4 })
  }
  const open = left.filter((key) => !truncated.has(key))
  const paired = others === undefined ? renamedPair({ unknown: open, value, given: new Set(fields.keys()), node, place, walk }) : NO_ENDS
  for (const [key, name] of paired) {
    fields.set(name, value[key])
    changes.push({ path: fieldPath(place.path, name), from: key, to: name, rule: 'key of an end', cost: 3 })
  }
  const split = others === undefined ? splitEnds({ unknown: open, value, given: new Set(fields.keys()), node, place, walk }) : NO_PARTS
  for (const { key, parts } of split)
    for (const [name, part] of parts) {
      fields.set(name, part)
      changes.push({ path: fieldPath(place.path, name), from: value[key], to: part, rule: 'parts split', cost: 2 })
    }
  const rest = open.filter((key) => !paired.has(key) && !split.some((each) => each.key === key))
  const fitting =
    others === undefined ? fittingFields({ unknown: rest, value, given: new Set(fields.keys()), node, place, walk }) : NO_FIELDS
  for (const [key, { name, rule, cost }] of fitting) {
    fields.set(name, value[key])
    changes.push({ path: fieldPath(place.path, name), from: key, to: name, rule, cost })
  }
  return { fields, changes, unknown: rest.filter((key) => !fitting.has(key)) }
}

const NO_WORDS: ReadonlySet<string> = new Set()

/** The words of the name of the tool: `search` and `flights` of `search_flights`. */
function toolWords({ about }: Walk): ReadonlySet<string> {
  const name = /^[a-z][\w.]*[_.]\w+(?=[\s:]|$)/.exec(about)?.[0] ?? ''
  return new Set(nameWords(name).flatMap((word) => [word, singular(word)]))
}

const NO_PARTS: ReturnType<typeof splitEnds> = []
const NO_FIELDS: ReturnType<typeof fittingFields> = new Map()
const NO_ENDS: ReadonlyMap<string, string> = new Map()

function fieldPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/** A field that is dropped costs, so that the option of a union that uses more of the input is preferred. */
function dropUnknown({ changes, unknown, fields }: Assigned, { node, value, place, walk }: ObjectMisfit): NoReading | undefined {
  const given = new Set(fields.keys())
  for (const key of unknown) {
    if (fields.has(key)) continue
    if (!mayDrop({ key, value: value[key], node, given, walk }))
      return { because: `the unknown field ${quote(key)} may change the meaning of the rest` }
    changes.push({ path: fieldPath(place.path, key), from: value[key], to: undefined, rule: DROPPED, cost: 2 })
  }
  return undefined
}

function fixFields({ fields, changes }: Assigned, { node, place, walk }: ObjectMisfit): NoReading | undefined {
  const { properties, required } = node
  for (const [name, value] of [...fields]) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : otherSchema(name, node, walk)
    if (schema === undefined || walk.fits(schema, value)) continue
    const inside = fieldPlace(place, name, { schema: walk.read(schema).schema, descriptions: walk.descriptions })
    // Entries of a map are no optional fields: null may mean that one is to be removed.
    const mayLack = Object.hasOwn(properties, name)
    if (value === null && mayLack) {
      // A required null is missing: a default may stand for it.
      fields.delete(name)
      if (!required.has(name)) changes.push({ path: inside.path, from: null, to: undefined, rule: 'null is missing', cost: 1 })
      continue
    }
    const fixed = walk.fix(schema, value, inside)
    if (isReading(fixed)) {
      fields.set(name, fixed.value)
      changes.push(...fixed.changes)
    } else if (
      (isBlank(value) || (isNone(value) && isJudged(walk.read(schema))) || (isNever(value, inside) && walk.fits(schema, null))) &&
      mayLack &&
      !required.has(name) &&
      !isNarrowing(inside, walk)
    ) {
      // Where null is taken, it says that there is nothing.
      const isNull = walk.fits(schema, null)
      if (isNull) fields.set(name, null)
      else fields.delete(name)
      changes.push({ path: inside.path, from: value, to: isNull ? null : undefined, rule: 'blank is missing', cost: 3 })
    } else return { because: inside.path === '' || fixed.because.startsWith("'") ? fixed.because : `'${inside.path}': ${fixed.because}` }
  }
  return undefined
}

/** The schema of a field that has no name of its own: that of the pattern that its name matches. */
function otherSchema(name: string, { patterns, others }: SchemaNode, walk: Walk): JsonSchema | undefined {
  const [found, ...more] = patterns.filter(([pattern]) => walk.matches(pattern, name))
  return found === undefined ? others : more.length === 0 ? found[1] : { allOf: [found, ...more].map(([, schema]) => schema) }
}

/** Without an amount, a tool may take the whole sum; without an id, one that takes effect may take all things. */
function isNarrowing({ kind, words }: Place, { hasEffect }: Walk): boolean {
  // A search without a bound has none.
  if (kind === 'money' && !hasEffect && words.some((word) => word === 'min' || word === 'max')) return false
  return kind === 'money' || kind === 'quantity' || (kind === 'id' && hasEffect)
}

/** A text that says nothing, or says so in the words of a program. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 100 && /^(?:null)?$/.test(value.trim())
}

/** Words for nothing, where only texts of a certain form are taken. Of a number, they may mean zero, and of listed values the one that stands for none. */
function isNone(value: unknown): boolean {
  return typeof value === 'string' && /^(?:none|nil|n\/a|undefined|-{1,3})$/i.test(value.trim())
}

/** `never` for the end of something, where null says that there is none. */
function isNever(value: unknown, { words }: Place): boolean {
  return (
    typeof value === 'string' && /^(?:never|no (?:expiry|expiration|end))$/i.test(value.trim()) && words.some((word) => ENDS.test(word))
  )
}

const ENDS = /^(?:expir\w*|until|end|ends|deadline|due)$/

function isJudged({ format, pattern, listed, types }: SchemaNode): boolean {
  return (format !== undefined || pattern !== undefined) && listed === undefined && types?.has('string') === true
}

/** Only a default, or the only value that the schema takes. Nothing else is invented. */
function addMissing({ fields, changes }: Assigned, { node, place, walk }: ObjectMisfit): NoReading | undefined {
  for (const name of node.required) {
    if (fields.has(name)) continue
    const schema = node.properties[name]
    const field = schema === undefined ? undefined : walk.read(schema)
    const inside = fieldPlace(place, name, { schema: field?.schema ?? {}, descriptions: walk.descriptions })
    const [only, ...more] = field?.listed ?? []
    const isConstant = only !== undefined && more.length === 0 && typeof only.value !== 'boolean' && inside.kind !== 'consent'
    if (field !== undefined && field.schema['default'] !== undefined) {
      fields.set(name, structuredClone(field.schema['default']))
      changes.push({ path: inside.path, from: undefined, to: field.schema['default'], rule: 'default', cost: 3 })
    } else if (isConstant) {
      fields.set(name, only.value)
      changes.push({ path: inside.path, from: undefined, to: only.value, rule: 'constant', cost: 4 })
    } else return { because: `'${inside.path}' is missing` }
  }
  return undefined
}

/** Whether a misfit is an object where an object is taken. */
export function isObjectMisfit(misfit: Misfit): misfit is ObjectMisfit {
  return isRecord(misfit.value) && takes(misfit.node, 'object')
}
