import { digest } from '../../tool/journal/hash.ts'
import { systemId } from '../../tool/ports/randomness.ts'
import { decided, decideOnce, record } from '../../tool/seam/recorded.ts'
import { isDurable, runIdOf, type Whole } from '../../tool/seam/whole.ts'
import type { Answered } from './claim-key.ts'

/** The recorded answer of the store to a run: the key is its own, or the state of another call. */
export type Finding =
  | Exclude<Answered, { readonly state: 'mine' }>
  | { readonly state: 'own' }
  /** The store could not be asked, and nothing was called. */
  | { readonly state: 'failed'; readonly message: string }

const CLAIM = ':claim'
const HOLDER = ':holder'

/** Undefined if nothing is recorded yet: then the key must be claimed. */
export function recordedFinding(whole: Whole): Finding | undefined {
  return decided<Finding>(whole, CLAIM)?.value
}

/** Written before any result that depends on it. */
export function recordFinding(whole: Whole, finding: Finding): Promise<void> {
  return record(whole, CLAIM, finding, finding.state === 'own' ? 'unknown' : 'not_started')
}

/**
 * A resumed run is the same holder and gets its own claim again; a second attempt is another holder. A durable run is identified by its key
 * and path, any other by a unique id, even if a test supplies ids. The holder is recorded before the claim: a run that ends before its next
 * step returns here and releases the key.
 */
export function holderOf(whole: Whole): Promise<string> {
  return decideOnce(whole, HOLDER, () => (isDurable(whole) ? digest(`${runIdOf(whole)}\n${whole.path}`) : systemId()))
}
