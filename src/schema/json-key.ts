import { isPlainRecord } from './json-schema.ts'
import type { Meter } from './meter.ts'

/** `{ ... }` or `[ ... ]`: values that are compared by their parts. */
export function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** A text that two objects or lists share only if they are the same JSON. Instances of classes are the same only as themselves, dates by their time. */
export function jsonKey(value: object, meter: Meter): string {
  meter.spend(STEPS_PER_COMPOSITE)
  if (Array.isArray(value)) {
    meter.spend(value.length)
    return `[${value.map((each: unknown) => partKey(each, meter)).join()}]`
  }
  if (!isPlainRecord(value)) return value instanceof Date ? `date ${value.getTime()}` : `instance ${numberOf(value)}`
  const fields = Object.keys(value).toSorted()
  meter.spend(fields.length * STEPS_PER_FIELD)
  return `{${fields.map((field) => `${JSON.stringify(field)}:${partKey(value[field], meter)}`).join()}}`
}

const CHARACTERS_PER_STEP = 64
/** The text of an object or a list is built piece by piece. */
const STEPS_PER_COMPOSITE = 10
const STEPS_PER_FIELD = 3

function partKey(value: unknown, meter: Meter): string {
  if (typeof value === 'string') {
    meter.spend(1 + Math.floor(value.length / CHARACTERS_PER_STEP))
    return JSON.stringify(value)
  }
  return isComposite(value) ? jsonKey(value, meter) : String(value)
}

const numbers = new WeakMap<object, number>()
let last = 0

function numberOf(instance: object): number {
  let number = numbers.get(instance)
  if (number === undefined) numbers.set(instance, (number = ++last))
  return number
}
