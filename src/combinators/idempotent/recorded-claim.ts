import { digest } from '../../tool/journal/hash.ts'
import { systemId } from '../../tool/randomness.ts'
import { decided, decideOnce, record } from '../../tool/seam/recorded.ts'
import { isDurable, runIdOf, type Whole } from '../../tool/seam/whole.ts'
import type { Answered } from './claim-key.ts'

/** What a run found out about its key: that its own call stands, or what it was told of another one. */
export type Finding =
  | Exclude<Answered, { readonly state: 'mine' }>
  | { readonly state: 'own' }
  /** The store could not be asked, and nothing was called. */
  | { readonly state: 'failed'; readonly message: string }

const CLAIM = ':claim'
const HOLDER = ':holder'

/** Undefined where nothing is recorded yet: the key is to be claimed, for the first time or once more. */
export function recordedFinding(whole: Whole): Finding | undefined {
  return decided<Finding>(whole, CLAIM)?.value
}

/** Written before anybody sees what follows from it. */
export function recordFinding(whole: Whole, finding: Finding): Promise<void> {
  return record(whole, CLAIM, finding, finding.state === 'own' ? 'unknown' : 'not_started')
}

/**
 * A run that is taken up again is the same holder and gets its own claim back; a second attempt is another one. A durable run is known by
 * its own key and path. Any other has an id that no other caller can have, whatever ids a test passes in. It is recorded before the claim: a
 * run that ends before its next step comes here once more, and gives the key back.
 */
export function holderOf(whole: Whole): Promise<string> {
  return decideOnce(whole, HOLDER, () => (isDurable(whole) ? digest(`${runIdOf(whole)}\n${whole.path}`) : systemId()))
}
