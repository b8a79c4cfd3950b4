import { isPlainRecord } from '../../schema/json-schema.ts'
import { isMaskedForm, MASK } from './mask-text.ts'

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
  const left = new Map(original)
  return edited.map(([key, value]) => {
    const own = left.has(key) ? key : [...left.keys()].find((each) => fits(key, each))
    if (own === undefined) return [key, unmask(value, undefined)]
    const truth = left.get(own)
    left.delete(own)
    return [own, unmask(value, truth)]
  })
}

/** Items may have been added, taken out or moved: each gets its secrets from the item that it is a view of, else from the one in its place. */
function unmaskItems(edited: readonly unknown[], original: readonly unknown[]): unknown[] {
  const used = new Set<number>()
  return edited.map((item, index) => {
    if (!hasMask(item)) return item
    const isMatch = (at: number): boolean => at < original.length && !used.has(at) && fits(item, original[at])
    const match = isMatch(index) ? index : original.findIndex((_, at) => isMatch(at))
    const from = match === -1 && edited.length === original.length ? index : match
    used.add(from)
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
  return view.every(([key, each]) =>
    value.has(key) ? fits(each, value.get(key)) : [...value].some(([name, truth]) => fits(key, name) && fits(each, truth)),
  )
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
