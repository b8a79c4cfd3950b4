import type { Call } from './call.ts'

const edited = new WeakSet<Call>()

/** A reviewer has changed the input of this call. */
export function markEdited(call: Call): void {
  edited.add(call)
}

/** Whether a reviewer has changed the input of a call, or of a call inside it. */
export function wasEdited(call: Call): boolean {
  return edited.has(call) || call.allParts.some(wasEdited)
}
