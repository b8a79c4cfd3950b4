import { digest } from '../journal/hash.ts'
import type { Call } from './call.ts'

/** The same for every attempt at a step: made of the run, or a key that a caller gave, and the path from there without attempts. */
export function idempotencyKeyOf(call: Call): string {
  return digest(keyed(call))
}

function keyed(call: Call): string {
  const { label, generation, keyedBy, parent, root } = call
  const changed = generation > 0 ? `${label}!${generation}` : label
  const own = call.hasNewKeys && call.triedBefore > 0 ? `${changed}~${attemptsAt(call)}` : changed
  if (keyedBy !== undefined) return `${keyedBy}\n${own}`
  return parent === undefined ? `${root.runId}\n${own}` : `${keyed(parent)}/${own}`
}

/** Which attempt it is, and which attempts the calls around it are: a sum of them would be the same for different attempts. */
function attemptsAt({ rare, parent }: Call): string {
  const own = String(rare?.attempt ?? 1)
  return parent === undefined ? own : `${attemptsAt(parent)}.${own}`
}
