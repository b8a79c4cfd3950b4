const BRAND = Symbol.for('toolwright.error')

type Brand = 'configuration' | 'exit_early' | 'tool' | 'execution'

/** Marks an error so that two copies of the package recognise each other's. */
export function brand(error: Error, name: Brand): void {
  Object.defineProperty(error, BRAND, { value: name })
}

/** Never throws, even for an object that cannot be read. */
export function hasBrand(value: unknown, name: Brand): boolean {
  try {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === name
  } catch {
    return false
  }
}

const UNCLASSIFIED = Symbol.for('toolwright.unclassified')

/** Nobody has said what this error means, nor whether the effect happened before it. */
export function markUnclassified<E extends Error>(error: E): E {
  return Object.defineProperty(error, UNCLASSIFIED, { value: true })
}

export function isUnclassified(error: Error): boolean {
  return UNCLASSIFIED in error
}
