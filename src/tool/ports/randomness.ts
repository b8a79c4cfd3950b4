/** A random number from 0 to 1, where the caller of a run gives no other source. */
export function systemRandom(): number {
  return Math.random()
}

/** An id that nobody else has. */
export function systemId(): string {
  return crypto.randomUUID()
}
