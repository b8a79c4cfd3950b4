import type { DeciderRule } from '../deciders.ts'
import type { Outcome } from '../errors/tool-error.ts'
import type { Provenance } from '../result/result.ts'
import type { LabelCounts } from '../path.ts'
import type { Logger } from '../ports/logger.ts'

export const NO_CALLS: readonly never[] = []

/** State that few calls need; made on first use. It is not kept in weak maps by call: an entry in one takes longer than a whole call. */
export class LazyState<Part> {
  attempt = 1
  generation = 0
  keyedBy: string | undefined
  patches: Map<string, Promise<boolean>> | undefined
  labels: LabelCounts | undefined
  id: string | undefined
  path: string | undefined
  log: Logger | undefined
  /** The view of its input in the request that is being decided. */
  shown: unknown
  provenance: Provenance | undefined
  usage: { tokens: number; costUsd: number } | undefined
  onIdle: (() => void) | undefined
  asking = 0
  replayed = false
  isUndone = false
  isShielded = false
  isRetried = false
  hidden: readonly Part[] = NO_CALLS
  fatalOutcome: Outcome | undefined
  /** The names of the secrets that it, or a call inside, has read. */
  secretNames: Set<string> | undefined
  /** The input with which its function began, where a person may be asked about it. */
  accepted: { readonly input: unknown } | undefined
  /** The rules of the approvals that it was given, where they name who decides. */
  approvedUnder: readonly DeciderRule[] | undefined
}
