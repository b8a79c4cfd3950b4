import { countedParts } from './counted-parts.ts'
import { currencySigned } from './money.ts'
import { knownShape } from './known-shapes.ts'
import { pointParts } from './map-point.ts'
import { nameForm } from './name-words.ts'
import { nameParts } from './person-names.ts'
import { fieldPlace, type Place } from './place.ts'
import { after, isReading, type Outcome, type RepairChange } from './reading.ts'
import type { SchemaNode } from './schema-node.ts'
import { mailbox } from './text-variants.ts'
import type { Misfit, Walk } from './walk.ts'

/** Names of the unit of a number that has a field of its own. */
export const MEASURES = ['unit', 'units', 'uom', 'currency', 'currencycode']
/** Names of a number beside its unit. */
export const COUNTS = ['value', 'amount', 'number', 'quantity', 'count', 'magnitude']

/** A text that two fields of an object take in parts: a number and its unit, a name and an address. No other field must be there. */
export function splitText({ node, value, place, walk }: Misfit): Outcome | undefined {
  const parts = knownShape(value, node, place.path.endsWith(']')) ?? (typeof value === 'string' ? textParts(value, node) : undefined)
  if (parts === undefined) return undefined
  const fixed = walk.fix(node.schema, parts, { ...place, depth: place.depth + 1 })
  return isReading(fixed) ? after({ path: place.path, from: value, to: parts, rule: 'parts split', cost: 3 }, fixed) : undefined
}

function textParts(text: string, node: SchemaNode): Readonly<Record<string, unknown>> | undefined {
  return measureParts(text, node) ?? mailboxParts(text, node) ?? nameParts(text, node) ?? pointParts(text, node) ?? countedParts(text, node)
}

function measureParts(text: string, { properties }: SchemaNode): Readonly<Record<string, string>> | undefined {
  const names = Object.keys(properties)
  const number = names.find((name) => COUNTS.includes(nameForm(name)))
  const measure = names.find((name) => MEASURES.includes(nameForm(name)))
  const parts = number === undefined || measure === undefined || names.length !== 2 ? undefined : countAndUnit(text, measure)
  return parts === undefined || number === undefined || measure === undefined ? undefined : { [number]: parts.count, [measure]: parts.unit }
}

function mailboxParts(text: string, { properties }: SchemaNode): Readonly<Record<string, string>> | undefined {
  const names = Object.keys(properties)
  const [address, ...more] = names.filter((each) => properties[each]?.['format'] === 'email')
  const name = names.find((each) => nameForm(each) === 'name')
  const found = mailbox(text)
  if (address === undefined || name === undefined || more.length > 0 || found === undefined || found.person === '') return undefined
  return { [name]: found.person, [address]: found.address }
}

const LENGTHS: Readonly<Record<string, string>> = { D: 'days', H: 'hours', M: 'minutes', S: 'seconds' }

/** `PT15M` as `15 minutes`. */
function spelledLength(text: string): string {
  const [, days, count, letter = ''] = /^P(?:(\d+)D|T(\d+)([HMS]))$/.exec(text) ?? []
  return days === undefined ? (count === undefined ? text : `${count} ${LENGTHS[letter]}`) : `${days} days`
}

/** The number of `70 kg`, `EUR 50` or `€50`, and its unit. Of a currency only its code or a sign that no other one has is a unit. */
function countAndUnit(text: string, measure: string): { readonly count: string; readonly unit: string } | undefined {
  const [, before, count = '', behind] =
    text.length <= 60
      ? (/^(?:([A-Z]{3}|\p{Sc})\s?)?([+-]?\d[\d.,]*)(?:\s?(\p{Sc}|[\p{L}°µ/%]{1,20}))?$/u.exec(spelledLength(text.trim())) ?? [])
      : []
  const sign = before ?? behind
  if (sign === undefined || (before !== undefined && behind !== undefined)) return undefined
  const unit = !nameForm(measure).startsWith('currency') || /^[A-Z]{3}$/.test(sign) ? sign : currencySigned(sign)
  return unit === undefined ? undefined : { count, unit }
}

/**
 * `{ value: '70 kg' }` where the unit has a field that is not given, or says the same. Changes the fields; the number must be the only one, so that
 * the unit can be that of no other.
 */
export function splitMeasures(
  fields: Map<string, unknown>,
  { node, place, walk }: Pick<Misfit, 'node' | 'place' | 'walk'>,
): readonly RepairChange[] {
  const { properties } = node
  const names = Object.keys(properties)
  const [measure, ...others] = names.filter((name) => MEASURES.includes(nameForm(name)))
  const [number, ...more] = names.filter((name) => properties[name]?.['type'] === 'number' || properties[name]?.['type'] === 'integer')
  const given = number === undefined ? undefined : fields.get(number)
  if (measure === undefined || number === undefined || others.length + more.length > 0 || typeof given !== 'string') return []
  const parts = countAndUnit(given, measure)
  const own = parts === undefined ? undefined : valueAt(measure, parts.unit, { node, place, walk })
  const known = fields.get(measure)
  const isGiven = known !== undefined && known !== null
  if (parts === undefined || own === undefined || (isGiven && valueAt(measure, known, { node, place, walk }) !== own)) return []
  // Of what is paid, no field is filled in that was not given.
  if (!isGiven && nameForm(measure).startsWith('currency')) return []
  fields.set(number, parts.count)
  const change = { path: pathOf(place, number), from: given, to: parts.count, rule: 'parts split', cost: 3 }
  if (isGiven) return [change]
  fields.set(measure, own)
  return [change, { path: pathOf(place, measure), from: undefined, to: own, rule: 'parts split', cost: 1 }]
}

function pathOf({ path }: Place, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The unit as the field takes it; undefined where it does not. */
function valueAt(
  name: string,
  unit: unknown,
  { node, place, walk }: { readonly node: SchemaNode; readonly place: Place; readonly walk: Walk },
): unknown {
  const schema = node.properties[name] ?? {}
  const fixed = walk.fix(schema, unit, fieldPlace(place, name, { schema: walk.read(schema).schema, descriptions: walk.descriptions }))
  return isReading(fixed) ? fixed.value : undefined
}
