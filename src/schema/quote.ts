/** JSON that never throws: big integers become strings, maps and sets lists, errors their message; what cannot be written says so. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, each: unknown) => jsonable(each)) ?? ''
  } catch (error) {
    return `[a value that JSON cannot hold: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}]`
  }
}

function jsonable(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map || value instanceof Set) return [...value]
  if (value instanceof Error) return { name: value.name, message: value.message }
  return value
}

/** Cuts a text for display and says so; never splits a surrogate pair. */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed()
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most
  return `${text.slice(0, end).toWellFormed()}... (${text.length} characters)`
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

const LONGEST_QUOTE = 80

/** A value of any kind as an error message may show it: short, and never a throw. */
export function quote(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  return excerpt(typeof value === 'string' || typeof value === 'object' ? toJsonText(value) : String(value), LONGEST_QUOTE)
}

/** The kind and the size of a value, for a message that must not repeat it. */
export function kindAndSize(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `a string of ${counted(value.length, 'character')}`
  if (Array.isArray(value)) return `an array of ${counted(value.length, 'item')}`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
