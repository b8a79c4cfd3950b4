import type { Outcome } from '../errors/tool-error.ts'
import type { Provenance } from '../result/result.ts'
import type { Call } from './call.ts'
import type { LabelCounts } from '../path.ts'

export const NO_CALLS: readonly Call[] = []

/** State that few calls need; made on first use. */
export class LazyState {
  attempt = 1
  generation = 0
  keyedBy: string | undefined
  patches: Map<string, Promise<boolean>> | undefined
  labels: LabelCounts | undefined
  id: string | undefined
  path: string | undefined
  provenance: Provenance | undefined
  usage: { tokens: number; costUsd: number } | undefined
  onIdle: (() => void) | undefined
  asking = 0
  startedAt = 0
  replayed = false
  isUndone = false
  isShielded = false
  hidden: readonly Call[] = NO_CALLS
  fatalOutcome: Outcome | undefined
}
