/**
 * A promise that nobody settles, for calls of a segment that is over. Each caller gets its own: a shared one would keep everything that has
 * ever waited for it in memory, for as long as the process lives.
 */
export function never(): Promise<never> {
  return new Promise(() => {})
}
