import { ToolError } from '../errors/tool-error.ts'

/** What JSON can hold. */
export type JsonData = string | number | boolean | null | readonly JsonData[] | { readonly [key: string]: JsonData }

const TAG = '$toolwright'

type Tagged = { readonly [TAG]: string; readonly of: JsonData }

/**
 * A value as JSON data, losslessly: dates, big integers, maps, sets, bytes, undefined, NaN, infinities and -0 are tagged.
 * Functions, symbols, cycles and class instances are refused, with the place where they stand.
 */
export function encode(value: unknown): JsonData {
  return write(value, '$', [])
}

export function decode(data: JsonData): unknown {
  if (Array.isArray(data)) return data.map(decode)
  if (typeof data !== 'object' || data === null) return data
  if (Object.hasOwn(data, TAG)) return revive(data as Tagged)
  return Object.fromEntries(Object.entries(data).map(([key, each]) => [key, decode(each)]))
}

function write(value: unknown, path: string, above: readonly object[]): JsonData {
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
      return value === null ? null : writeObject(value, path, above)
    default:
      throw refuse(path, `a ${typeof value}`)
  }
}

function writeObject(value: object, path: string, above: readonly object[]): JsonData {
  if (above.includes(value)) throw refuse(path, 'a reference to itself')
  const here = [...above, value]
  if (Array.isArray(value)) return Array.from(value, (each, index) => write(each, `${path}[${index}]`, here))
  if (value instanceof Date) return tagged('date', Number.isNaN(value.getTime()) ? null : value.toISOString())
  if (value instanceof Uint8Array) return tagged('bytes', Buffer.from(value).toString('base64'))
  if (value instanceof Map)
    return tagged(
      'map',
      Array.from(value, ([key, each]) => [write(key, `${path}.key`, here), write(each, `${path}.value`, here)]),
    )
  if (value instanceof Set)
    return tagged(
      'set',
      Array.from(value, (each) => write(each, `${path}.value`, here)),
    )
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw refuse(path, `an instance of ${value.constructor.name}`)
  const fields = Object.entries(value).map(([key, each]): [string, JsonData] => [key, write(each, `${path}.${key}`, here)])
  const data = Object.fromEntries(fields)
  return Object.hasOwn(data, TAG)
    ? tagged(
        'object',
        fields.map(([key, each]) => [key, each]),
      )
    : data
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
    default:
      return undefined
  }
}

function tagged(type: string, of: JsonData): JsonData {
  return { [TAG]: type, of }
}

function refuse(path: string, what: string): ToolError {
  return new ToolError(`A durable run cannot keep ${what} at ${path}.`, { code: 'not_serializable', outcome: 'unknown' })
}
