import type { Call } from '../../tool/engine/call.ts'
import { decideAt, diverged } from '../../tool/engine/decide.ts'
import { readEntry, writeEntry } from '../../tool/engine/journal-access.ts'
import { digest } from '../../tool/journal/hash.ts'
import { decode, encode } from '../../tool/journal/codec.ts'
import type { Journal } from '../../tool/journal/journal.ts'
import type { Answered } from './claim-key.ts'

/** What a run found out about its key: that its own call stands, or what it was told of another one. */
export type Finding =
  | Exclude<Answered, { readonly state: 'mine' }>
  | { readonly state: 'own' }
  /** The store could not be asked, and nothing was called. */
  | { readonly state: 'failed'; readonly message: string }

/** Undefined where nothing is recorded yet: the key is to be claimed, for the first time or once more. */
export function recordedFinding(call: Call): Finding | undefined {
  const path = placeOf(call)
  const entry = readEntry(call, path)
  if (entry === undefined) return undefined
  if (entry.kind !== 'decision') throw diverged(call, path, 'a claim on a key', `a ${entry.kind}`)
  return decode(entry.value) as Finding
}

/** Written before anybody sees what follows from it. */
export async function recordFinding(call: Call, finding: Finding): Promise<void> {
  const { journal } = call
  if (journal === undefined) return
  const outcome = finding.state === 'own' ? 'unknown' : 'not_started'
  await writeEntry(call, { kind: 'decision', path: placeOf(call), value: encode(finding) }, outcome)
}

/**
 * A run that is taken up again is the same holder and gets its own claim back; a second attempt is another one. A durable run is known by
 * its own key and path. Any other has an id that no other caller can have, whatever ids a test hands in. It is recorded before the claim: a
 * run that ends before its next step comes by here once more, and gives the key back.
 */
export function holderOf(call: Call): Promise<string> {
  const isLasting = isDurable(call.journal)
  return decideAt(call, `${call.path}:holder`, () => (isLasting ? digest(`${call.root.runId}\n${call.path}`) : crypto.randomUUID()))
}

/** Whoever keeps such a journal takes up whatever was begun. */
export function isDurable(journal: Journal | undefined): boolean {
  return journal?.durable === true
}

function placeOf({ path }: Call): string {
  return `${path}:claim`
}
