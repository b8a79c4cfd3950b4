import { isRecord } from '../json-schema.ts'
import { type FieldKind, namesThing } from './field-kind.ts'
import { isNote, isQualifier, saysNothing } from './droppable-field.ts'
import { areOtherRoles, isPart, likeness, saysOther } from './key-likeness.ts'
import { nameWords } from './name-words.ts'
import { fieldPlace, type Place } from './place.ts'
import { isReading } from './reading.ts'
import { type SchemaNode, takes } from './schema-node.ts'
import { UNITS } from './unit-table.ts'
import type { Walk } from './walk.ts'

interface Unassigned {
  readonly unknown: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  /** The fields that are given already. */
  readonly given: ReadonlySet<string>
  readonly node: SchemaNode
  readonly place: Place
  readonly walk: Walk
}

interface Fitting {
  readonly name: string
  readonly rule: string
  readonly cost: number
}

const MOST_KEYS = 8
const MOST_FIELDS = 40
/** Where there are fewer fields, to be the only one that fits says nothing. */
const LEAST_FIELDS = 3
const MOST_COST = 3
const NONE: ReadonlyMap<string, Fitting> = new Map()

/**
 * The fields that unknown keys stand for because nothing else can be meant: by a name that is an abbreviation or of the same role, else as the only field
 * that must be there and takes the value, where no other free field takes it. Each key has one field and each field one key.
 */
export function fittingFields(all: Unassigned): ReadonlyMap<string, Fitting> {
  const { unknown, value, given, node } = all
  // With a line before it, `_comment` is for readers of the JSON.
  const keys = unknown.filter((key) => !saysNothing(value[key]) && nameWords(key).length > 0 && !key.startsWith('_'))
  const free = Object.keys(node.properties).filter((name) => !given.has(name))
  if (keys.length === 0 || keys.length > MOST_KEYS || free.length === 0 || free.length > MOST_FIELDS) return NONE
  const fitting = new Map(keys.map((key) => [key, fieldsFor(key, free, all)]))
  const named = byOneKey(keys, (key) => likest(key, fitting.get(key) ?? [], all))
  const taken = new Set([...named.values()].map(({ name }) => name))
  const only = byOneKey(
    keys.filter((key) => !named.has(key)),
    (key) => onlyRecipient(key, all) ?? onlyFitting(key, { fitting, taken, all }),
  )
  return new Map([...named, ...only])
}

/** The fields of keys of which no two have the same one. */
function byOneKey(keys: readonly string[], find: (key: string) => Fitting | undefined): ReadonlyMap<string, Fitting> {
  const found = keys.flatMap((key) => {
    const field = find(key)
    return field === undefined ? [] : [[key, field] as const]
  })
  return new Map(found.filter(([, { name }]) => found.filter(([, other]) => other.name === name).length === 1))
}

/** The fields that take the value as it is; where there is none, those that take it in another notation. */
function fieldsFor(key: string, free: readonly string[], { value, node, place, walk }: Unassigned): readonly string[] {
  const exact = free.filter((name) => walk.fits(node.properties[name] ?? {}, value[key]))
  if (exact.length > 0 || isRecord(value[key])) return exact
  return free.filter((name) => {
    const outcome = walk.fix(node.properties[name] ?? {}, value[key], placeOf(name, { node, place, walk }))
    return isReading(outcome) && outcome.cost <= MOST_COST
  })
}

function placeOf(name: string, { node, place, walk }: Pick<Unassigned, 'node' | 'place' | 'walk'>): Place {
  const { schema } = walk.read(node.properties[name] ?? {})
  return fieldPlace(place, name, { schema, descriptions: walk.descriptions })
}

/** Never changed by a name that only looks like theirs. */
const CLOSED: ReadonlySet<FieldKind> = new Set(['consent', 'money', 'path', 'secret'])

/** The one field that the name of the key tells. Of several, the one that must be there. */
function likest(key: string, names: readonly string[], all: Unassigned): Fitting | undefined {
  const { node, walk, value } = all
  const isLarge = Object.keys(node.properties).length >= LEAST_FIELDS
  const like = Object.keys(node.properties).flatMap((name) => {
    const found =
      likeness(key, name) ?? (isPart(key, name) && isJudged(name, all) ? { rule: 'key in short', cost: MOST_COST + 1 } : undefined)
    return found === undefined || (found.cost > MOST_COST && !isLarge) ? [] : [{ name, ...found }]
  })
  const best = Math.min(...like.map(({ cost }) => cost))
  const free = like.filter(({ name, cost }) => cost === best && names.includes(name))
  const needed = free.filter(({ name }) => node.required.has(name))
  const [only, ...more] = needed.length === 1 ? needed : free
  // Another field of a similar name that is given already may be the one that was meant again.
  if (
    only === undefined ||
    more.length > 0 ||
    (needed.length === 0 && like.some(({ name, cost }) => cost === best && !free.some((each) => each.name === name)))
  )
    return undefined
  const { kind } = placeOf(only.name, all)
  const isRole = only.rule === 'key of the same role'
  if (CLOSED.has(kind) && !(kind === 'path' && (isRole || (!walk.hasEffect && isJudged(only.name, all))))) return undefined
  if (walk.hasEffect && kind === 'recipient' && !(isRole && isJudged(only.name, all))) return undefined
  // The name of a thing is not its id.
  return walk.hasEffect && kind === 'id' && typeof value[key] === 'string' ? undefined : only
}

/** Whether a field, or each item of a list, takes few values of all texts. */
function isJudged(name: string, { node, walk }: Unassigned): boolean {
  const field = walk.read(node.properties[name] ?? {})
  const { items } = field.schema
  const { listed, format, pattern } = takes(field, 'array') && isRecord(items) ? walk.read(items) : field
  return listed !== undefined || format !== undefined || pattern !== undefined
}

interface Candidates {
  readonly fitting: ReadonlyMap<string, readonly string[]>
  readonly taken: ReadonlySet<string>
  readonly all: Unassigned
}

/** The only field that takes the value, if it must be there and no other key is for it. */
function onlyFitting(key: string, { fitting, taken, all }: Candidates): Fitting | undefined {
  const { node, value, walk } = all
  const [name, ...more] = (fitting.get(key) ?? []).filter((each) => !taken.has(each))
  if (name === undefined || more.length > 0 || !node.required.has(name)) return undefined
  const field = walk.read(node.properties[name] ?? {})
  const count = Object.keys(node.properties).length
  if ((count < LEAST_FIELDS && (all.given.size === 0 || count < 2) && field.listed === undefined) || isOpenKind(all)) return undefined
  if ([...fitting].some(([other, names]) => other !== key && names.includes(name) && !names.some((each) => taken.has(each))))
    return undefined
  // A number may count anything, and what takes effect must be named.
  if ((takes(field, 'integer') && field.listed === undefined) || (walk.hasEffect && namesThing(placeOf(name, all)))) return undefined
  if (takes(field, 'boolean') || field.options !== undefined || !mayMean(key, name, all)) return undefined
  const isAnyText = field.listed === undefined && field.format === undefined && field.pattern === undefined && takes(field, 'string')
  // A tool that takes effect would send, or book, a text that may be about something else.
  const isOpen = isAnyText && typeof value[key] === 'string' && (walk.hasEffect || FORMED.test(value[key].trim()))
  return isOpen ? undefined : { name, rule: 'only field that fits', cost: 5 }
}

/** Names that say what the address of a recipient is, and not which one of several it is. */
const ADDRESSES: ReadonlySet<string> = new Set('address email mail mobile number phone receiver recipient tel telephone'.split(' '))

/** `phone_number` for the `to` that takes phone numbers only, if it is the only recipient of the tool. */
function onlyRecipient(key: string, all: Unassigned): Fitting | undefined {
  const { node, value, given, walk } = all
  const [name, ...more] = Object.keys(node.properties).filter((each) => placeOf(each, all).kind === 'recipient')
  if (name === undefined || more.length > 0 || given.has(name) || !nameWords(key).every((word) => ADDRESSES.has(word))) return undefined
  return isJudged(name, all) && walk.fits(node.properties[name] ?? {}, value[key])
    ? { name, rule: 'key of the only recipient', cost: 4 }
    : undefined
}

/** An option of a union whose kind is not told: the field may be that of another option. */
function isOpenKind({ node, given, walk }: Unassigned): boolean {
  return [...node.required].some((name) => !given.has(name) && walk.read(node.properties[name] ?? {}).listed?.length === 1)
}

/** Texts that are more than words: a number, a date, an address or an id belongs into a field for it. */
const FORMED = /^(?:[+-]?\d[\d.,:/\s-]*(?:[TZ][\d:.Z+-]*)?|\S+@\S+\.\S+|https?:\S+|[\da-f]{8}-[\da-f-]{20,}|true|false|yes|no|null|none)$/i

/** Whether nothing in the two names says that they are of different things. */
function mayMean(key: string, name: string, all: Unassigned): boolean {
  const words = nameWords(key)
  const taken = nameWords(name)
  if (
    isQualifier(words) ||
    isNote(key) ||
    STATES.has(words[0] ?? '') ||
    words.some((word) => ATTRIBUTES.has(word) && !taken.includes(word)) ||
    saysOther(key, name) ||
    areOtherRoles(words, taken)
  )
    return false
  const { kind } = placeOf(name, all)
  const own = fieldPlace(all.place, key, { schema: {}, descriptions: {} })
  return kind === 'plain' && own.kind === 'plain' && !words.some((word) => isMeasure(word) && !taken.includes(word))
}

/** What may be said of nearly everything that a tool is asked for, and is no other name of it. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  'lang language locale country region currency host company brand user env environment version format mode style theme category status role'.split(
    ' ',
  ),
)

const STATES: ReadonlySet<string> = new Set(['is', 'has', 'can', 'should'])

const TIMES: ReadonlySet<string> = new Set('night nights date day time when deadline due year month week'.split(' '))

/** Words that say how something is measured: another measure is another thing. */
function isMeasure(word: string): boolean {
  return TIMES.has(word) || (word.length > 1 && UNITS.some(({ words }) => words.includes(word)))
}
