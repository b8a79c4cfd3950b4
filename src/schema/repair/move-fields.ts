import { isRecord, type JsonSchema } from '../json-schema.ts'
import { isNote, isQualifier } from './droppable-field.ts'
import { formsOf } from './field-forms.ts'
import { textWords } from './field-kind.ts'
import { keyIndexOf } from './key-index.ts'
import { looksLikeJson, looseJson } from './loose-json.ts'
import { nameForm, nameWords } from './name-words.ts'
import { raiseFields } from './raise-fields.ts'
import type { RepairChange } from './reading.ts'
import type { SchemaNode } from './schema-node.ts'
import type { Misfit } from './walk.ts'

interface Moved {
  readonly value: Readonly<Record<string, unknown>>
  readonly changes: readonly RepairChange[]
}

const GROUPS: ReadonlySet<string> = new Set(
  'params parameters options opts settings config configuration args arguments input inputs data details filters filter fields properties payload body query info values extra'.split(
    ' ',
  ),
)

/**
 * Moves fields between levels: `address.city` into `address`, a field that only one group knows into that group, and the fields of an unknown
 * group (`options`) up where all of them are known and free.
 */
export function moveFields({ node, value: given, place, walk }: Misfit & { readonly value: Readonly<Record<string, unknown>> }): Moved {
  const { properties } = node
  const changes: RepairChange[] = []
  const isKnown = (key: string): boolean => Object.hasOwn(properties, key) || formsOf(node).has(nameForm(key))
  if (node.others !== undefined) return { value: given, changes }
  const fields = new Map(Object.entries(given))
  changes.push(...raiseFields(fields, { node, value: given, place, walk }))
  if (Object.keys(given).every(isKnown))
    return changes.length === 0 ? { value: given, changes } : { value: Object.fromEntries(fields), changes }
  for (const { name, keys } of indexedKeys(given, node)) {
    const items = keys.map((key) => given[key])
    for (const key of keys) fields.delete(key)
    fields.set(name, items)
    changes.push({ path: `${prefix(place.path)}${name}`, from: undefined, to: items, rule: 'key path', cost: 2 })
  }
  const item = onlyItem(fields, node, walk.read)
  if (item !== undefined) {
    const inside = Object.fromEntries(item.keys.map((key) => [key, fields.get(key)]))
    for (const key of item.keys) fields.delete(key)
    fields.set(item.name, [inside])
    changes.push({ path: `${prefix(place.path)}${item.name}`, from: undefined, to: [inside], rule: 'item sunk', cost: 4 })
  }
  const groups = groupsOf(node, walk.read)
  for (const key of Object.keys(given)) {
    if (isKnown(key) || !fields.has(key)) continue
    const value = parsed(given[key])
    const into = groupFor(key, groups)
    const besides = into === undefined ? undefined : scalarBeside(fields.get(into.group), into, { node, walk })
    if (into !== undefined && besides !== undefined) fields.set(into.group, besides)
    if (into !== undefined && mayTake(fields.get(into.group), into.name)) {
      const group = fields.get(into.group)
      fields.delete(key)
      fields.set(into.group, { ...(isRecord(group) ? group : {}), [into.name]: value })
      changes.push({ path: `${prefix(place.path)}${key}`, from: value, to: undefined, rule: into.rule, cost: into.cost })
    } else if (isRecord(value) && isPrefix(key, value, { node, fields })) {
      fields.delete(key)
      for (const [name, each] of Object.entries(value)) fields.set(`${key}_${name}`, each)
      changes.push({ path: `${prefix(place.path)}${key}`, from: value, to: undefined, rule: 'group flattened', cost: 3 })
    } else if (isRecord(value) && isGroup(key, value, { node, fields, about: place.path === '' ? walk.about : '' })) {
      fields.delete(key)
      for (const [name, each] of Object.entries(value)) fields.set(name, each)
      changes.push({ path: `${prefix(place.path)}${key}`, from: value, to: undefined, rule: 'group hoisted', cost: 3 })
    }
  }
  return changes.length === 0 ? { value: given, changes } : { value: Object.fromEntries(fields), changes }
}

/** The object that a text of JSON stands for, else the value itself. */
function parsed(value: unknown): unknown {
  const inside = typeof value === 'string' && looksLikeJson(value) ? looseJson(value)?.value : undefined
  return isRecord(inside) ? inside : value
}

/** The required list that is not given, where all that its item needs is given beside it and nothing else is unknown: one item without its list. */
function onlyItem(
  fields: ReadonlyMap<string, unknown>,
  node: SchemaNode,
  read: (schema: JsonSchema) => SchemaNode,
): IndexedKeys | undefined {
  const keys = [...fields.keys()].filter((key) => !formsOf(node).has(nameForm(key)))
  const given = new Set([...fields.keys()].map(nameForm))
  const [name, ...more] = [...node.required].filter((each) => node.properties[each]?.['type'] === 'array' && !given.has(nameForm(each)))
  const items = name === undefined ? undefined : node.properties[name]?.['items']
  if (name === undefined || more.length > 0 || keys.length === 0 || !isRecord(items)) return undefined
  const item = read(items)
  const isWhole = item.required.size > 0 && [...item.required].every((each) => keys.some((key) => nameForm(key) === nameForm(each)))
  return isWhole && keys.every((key) => formsOf(item).has(nameForm(key))) ? { name, keys } : undefined
}

interface IndexedKeys {
  readonly name: string
  readonly keys: readonly string[]
}

/** `tags[0]`, `tags[1]` as forms write lists: all of them, in their order, and no other value for the list. */
function indexedKeys(given: Readonly<Record<string, unknown>>, { properties }: SchemaNode): readonly IndexedKeys[] {
  const found = new Map<string, string[]>()
  for (const key of Object.keys(given)) {
    const [, name = '', index] = /^(\w{1,64})(?:\[|\.)(\d{1,3})\]?$/.exec(key) ?? []
    if (index === undefined || !Object.hasOwn(properties, name) || Object.hasOwn(given, name)) continue
    const keys = found.get(name) ?? []
    found.set(name, keys)
    if (keys.length === Number(index)) keys.push(key)
    else keys.push('')
  }
  return [...found].flatMap(([name, keys]) => (keys.includes('') || properties[name]?.['type'] !== 'array' ? [] : [{ name, keys }]))
}

function prefix(path: string): string {
  return path === '' ? '' : `${path}.`
}

interface Group {
  readonly group: string
  /** Its name in the one spelling that all share. */
  readonly form: string
  readonly names: ReadonlyMap<string, string>
}

const MOST_GROUPS = 50
const groupsByNode = new WeakMap<SchemaNode, readonly Group[]>()

/** The fields that are objects, with the names inside them by their spelling. */
function groupsOf(node: SchemaNode, read: (schema: JsonSchema) => SchemaNode): readonly Group[] {
  let groups = groupsByNode.get(node)
  if (groups === undefined) groupsByNode.set(node, (groups = readGroups(node, read)))
  return groups
}

function readGroups({ properties }: SchemaNode, read: (schema: JsonSchema) => SchemaNode): readonly Group[] {
  const groups: Group[] = []
  for (const [group, schema] of Object.entries(properties)) {
    if (groups.length >= MOST_GROUPS) break
    const inside = read(schema)
    const options = (inside.options ?? []).flatMap((each) => Object.keys(read(each).properties))
    const names = [...new Set([...Object.keys(inside.properties), ...options])]
    // An option that has the group in it again leads to itself without end.
    if (names.length > 0 && !options.includes(group))
      groups.push({ group, form: nameForm(group), names: new Map(names.map((name) => [nameForm(name), name])) })
  }
  return groups
}

interface Target {
  readonly group: string
  readonly name: string
  readonly rule: string
  readonly cost: number
}

function groupFor(key: string, groups: readonly Group[]): Target | undefined {
  if (groups.length === 0) return undefined
  const deeper = /^([\w -]+)\.([\w -]+)((?:\.[\w -]+)+)$/.exec(key)
  if (deeper !== null) {
    const [, first = '', second = '', rest = ''] = deeper
    const group = groups.find((each) => each.form === nameForm(first))
    const name = group?.names.get(nameForm(second))
    return group === undefined || name === undefined ? undefined : { group: group.group, name: `${name}${rest}`, rule: 'key path', cost: 2 }
  }
  const path = /^([\w -]+)(?:\.|\/|\[["']?)([\w -]+)["']?\]?$/.exec(key)
  if (path !== null) {
    const group = groups.find((each) => each.form === nameForm(path[1] ?? ''))
    const name = group?.names.get(nameForm(path[2] ?? ''))
    return group === undefined || name === undefined ? undefined : { group: group.group, name, rule: 'key path', cost: 2 }
  }
  const form = nameForm(key)
  const prefixed = groups.flatMap((each) => {
    const isLong = nameWords(key).length > 1
    const name = isLong && form.startsWith(each.form) ? each.names.get(form.slice(each.form.length)) : undefined
    // `min_price` for the `min` of `price`.
    const before = isLong && name === undefined && form.endsWith(each.form) ? each.names.get(form.slice(0, -each.form.length)) : undefined
    const found = name ?? before
    return found === undefined ? [] : [{ group: each.group, name: found, rule: 'key path', cost: 2 }]
  })
  if (prefixed.length === 1) return prefixed[0]
  const knowing = groups.filter(({ names }) => names.has(form))
  const [only] = knowing
  const name = only?.names.get(form)
  return knowing.length !== 1 || only === undefined || name === undefined
    ? undefined
    : { group: only.group, name, rule: 'field sunk', cost: 3 }
}

/** The group of `{ amount: 84.1, currency: 'EUR' }`, of which the one field that takes a number stands alone in place of the group. */
function scalarBeside(given: unknown, { group, name }: Target, { node, walk }: Pick<Misfit, 'node' | 'walk'>): unknown {
  if (typeof given !== 'number' && typeof given !== 'string') return undefined
  const inside = walk.read(node.properties[group] ?? {})
  const [only, ...more] = Object.keys(inside.properties).filter((each) => each !== name && walk.fits(inside.properties[each] ?? {}, given))
  return only === undefined || more.length > 0 || !inside.required.has(only) || inside.options !== undefined ? undefined : { [only]: given }
}

function mayTake(group: unknown, name: string): boolean {
  return group === undefined || (isRecord(group) && !Object.hasOwn(group, name))
}

/** `user: { id: 5 }` where `user_id` is a field, and so all others of the group. */
function isPrefix(key: string, value: Readonly<Record<string, unknown>>, { node, fields }: Omit<GroupPlace, 'about'>): boolean {
  const names = Object.keys(value).map((name) => nameForm(`${key}_${name}`))
  if (names.length === 0 || !names.every((name) => formsOf(node).has(name))) return false
  const given = new Set([...fields.keys()].map(nameForm))
  return !names.some((name) => given.has(name)) && new Set(names).size === names.length
}

function isGroup(key: string, value: Readonly<Record<string, unknown>>, { node, fields, about }: GroupPlace): boolean {
  const names = Object.keys(value)
  const words = nameWords(key)
  // `{ name: 'make_playlist', arguments: { ... } }` is a call with the name of its tool, which is no field of its input.
  if ([...fields.values()].some((each) => typeof each === 'string' && each !== '' && isToolName(each, about))) return false
  const isWhole =
    isWholeGroup(words, names, node) || (fields.size === 1 && (isSubject(words, names, { node, about }) || isEnvelope(words, names, node)))
  if (names.length === 0 || !(isWhole || words.some((word) => GROUPS.has(word)))) return false
  const given = new Set([...fields.keys()].map(nameForm))
  const meant = names.flatMap((name) => (isNote(name) && !formsOf(node).has(nameForm(name)) ? [] : [nameMeant(name, node)]))
  return meant.length > 0 && meant.every((name) => name !== undefined && !given.has(nameForm(name))) && new Set(meant).size === meant.length
}

function isToolName(text: string, about: string): boolean {
  return /^\w+[_.-]\w+$/.test(text) && about.startsWith(text.toLowerCase())
}

/** The field that a key stands for, in whichever spelling. */
function nameMeant(key: string, node: SchemaNode): string | undefined {
  const found = keyIndexOf(node).find(key)
  return typeof found === 'object' ? found.name : undefined
}

/** A group of another name, such as `location` around latitude and longitude, is nothing but a group if the tool needs all that is in it. */
function isWholeGroup(words: readonly string[], names: readonly string[], node: SchemaNode): boolean {
  return names.length > 1 && !isQualifier(words) && names.every((name) => node.required.has(nameMeant(name, node) ?? name))
}

/** `contact` alone, around several fields of a closed schema and all that it needs. */
function isEnvelope(words: readonly string[], names: readonly string[], { required, schema }: SchemaNode): boolean {
  const given = new Set(names.map(nameForm))
  const isClosed = schema['additionalProperties'] === false && required.size > 0
  if (!isClosed || names.length < 2 || isQualifier(words) || words.some((word) => OTHERS.has(word))) return false
  return [...required].every((name) => given.has(nameForm(name)))
}

/** Names of other versions of a thing than the one that the tool is to work on. */
const OTHERS: ReadonlySet<string> = new Set('old previous prior original former current example sample template excluded keep'.split(' '))

/** `lead` alone, around all that `create_lead` needs: the thing that the tool is about. */
function isSubject(words: readonly string[], names: readonly string[], { node, about }: Pick<GroupPlace, 'about' | 'node'>): boolean {
  if (words.length === 0 || isQualifier(words) || words.some((word) => OTHERS.has(word))) return false
  const told = new Set(textWords(about))
  const given = new Set(names.map(nameForm))
  return words.every((word) => told.has(word)) && [...node.required].every((name) => given.has(nameForm(name)))
}

interface GroupPlace {
  /** The words of the tool; empty inside its input. */
  readonly about: string
  readonly node: SchemaNode
  readonly fields: ReadonlyMap<string, unknown>
}
