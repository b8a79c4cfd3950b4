import { isPlainRecord } from '../../schema/json-schema.ts'
import { jsonKey } from '../../schema/json-key.ts'
import { Meter } from '../../schema/meter.ts'
import { isWholeMask, MASK, withoutCounts } from './mask-text.ts'
import { mergePatch } from './merge-patch.ts'
import { SimilarItems } from './similar-items.ts'
import { UnusedPlaces } from './unused-places.ts'

/** A place of an input: its true value, and the view of it that was shown. */
interface Place {
  readonly original: unknown
  readonly shown: unknown
}

const NOWHERE: Place = { original: undefined, shown: undefined }

/** What a person changed: all of it, or some fields. */
type Change = { readonly input: unknown } | { readonly patch: unknown }

/** The true input after a change of the view that was shown. */
export function applyChange(change: Change, place: Place): unknown {
  return 'patch' in change ? patched(change.patch, place) : unmask(change.input, place)
}

/** A merge patch (RFC 7396) of the view: names may be masked in it. Of a value that is masked as a whole, the fields are patched that it has. */
function patched(patch: unknown, { original, shown }: Place): unknown {
  if (!isPlainRecord(patch)) return unmask(patch, { original, shown })
  const [truth, views] = [entriesOf(original), entriesOf(shown)]
  if (!isPlainRecord(original) || truth.length !== views.length) return mergePatch(original, unmask(patch, NOWHERE))
  const known = truth.flatMap(([name, value], index) => {
    const [shownName = '', view] = (views[index] ?? []) as readonly [string?, unknown?]
    if (!Object.hasOwn(patch, shownName)) return [[name, value] as const]
    return patch[shownName] === null ? [] : [[name, patched(patch[shownName], { original: value, shown: view })] as const]
  })
  const names = new Set(views.map(([name]) => name))
  const added = Object.entries(patch).filter(([name, value]) => !names.has(name) && value !== null)
  return Object.fromEntries([...known, ...added.map(([name, value]) => [name, unmask(mergePatch(undefined, value), NOWHERE)] as const)] as [
    string,
    unknown,
  ][])
}

/**
 * The true input of an edited view. A part that is as it was shown keeps its true value; all else is taken as it was written, since a model
 * can write mask characters too. Which part belongs to which follows from the view alone, so that everybody who is shown the edit sees what
 * will run. A mask that was not shown in its place is taken out.
 */
export function unmask(edited: unknown, { original, shown }: Place): unknown {
  if (isSame(edited, shown)) return original
  if (typeof edited === 'string') {
    if (!edited.includes(MASK)) return edited
    if (typeof shown === 'string' && withoutCounts(edited) === withoutCounts(shown)) return original
    return isWholeMask(edited) ? undefined : edited
  }
  if (typeof edited !== 'object' || edited === null) return edited
  if (Array.isArray(edited)) return unmaskItems(edited, placesOf(original, shown))
  if (edited instanceof Set) return new Set(unmaskItems([...edited], placesOf(listOf(original), listOf(shown))))
  if (edited instanceof Map) return new Map(unmaskEntries([...edited], entriesOf(original), entriesOf(shown)))
  if (!isPlainRecord(edited)) return edited
  return Object.fromEntries(unmaskEntries(Object.entries(edited), entriesOf(original), entriesOf(shown)) as readonly [string, unknown][])
}

function placesOf(original: unknown, shown: unknown): readonly Place[] {
  if (!Array.isArray(original) || !Array.isArray(shown) || original.length !== shown.length) return []
  return shown.map((each: unknown, index) => ({ original: original[index] as unknown, shown: each }))
}

function listOf(value: unknown): unknown {
  return value instanceof Set ? [...value] : value
}

type Entry = readonly [key: unknown, value: unknown]

function entriesOf(value: unknown): readonly Entry[] {
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

/** A name that was shown stands for the name in its place. */
function unmaskEntries(edited: readonly Entry[], original: readonly Entry[], shown: readonly Entry[]): readonly Entry[] {
  const truth = original.length === shown.length ? original : []
  const places = new Map(truth.map((each, index) => [shown[index]?.[0], { entry: each, shown: shown[index]?.[1] }]))
  return edited.map(([key, value]) => {
    const place = places.get(key)
    return place === undefined
      ? [key, unmask(value, NOWHERE)]
      : [place.entry[0], unmask(value, { original: place.entry[1], shown: place.shown })]
  })
}

/** Items may have been added, taken out or moved. */
function unmaskItems(edited: readonly unknown[], places: readonly Place[]): unknown[] {
  const views = places.map(({ shown }) => shown)
  const unused = new UnusedPlaces(places.length)
  const unchanged = placesOfUnchanged(edited, views)
  for (const place of unchanged.values()) unused.take(place)
  let similar: SimilarItems | undefined
  return edited.map((item, index) => {
    if (!hasMask(item)) return item
    const same = unchanged.get(index)
    if (same !== undefined) return unmask(item, places[same] ?? NOWHERE)
    if (edited.length === places.length) return unmask(item, places[index] ?? NOWHERE)
    const match = firstOf((similar ??= new SimilarItems(views, unused)).like(item), (at) => unused.has(at) && masksAgree(item, views[at]))
    if (match === undefined) return unmask(item, NOWHERE)
    unused.take(match)
    return unmask(item, places[match] ?? NOWHERE)
  })
}

/** For items with masks that are as they were shown, where they stood. If some of several that look the same are gone, nobody knows which. */
function placesOfUnchanged(edited: readonly unknown[], views: readonly unknown[]): ReadonlyMap<number, number> {
  const before = Map.groupBy(withMasks(views), ({ key }) => key)
  const found = new Map<number, number>()
  for (const [key, now] of Map.groupBy(withMasks(edited), (each) => each.key)) {
    const past = before.get(key) ?? []
    if (past.length === now.length) for (const [nth, { at }] of now.entries()) found.set(at, past[nth]?.at ?? at)
  }
  return found
}

function withMasks(items: readonly unknown[]): readonly { readonly key: string; readonly at: number }[] {
  const meter = new Meter()
  return items.flatMap((item, at) => (hasMask(item) ? [{ key: jsonKey([item], meter), at }] : []))
}

/** So many candidates are tried for one changed item. */
const MOST_TRIES = 16

function firstOf(places: Iterable<number>, isMatch: (place: number) => boolean): number | undefined {
  let tries = 0
  for (const place of places) {
    if (isMatch(place)) return place
    if (++tries === MOST_TRIES) return undefined
  }
  return undefined
}

/** Whether each mask of an edited value stands where the view has it. */
function masksAgree(edited: unknown, shown: unknown): boolean {
  if (!hasMask(edited)) return true
  if (typeof edited === 'string') return typeof shown === 'string' && withoutCounts(edited) === withoutCounts(shown)
  if (Array.isArray(edited)) return Array.isArray(shown) && edited.every((each, at) => masksAgree(each, shown[at]))
  if (!isPlainRecord(edited) || !isPlainRecord(shown)) return false
  return Object.entries(edited).every(([key, each]) => masksAgree(each, Object.hasOwn(shown, key) ? shown[key] : undefined))
}

function hasMask(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(MASK)
  if (typeof value !== 'object' || value === null) return false
  return value instanceof Map || value instanceof Set
    ? [...value].some(hasMask)
    : Object.entries(value).some((entry) => entry.some(hasMask))
}

/** Equal by all parts. Fields may come in another order. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, at) => isSame(each, b[at]))
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime())
  if (a instanceof Map) return b instanceof Map && isSame([...a], [...b])
  if (a instanceof Set) return b instanceof Set && isSame([...a], [...b])
  if (!isPlainRecord(a) || !isPlainRecord(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
}
