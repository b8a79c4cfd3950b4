import type { DeciderRule } from '../deciders.ts'
import type { Outcome } from '../errors/tool-error.ts'
import type { Provenance } from '../result/result.ts'
import type { LabelCounts } from '../path.ts'
import type { Logger } from '../ports/logger.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'

export const NO_CALLS: readonly never[] = []

/** A validated input that is not the given one. A default or a transform may have made secrets that the given input does not hold. */
export interface Validated {
  readonly input: unknown
  /** Undefined until a text about the call, or about one around it, is masked. */
  secrets: readonly string[] | undefined
}

/** The secrets that were found in the inputs of a call, and in those of the calls around it. */
export interface Searched {
  readonly given: unknown
  readonly validated: Validated | undefined
  readonly secrets: KnownSecrets
}

/** State that few calls need; made on first use. It is not kept in weak maps by call: an entry in one takes longer than a whole call. */
export class LazyState<Part> {
  attempt = 1
  generation = 0
  keyedBy: string | undefined
  hasNewKeys = false
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
  startedAt = 0
  replayed = false
  isUndone = false
  isShielded = false
  isRetried = false
  hidden: readonly Part[] = NO_CALLS
  fatalOutcome: Outcome | undefined
  /** Of an observed call. */
  validated: Validated | undefined
  searched: Searched | undefined
  /** The secrets of an ended call, with those of the calls inside. */
  secretsAtEnd: KnownSecrets | undefined
  /** The names of the secrets that it, or a call inside, has read. */
  secretNames: Set<string> | undefined
  /** The input with which its function began, where a person may be asked about it. */
  accepted: { readonly input: unknown } | undefined
  /** The rules of the approvals that it was given, where they name who decides. */
  approvedUnder: readonly DeciderRule[] | undefined
}
