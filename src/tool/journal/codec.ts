import { isToolError, ToolError } from '../errors/tool-error.ts'

/** JSON data. */
export type JsonData = string | number | boolean | null | readonly JsonData[] | { readonly [key: string]: JsonData }

const TAG = '$toolwright'
const MAX_DEPTH = 1000

type Tagged = { readonly [TAG]: string; readonly of: JsonData }

/**
 * A value as JSON data, losslessly: dates, big integers, maps, sets, bytes, undefined, NaN, infinities and -0 are tagged.
 * Functions, symbols, cycles, accessors and class instances are refused, with their path.
 */
export function encode(value: unknown): JsonData {
  return isData(value) ? value : write(value, { path: '$', above: new Set() })
}

/** The inverse of `encode`. */
export function decode(data: JsonData): unknown {
  if (Array.isArray(data)) return data.map(decode)
  if (typeof data !== 'object' || data === null) return data
  if (Object.hasOwn(data, TAG)) return revive(data as Tagged)
  const value: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(data)) put(value, key, decode(each))
  return value
}

/** Sets a field, also one named `__proto__`. */
function put<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  else target[key] = value
}

/** Whether a value is written as it is: most fields are, and need no path for a message. */
function isData(value: unknown): value is string | number | boolean | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    default:
      return value === null
  }
}

interface Place {
  readonly path: string
  /** The objects that hold this one. */
  readonly above: Set<object>
}

function write(value: unknown, place: Place): JsonData {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : tagged('number', Object.is(value, -0) ? '-0' : String(value))
    case 'bigint':
      return tagged('bigint', String(value))
    case 'undefined':
      return tagged('undefined', null)
    case 'object':
      return value === null ? null : enter(value, place)
    default:
      throw refuse(place.path, `a ${typeof value}`)
  }
}

function enter(value: object, place: Place): JsonData {
  const { path, above } = place
  if (above.has(value)) throw refuse(path, 'a reference to itself')
  if (above.size >= MAX_DEPTH) throw refuse(path, `more than ${MAX_DEPTH} levels of nesting`)
  above.add(value)
  try {
    return writeObject(value, place)
  } catch (error) {
    if (isToolError(error)) throw error
    throw refuse(path, 'an object that cannot be read', error)
  } finally {
    above.delete(value)
  }
}

function writeObject(value: object, { path, above }: Place): JsonData {
  const part = (each: unknown, step: string): JsonData => write(each, { path: path + step, above })
  if (Array.isArray(value)) {
    if (className(value) !== 'Array') throw refuse(path, `an instance of ${className(value)}`)
    const items: JsonData[] = []
    for (const [index, each] of (value as readonly unknown[]).entries()) items.push(isData(each) ? each : part(each, `[${index}]`))
    return items
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return writeInstance(value, path, part)
  const fields = writeFields(value, path, part)
  if (fields.some(([key]) => needsCare(key))) return tagged('object', fields)
  const data: Record<string, JsonData> = {}
  for (const [key, each] of fields) put(data, key, each)
  return data
}

type WritePart = (each: unknown, step: string) => JsonData

function writeInstance(value: object, path: string, part: WritePart): JsonData {
  if (isInherited(value)) throw refuse(path, `an instance of ${className(value)}`)
  if (value instanceof Date) return tagged('date', Number.isNaN(value.getTime()) ? null : value.toISOString())
  if (value instanceof Uint8Array) return tagged('bytes', Buffer.from(value).toString('base64'))
  if (value instanceof Map) {
    const entries = Array.from(value, ([key, each], index) => [part(key, `.keys[${index}]`), part(each, `.values[${index}]`)])
    return tagged('map', entries)
  }
  if (value instanceof Set) {
    const items = Array.from(value, (each, index) => part(each, `.values[${index}]`))
    return tagged('set', items)
  }
  throw refuse(path, `an instance of ${className(value)}`)
}

/**
 * Keys that must not be written as keys: our own tag, and those that JSON writes with an escape. Of the latter, V8 reads some as a backslash
 * once it has met a backslash as a key (nodejs/node#63785).
 */
export function needsCare(key: string): boolean {
  return !/^\w+$/.test(key) && (key === TAG || /["\\\p{Cc}\p{Cs}]/u.test(key))
}

/** The fields of an object that is written as a list of them. */
export function listedFields(data: object): readonly (readonly [string, JsonData])[] | undefined {
  return TAG in data && data[TAG] === 'object' ? ((data as Tagged).of as readonly (readonly [string, JsonData])[]) : undefined
}

function writeFields(value: object, path: string, part: WritePart): readonly (readonly [string, JsonData])[] {
  const fields: [string, JsonData][] = []
  for (const key of Reflect.ownKeys(value)) {
    const field = Object.getOwnPropertyDescriptor(value, key)
    if (field?.enumerable !== true) continue
    if (typeof key === 'symbol') throw refuse(path, `a field named by a symbol (${String(key)})`)
    if (!('value' in field)) throw refuse(`${path}.${key}`, 'an accessor')
    const { value: each } = field as { readonly value: unknown }
    fields.push([key, isData(each) ? each : part(each, `.${key}`)])
  }
  return fields
}

function revive({ [TAG]: type, of }: Tagged): unknown {
  const items = Array.isArray(of) ? of : []
  const pairs = items as readonly (readonly [JsonData, JsonData])[]
  switch (type) {
    case 'number':
      return Number(of)
    case 'bigint':
      return BigInt(of as string)
    case 'date':
      return new Date(of === null ? Number.NaN : (of as string))
    case 'bytes':
      return new Uint8Array(Buffer.from(of as string, 'base64'))
    case 'map':
      return new Map(pairs.map(([key, each]) => [decode(key), decode(each)]))
    case 'set':
      return new Set(items.map(decode))
    case 'object':
      return Object.fromEntries(pairs.map(([key, each]) => [key, decode(each)]))
    case 'undefined':
      return undefined
    default:
      throw new ToolError(`The record holds a value of an unknown kind: ${JSON.stringify(type)}.`, {
        code: 'journal_failed',
        retryable: false,
        outcome: 'unknown',
        hint: 'It was written by another version. Resume the run with that version, or begin a new one.',
      })
  }
}

function tagged(type: string, of: JsonData): JsonData {
  return { [TAG]: type, of }
}

/** An instance of a subclass of a date, a map or a set would lose its class. */
function isInherited(value: object): boolean {
  const kind = KINDS.find((each) => value instanceof each)
  return kind !== undefined && className(value) !== kind.name
}

const KINDS = [Date, Map, Set]

function className(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown }
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'a class'
}

function refuse(path: string, what: string, cause?: unknown): ToolError {
  return new ToolError(`A durable run cannot keep ${what} at ${path}.`, {
    code: 'not_serializable',
    outcome: 'unknown',
    ...(cause === undefined ? {} : { cause }),
  })
}
