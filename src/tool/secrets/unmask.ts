import { isPlainRecord } from '../../schema/json-schema.ts'
import { isMaskedForm, MASK } from './mask-text.ts'
import { SimilarItems } from './similar-items.ts'
import { UnusedPlaces } from './unused-places.ts'

/** Puts back the true values where an edited copy still shows the mask. A mask that fits nothing in the original is taken out. */
export function unmask(edited: unknown, original: unknown): unknown {
  if (edited === MASK) return original
  if (typeof edited === 'string') return typeof original === 'string' && isMaskedForm(edited, original) ? original : edited
  if (typeof edited !== 'object' || edited === null || edited === original) return edited
  if (Array.isArray(edited)) return unmaskItems(edited, Array.isArray(original) ? original : [])
  if (edited instanceof Set) return new Set(unmaskItems([...edited], original instanceof Set ? [...original] : []))
  if (edited instanceof Map) return new Map(unmaskEntries([...edited], original instanceof Map ? [...original] : []))
  if (!isPlainRecord(edited)) return edited
  if (!isPlainRecord(original) && fits(edited, original)) return original
  return Object.fromEntries(unmaskEntries(Object.entries(edited), isObject(original) ? Object.entries(original) : []))
}

type Entry<K> = readonly [key: K, value: unknown]

function unmaskEntries<K>(edited: readonly Entry<K>[], original: readonly Entry<K>[]): readonly Entry<K>[] {
  const truth = new Map(original)
  const names = shownNames(edited, truth)
  return edited.map(([key, value], index) => {
    const name = names[index]
    return name === undefined ? [key, unmask(value, undefined)] : [name.key, unmask(value, truth.get(name.key))]
  })
}

/** For each entry of a view the name that it shows: the same one, else the first that no entry shows and that fits. */
function shownNames<K>(view: readonly Entry<K>[], truth: ReadonlyMap<K, unknown>): readonly ({ readonly key: K } | undefined)[] {
  const same = new Set(view.map(([key]) => key))
  const others = [...truth.keys()].filter((key) => !same.has(key))
  const unused = new UnusedPlaces(others.length)
  return view.map(([key]) => {
    if (truth.has(key)) return { key }
    if (!hasMask(key)) return undefined
    const place = firstOf(unused, (each) => fits(key, others[each]))
    if (place === undefined) return undefined
    unused.take(place)
    return { key: others[place] as K }
  })
}

/** So many candidates are tried for one masked name or item. */
const MOST_TRIES = 16

function firstOf(places: Iterable<number>, isMatch: (place: number) => boolean): number | undefined {
  let tries = 0
  for (const place of places) {
    if (isMatch(place)) return place
    if (++tries === MOST_TRIES) return undefined
  }
  return undefined
}

/** Items may have been added, taken out or moved: each gets its secrets from the item that it is a view of, else from the one in its place. */
function unmaskItems(edited: readonly unknown[], original: readonly unknown[]): unknown[] {
  const unused = new UnusedPlaces(original.length)
  let similar: SimilarItems | undefined
  let next = 0
  return edited.map((item, index) => {
    if (!hasMask(item)) return item
    const isMatch = (at: number): boolean => unused.has(at) && fits(item, original[at])
    const match = isMatch(index)
      ? index
      : (firstOf((similar ??= new SimilarItems(original, unused)).like(item), isMatch) ?? (isMatch(next) ? next : undefined))
    const from = match ?? (edited.length === original.length ? index : -1)
    unused.take(from)
    next = from + 1
    return unmask(item, original[from])
  })
}

/** Whether a value could be the unchanged view of another. */
function fits(view: unknown, value: unknown): boolean {
  if (view === MASK || Object.is(view, value)) return true
  if (typeof view === 'string') return typeof value === 'string' && isMaskedForm(view, value)
  if (Array.isArray(view)) return Array.isArray(value) && view.length === value.length && view.every((each, at) => fits(each, value[at]))
  return isPlainRecord(view) && isObject(value) && fieldsFit(Object.entries(view), new Map(Object.entries(value)))
}

function fieldsFit(view: readonly Entry<string>[], value: ReadonlyMap<string, unknown>): boolean {
  if (view.length !== value.size) return false
  const names = shownNames(view, value)
  return view.every(([, each], index) => {
    const name = names[index]
    return name !== undefined && fits(each, value.get(name.key))
  })
}

function hasMask(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(MASK)
  if (typeof value !== 'object' || value === null) return false
  return value instanceof Map || value instanceof Set
    ? [...value].some(hasMask)
    : Object.entries(value).some((entry) => entry.some(hasMask))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
