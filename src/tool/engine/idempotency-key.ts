import { digest } from '../journal/hash.ts'
import type { Call } from './call.ts'

/** The same for every attempt at a step: made of the run, or a key that a caller gave, and the path from there without attempts. */
export function idempotencyKeyOf(call: Call): string {
  return digest(keyed(call))
}

function keyed({ label, generation, keyedBy, parent, root }: Call): string {
  const own = generation > 0 ? `${label}!${generation}` : label
  if (keyedBy !== undefined) return `${keyedBy}\n${own}`
  return parent === undefined ? `${root.runId}\n${own}` : `${keyed(parent)}/${own}`
}
