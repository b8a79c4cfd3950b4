import type { Program } from '../programs/program.ts'
import type { NetworkPlan } from './network.ts'
import type { PlacePlan } from './place.ts'
import type { UpgradeKind } from '../programs/row.ts'

/** What can be waited for: a claim, a run that waits, an effect, a saga that begins to be undone. */
export type Happening = 'claimed' | 'parked' | 'effect' | 'undoing'

/** A moment: so long after the n-th statement, or after the n-th time that something happens, or else after the beginning. */
export interface Moment {
  readonly afterStatements?: number
  readonly afterHappening?: { readonly what: Happening; readonly times: number }
  readonly afterMs: number
}

/** One run, and what people want of it. */
export interface RunPlan {
  readonly program: Program
  readonly startAfterMs?: number
  /** By a process that has a worker; without it, by one that has none. */
  readonly isStartedByWorker?: boolean
  readonly deadlineMs?: number
  readonly cancel?: Moment
  /** People are asked about unknown outcomes, and tell the truth. */
  readonly asksOutcome?: boolean
}

/** What befalls a worker, or the database. `stop` is a worker that is asked to end. */
export type Fault = Moment &
  (
    | { readonly kind: 'kill' | 'stop' | 'restart' }
    | { readonly kind: 'pause' | 'clock'; readonly ms: number }
    /** Each of its tasks takes longer, from then on. */
    | { readonly kind: 'slow'; readonly ms: number }
  )

/** What people decide. */
interface PeoplePlan {
  readonly action: 'continue' | 'reject' | 'stop'
  readonly afterMs: number
  /** So many decide each request, at about the same time. */
  readonly deciders: number
  /** Somebody is named for each request first. */
  readonly assigns?: boolean
}

interface LimitPlan {
  readonly concurrency: number
  /** The first worker alone knows of it. */
  readonly isOnFirstOnly: boolean
}

/** A world, as data. The seed gives the order of what happens in it. */
export interface Plan {
  readonly seed: number
  readonly runs: readonly RunPlan[]
  /** All runs are of the tool of the first one. */
  readonly isOneTool?: boolean
  readonly workers: number
  /** Where workers run, by turns; without it, each runs on a machine of its own. */
  readonly places?: readonly PlacePlan[]
  readonly people: PeoplePlan
  readonly network: NetworkPlan
  readonly faults: readonly Fault[]
  readonly limit?: LimitPlan
  /** Longer paths are refused by the database. */
  readonly longestPath?: number
  /** A task may keep its process busy for about so long. */
  readonly busyMs?: number
  /** Workers after the first have another version of the programs. */
  readonly upgrade?: UpgradeKind
  readonly isEncrypted?: boolean
}
