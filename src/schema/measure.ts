/** The deepest value that is checked, copied, masked and shown. */
export const MAX_DEPTH = 200

/** Beyond this depth the options of unions inside unions may multiply. */
const SHALLOW = 6

const MOST_NODES = (1 << 24) - 1
const HAS_NULL = 1 << 24
const IS_DEEP = 1 << 25
const IS_ENDLESS = 1 << 26
const HAS_LONG_TEXT = 1 << 27

/** Beyond this length a pattern of a library may take long. */
const LONG_TEXT = 256

const MOST_FIELDS = 100

/** Stands for the size of a flat value. */
export const FLAT = 1

/**
 * Whether a value has few fields, none of them an object, null or a long text, or is no object at all. Most inputs are flat, and every call uses this: it
 * is short, so that the compiler puts it into its caller, which it would not do with the full measure.
 */
export function isFlat(value: unknown): boolean {
  if (typeof value !== 'object') return !isLongText(value)
  if (value === null || Array.isArray(value)) return false
  let fields = 0
  for (const key in value) {
    const each = (value as Record<string, unknown>)[key]
    if (typeof each === 'object' || isLongText(each) || ++fields > MOST_FIELDS) return false
  }
  return true
}

/**
 * The size of a value, in one number: how many values it has in it, whether one is null, whether a text is long, whether it is deep, and
 * whether it is too deep or too large to be walked through.
 */
export function measure(value: unknown, depth = 0): number {
  if (typeof value !== 'object') return sizeOfSimple(value)
  if (value === null) return 1 | HAS_NULL
  if (depth > MAX_DEPTH) return 1 | IS_DEEP | IS_ENDLESS
  let size = depth > SHALLOW ? IS_DEEP | 1 : 1
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const each: unknown = value[index]
      size = typeof each === 'object' ? sum(size, measure(each, depth + 1)) : sum(size, sizeOfSimple(each))
      if ((size & IS_ENDLESS) !== 0) return size
    }
    return size
  }
  for (const key in value) {
    const each = (value as Record<string, unknown>)[key]
    size = typeof each === 'object' ? sum(size, measure(each, depth + 1)) : sum(size, sizeOfSimple(each))
    if ((size & IS_ENDLESS) !== 0) return size
  }
  return size
}

function sizeOfSimple(value: unknown): number {
  return isLongText(value) ? 1 | HAS_LONG_TEXT : 1
}

function isLongText(value: unknown): boolean {
  return typeof value === 'string' && value.length > LONG_TEXT
}

function sum(a: number, b: number): number {
  const nodes = (a & MOST_NODES) + (b & MOST_NODES)
  const marks = (a | b) & ~MOST_NODES
  return nodes > MOST_NODES ? MOST_NODES | marks | IS_ENDLESS : nodes | marks
}

export function nodesIn(size: number): number {
  return size & MOST_NODES
}

/** Whether a value contains a null; one that is too deep may contain one. */
export function mayHaveNull(size: number): boolean {
  return (size & (HAS_NULL | IS_ENDLESS)) !== 0
}

export function hasLongText(size: number): boolean {
  return (size & HAS_LONG_TEXT) !== 0
}

export function isDeep(size: number): boolean {
  return (size & IS_DEEP) !== 0
}

/** Whether a value has more values in it than so many, is deep or has a long text. Its marks are higher bits than any number of values. */
export function exceeds(size: number, nodes: number): boolean {
  return (size & ~HAS_NULL) > nodes
}

/** It is nested too deeply, refers to itself or has millions of values in it. */
export function isEndless(size: number): boolean {
  return (size & IS_ENDLESS) !== 0
}
