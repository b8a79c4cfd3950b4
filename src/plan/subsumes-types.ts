/** The types of JSON values as bits, so that a set of them is a number. An integer is a number. */
export const NULL = 1
export const BOOLEAN = 2
export const NUMBER = 4
export const STRING = 8
export const ARRAY = 16
export const OBJECT = 32
/** Every type there is. */
export const ALL_TYPES = 63

const BITS: Readonly<Record<string, number>> = {
  null: NULL,
  boolean: BOOLEAN,
  number: NUMBER,
  integer: NUMBER,
  string: STRING,
  array: ARRAY,
  object: OBJECT,
}

const WORDS: readonly (readonly [type: number, words: string])[] = [
  [STRING, 'a string'],
  [NUMBER, 'a number'],
  [BOOLEAN, 'a boolean'],
  [OBJECT, 'an object'],
  [ARRAY, 'an array'],
  [NULL, 'null'],
]

/** The types that a `type` keyword names. */
export function typesNamed(keyword: unknown): number {
  if (typeof keyword === 'string') return bitOf(keyword)
  if (!Array.isArray(keyword)) return ALL_TYPES
  return keyword.reduce((types: number, each: unknown) => types | (typeof each === 'string' ? bitOf(each) : 0), 0)
}

function bitOf(name: string): number {
  return Object.hasOwn(BITS, name) ? (BITS[name] ?? 0) : 0
}

/** The name of a type, as the `type` keyword has it. */
export function typeName(type: number): string {
  return Object.keys(BITS).find((name) => BITS[name] === type) ?? 'null'
}

/** The type of a value. */
export function typeOf(value: unknown): number {
  if (value === null) return NULL
  if (Array.isArray(value)) return ARRAY
  return bitOf(typeof value)
}

/** `a string or null` */
export function typesInWords(types: number): string {
  return inWords(WORDS.filter(([type]) => (types & type) !== 0).map(([, words]) => words))
}

/** `a, b or c` */
export function inWords(list: readonly string[]): string {
  return list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} or ${list.at(-1) ?? ''}`
}
