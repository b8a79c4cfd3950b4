import { isRecord, type JsonSchema } from '../json-schema.ts'
import { quote } from '../quote.ts'
import { enumReadings } from './enum-readings.ts'
import { keyIndexOf } from './key-index.ts'
import { looksLikeJson, looseJson } from './loose-json.ts'
import { nameForm } from './name-words.ts'
import { fieldPlace, optionPlace } from './place.ts'
import { after, DROPPED, isReading, type NoReading, type Outcome, type Reading, reading, settle } from './reading.ts'
import { type ListedValue, type SchemaNode, takes } from './schema-node.ts'
import type { Misfit } from './walk.ts'
import { openEnvelope } from './unwrap.ts'

/** Repairs a value by the option of a union that its discriminator names, else by the one option that fits it best. */
export function fixUnion(misfit: Misfit): Outcome {
  const { node, walk } = misfit
  const options = (node.options ?? []).map((each) => walk.read(withRest(node, each)))
  const value = isRecord(misfit.value) ? misfit.value : parsedObject(misfit.value)
  const tag = discriminatorOf(options)
  if (tag !== undefined && value !== undefined) {
    const chosen = optionByTag(tag, value, misfit)
    if (chosen !== undefined) return 'because' in chosen ? chosen : byOptions([chosen.node], misfit, chosen.value)
    const tagged = withTag(tag, value, misfit) ?? withOtherTag(tag, value, misfit)
    if (tagged !== undefined && isReading(tagged)) return tagged
  }
  const opened = isRecord(misfit.value) ? openEnvelope(misfit) : undefined
  if (opened !== undefined && isReading(opened)) return opened
  const [only] = Array.isArray(misfit.value) && misfit.value.length === 1 ? (misfit.value as readonly unknown[]) : []
  // Otherwise 5 in a list of one could be 5 or '5'.
  if (only !== undefined && typeof only !== 'object' && walk.fits(node.schema, only))
    return reading({ path: misfit.place.path, from: misfit.value, to: only, rule: 'list of one', cost: 2 })
  const own = options.filter((each) => takes(each, kindOf(misfit.value)))
  const first = own.length === 0 ? undefined : byOptions(own, misfit, misfit.value)
  if (first !== undefined && (isReading(first) || own.length === options.length || first.because.startsWith('it could be'))) return first
  const rest = byOptions(
    options.filter((each) => !own.includes(each)),
    misfit,
    misfit.value,
  )
  return isReading(rest) || first === undefined ? rest : first
}

/** The rules beside the union hold for each option. */
function withRest({ schema }: SchemaNode, option: JsonSchema): JsonSchema {
  const { oneOf: _one, anyOf: _any, title: _title, description: _description, default: _default, ...rest } = schema
  if (Object.keys(rest).every((keyword) => keyword.startsWith('$'))) return option
  let known = joined.get(option)
  if (known === undefined) joined.set(option, (known = { allOf: [option, rest] }))
  return known
}

const joined = new WeakMap<JsonSchema, JsonSchema>()

function parsedObject(value: unknown): Record<string, unknown> | undefined {
  const json = typeof value === 'string' && looksLikeJson(value) ? looseJson(value)?.value : undefined
  return isRecord(json) ? json : undefined
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function byOptions(options: readonly SchemaNode[], { place, walk }: Misfit, value: unknown): Outcome {
  const readings: Reading[] = []
  const reasons: string[] = []
  for (const { schema } of options) {
    const outcome = walk.fix(schema, value, optionPlace(place, schema))
    if (isReading(outcome)) readings.push(outcome)
    else reasons.push(outcome.because)
  }
  const tied = reasons.find((because) => because.startsWith('it could be'))
  if (readings.length === 0 && tied !== undefined) return { because: tied }
  const fewest = Math.min(...readings.map(droppedFields))
  const using = readings.filter((each) => droppedFields(each) === fewest)
  return settle(using, () => reasons[0] ?? `${quote(value)} fits no option`)
}

/** The option that uses most of the input is the one that was meant. */
function droppedFields({ changes }: Reading): number {
  return changes.filter(({ rule }) => rule === DROPPED).length
}

interface Discriminator {
  readonly name: string
  readonly listed: readonly (ListedValue & { readonly option: SchemaNode })[]
}

/** A field that has a constant of its own in every option that is an object. */
function discriminatorOf(options: readonly SchemaNode[]): Discriminator | undefined {
  const objects = options.filter(({ properties }) => Object.keys(properties).length > 0)
  const [first] = objects
  if (first === undefined || objects.length < 2) return undefined
  for (const name of Object.keys(first.properties)) {
    const listed = objects.flatMap((option) => constantsOf(option.properties[name]).map((value) => ({ value, labels: [], option })))
    const isEverywhere = objects.every((option) => listed.some((each) => each.option === option))
    if (isEverywhere && new Set(listed.map(({ value }) => value)).size === listed.length) return { name, listed }
  }
  return undefined
}

function constantsOf(field: JsonSchema | undefined): readonly unknown[] {
  const { const: constant, enum: values } = field ?? {}
  if (constant !== undefined) return [constant]
  return Array.isArray(values) ? values : []
}

interface Chosen {
  readonly node: SchemaNode
  /** The value with the right discriminator. */
  readonly value: unknown
}

/** Only the option of the discriminator is tried, so that its own problem is told. Undefined where the value has none. */
function optionByTag(
  tag: Discriminator,
  value: Readonly<Record<string, unknown>>,
  { place, walk, value: given }: Misfit,
): Chosen | NoReading | undefined {
  const key = Object.hasOwn(value, tag.name) ? tag.name : Object.keys(value).find((each) => isKeyOf(tag, each))
  if (key === undefined) return undefined
  const [kind, ...more] = Array.isArray(value[key]) ? (value[key] as readonly unknown[]) : [value[key]]
  const exact = more.length > 0 ? undefined : tag.listed.find((each) => each.value === kind)
  if (exact !== undefined) return { node: exact.option, value: given }
  const inside = fieldPlace(place, tag.name, { schema: {}, descriptions: walk.descriptions })
  const found = typeof value[key] === 'string' ? enumReadings(value[key].trim(), tag.listed, inside) : []
  const [only] = found
  const listed = tag.listed.find((each) => each.value === only?.value)
  if (found.length !== 1 || listed === undefined) return { because: `'${inside.path}': ${quote(value[key])} is none of the kinds` }
  return { node: listed.option, value: given }
}

/** `{ circle: { radius: 5 } }` where `type` has the kind. Undefined for another object. */
function withTag(
  { name, listed }: Discriminator,
  value: Readonly<Record<string, unknown>>,
  { place, walk, value: given }: Misfit,
): Outcome | undefined {
  const [key = '', ...more] = Object.keys(value)
  const content = value[key]
  const [chosen, ...others] = listed.filter(
    (each) => typeof each.value === 'string' && key !== '' && nameForm(each.value) === nameForm(key),
  )
  if (more.length > 0 || !isRecord(content) || Object.hasOwn(content, name) || chosen === undefined || others.length > 0) return undefined
  if (listed.some(({ option }) => Object.hasOwn(option.properties, key))) return undefined
  const to = { [name]: chosen.value, ...content }
  const fixed = walk.fix(chosen.option.schema, to, optionPlace(place, chosen.option.schema))
  return isReading(fixed) ? after({ path: place.path, from: given, to, rule: 'kind named', cost: 3 }, fixed) : fixed
}

/** `kind: 'rect'` where `type` has the kind: the only field that no option knows, with the constant of one of them. */
function withOtherTag(
  { name, listed }: Discriminator,
  value: Readonly<Record<string, unknown>>,
  { place, walk, value: given }: Misfit,
): Outcome | undefined {
  const [key, ...more] = Object.keys(value).filter((each) => !listed.some(({ option }) => Object.hasOwn(option.properties, each)))
  const chosen = key === undefined || more.length > 0 ? undefined : listed.find((each) => each.value === value[key])
  if (key === undefined || chosen === undefined || typeof chosen.value !== 'string') return undefined
  const { [key]: _kind, ...rest } = value
  const to = { [name]: chosen.value, ...rest }
  const fixed = walk.fix(chosen.option.schema, to, optionPlace(place, chosen.option.schema))
  return isReading(fixed) ? after({ path: place.path, from: given, to, rule: 'kind named', cost: 4 }, fixed) : fixed
}

function isKeyOf({ name, listed }: Discriminator, key: string): boolean {
  const [first] = listed
  const found = first === undefined ? undefined : keyIndexOf(first.option).find(key)
  return typeof found === 'object' && found.name === name
}
