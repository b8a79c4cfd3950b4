import { types } from 'node:util'
import { listFor } from './list-for.ts'

/** A value that is nested more deeply is refused: later walks through it could exhaust the stack. */
export const MAX_DEPTH = 1000

/** Thrown for a value that is nested too deeply to be copied. */
export class TooDeepError extends RangeError {
  override readonly name = 'TooDeepError'

  constructor() {
    super(`it is nested more than ${MAX_DEPTH} levels deep`)
  }
}

/**
 * A copy of a value as data that shares nothing with it that can be changed: lists, plain objects, maps, sets, dates and bytes, at every
 * level, with their cycles. Each property is read once, so a getter or a proxy cannot answer differently later. The copy of a plain object
 * has no `toJSON` of its own, which would show another value than the one that is there. Functions, instances of classes and the values of
 * fields named by symbols stay the same objects.
 */
export function privateCopy<T>(value: T): T
export function privateCopy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? copied(value, undefined, 0) : value
}

/** The same for an object that is known to be plain. */
export function copyOfPlain(value: object): object {
  return copyOfFields(value, undefined, 0)
}

/** From here on a search by hash is faster than one through a list. */
const LONGEST_LIST = 16

/**
 * The copies of the objects that contain others, by their originals. Only such an object can be part of a cycle, or grow when it is copied
 * twice.
 */
class Copies {
  readonly #originals: object[] = []
  readonly #copies: object[] = []
  #all: Map<object, object> | undefined

  of(original: object): object | undefined {
    if (this.#all !== undefined) return this.#all.get(original)
    const index = this.#originals.indexOf(original)
    return index === -1 ? undefined : this.#copies[index]
  }

  add(original: object, copy: object): void {
    if (this.#all !== undefined) {
      this.#all.set(original, copy)
      return
    }
    this.#originals.push(original)
    this.#copies.push(copy)
    if (this.#copies.length === LONGEST_LIST)
      this.#all = new Map(this.#originals.map((each, index) => [each, this.#copies[index] as object]))
  }
}

function copied(value: object, copies: Copies | undefined, depth: number): object {
  if (depth > MAX_DEPTH) throw new TooDeepError()
  const known = copies?.of(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) return copyOfList(value, copies, depth)
  const prototype: object | null = Object.getPrototypeOf(value) as object | null
  if (prototype === Object.prototype || prototype === null) return copyOfFields(value, copies, depth)
  if (types.isDate(value)) return prototype === Date.prototype ? new Date(value.getTime()) : value
  if (ArrayBuffer.isView(value)) return copyOfBytes(value)
  if (types.isArrayBuffer(value)) return bytesOf(new Uint8Array(value)).buffer
  if (types.isMap(value)) return prototype === Map.prototype ? copyOfMap(value, copies, depth) : value
  if (types.isSet(value)) return prototype === Set.prototype ? copyOfSet(value, copies, depth) : value
  // A plain object of another realm, such as a sandbox.
  if (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')) return copyOfFields(value, copies, depth)
  return value
}

/** All fields at once, `__proto__` as a field like any other; then the nested ones. */
function copyOfFields(value: object, copies: Copies | undefined, depth: number): object {
  const copy: Record<string, unknown> = { ...value }
  if (typeof copy['toJSON'] === 'function') delete copy['toJSON']
  let around: Copies | undefined
  for (const key in copy) {
    const each = copy[key]
    if (typeof each !== 'object' || each === null || !Object.hasOwn(copy, key)) continue
    around ??= noted(copies, value, copy)
    copy[key] = copied(each, around, depth + 1)
  }
  return copy
}

function noted(copies: Copies | undefined, value: object, copy: object): Copies {
  const all = copies ?? new Copies()
  all.add(value, copy)
  return all
}

function copyOfList(value: readonly unknown[], copies: Copies | undefined, depth: number): readonly unknown[] {
  const { length } = value
  const copy = listFor(length)
  let around: Copies | undefined
  for (let index = 0; index < length; index++) {
    const each = value[index]
    if (typeof each === 'object' && each !== null) {
      around ??= noted(copies, value, copy)
      copy[index] = copied(each, around, depth + 1)
    } else copy[index] = each
  }
  return copy
}

/** A map or a set may have methods of its own: those of its class are used. */
function copyOfMap(value: Map<unknown, unknown>, copies: Copies | undefined, depth: number): Map<unknown, unknown> {
  const copy = new Map<unknown, unknown>()
  const around = noted(copies, value, copy)
  Map.prototype.forEach.call(value, (each, key) => copy.set(copyOfItem(key, around, depth), copyOfItem(each, around, depth)))
  return copy
}

function copyOfSet(value: Set<unknown>, copies: Copies | undefined, depth: number): Set<unknown> {
  const copy = new Set<unknown>()
  const around = noted(copies, value, copy)
  Set.prototype.forEach.call(value, (each) => copy.add(copyOfItem(each, around, depth)))
  return copy
}

function copyOfItem(value: unknown, copies: Copies, depth: number): unknown {
  return typeof value === 'object' && value !== null ? copied(value, copies, depth + 1) : value
}

type View = new (buffer: ArrayBuffer) => ArrayBufferView

/** Node 22 does not have it. */
const { Float16Array: Half } = globalThis as { readonly Float16Array?: View }

const VIEWS: readonly View[] = [
  ...[Uint8Array, Int8Array, Uint8ClampedArray, Uint16Array, Int16Array, Uint32Array, Int32Array],
  ...[Float32Array, Float64Array, BigUint64Array, BigInt64Array, DataView],
  ...(Half === undefined ? [] : [Half]),
]

/** Of a view that shares its memory with others, only its own part is copied. */
function copyOfBytes(view: ArrayBufferView): ArrayBufferView {
  const { buffer } = bytesOf(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
  if (Buffer.isBuffer(view)) return Buffer.from(buffer)
  const Same = VIEWS.find((each) => view instanceof each)
  return Same === undefined ? view : new Same(buffer)
}

function bytesOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes.length)
  copy.set(bytes)
  return copy
}
