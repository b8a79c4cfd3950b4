/** Everything that is done to workers, to the database and to what is between them. */
export type FaultName =
  | 'workersKilled'
  /** Asked to end, with another one started beside it. */
  | 'workersRestarted'
  | 'workersPaused'
  /** For longer than a worker may be silent before its runs are given to others. */
  | 'workersPausedBeyondLease'
  | 'databaseKilled'
  | 'connectionsCut'
  | 'connectionsDelayed'
  /** Open on both ends, and nothing passes any more. */
  | 'connectionsSilenced'
  /** What was asked for was done, and the answer did not come. */
  | 'repliesLost'
  | 'newcomersRefused'
  /** Let in, and never answered. */
  | 'newcomersUnanswered'

interface FaultRate {
  /** The mean time between two of them. */
  readonly meanMs: number
  /** There are no more after so many. */
  readonly most?: number
}

/** Which faults there are, and how often. */
export type FaultPlan = Readonly<Partial<Record<FaultName, FaultRate>>>

/** Profiles that mix faults; `upgrade` has a torture of its own. */
export type FaultProfile = 'kills' | 'proxy' | 'mixed'

/** The faults of each profile. */
export const FAULT_PROFILES: Readonly<Record<FaultProfile, FaultPlan>> = {
  kills: {
    workersKilled: { meanMs: 1500 },
    workersRestarted: { meanMs: 9000 },
    workersPaused: { meanMs: 5000 },
    workersPausedBeyondLease: { meanMs: 15_000 },
    databaseKilled: { meanMs: 8000 },
  },
  proxy: {
    workersKilled: { meanMs: 15_000 },
    connectionsCut: { meanMs: 1500 },
    connectionsDelayed: { meanMs: 5000 },
    connectionsSilenced: { meanMs: 5000 },
    repliesLost: { meanMs: 1000 },
    newcomersRefused: { meanMs: 9000 },
    newcomersUnanswered: { meanMs: 9000 },
  },
  mixed: {
    workersKilled: { meanMs: 4000 },
    workersRestarted: { meanMs: 12_000 },
    workersPaused: { meanMs: 6000 },
    workersPausedBeyondLease: { meanMs: 20_000 },
    databaseKilled: { meanMs: 15_000 },
    connectionsCut: { meanMs: 3000 },
    connectionsDelayed: { meanMs: 8000 },
    connectionsSilenced: { meanMs: 9000 },
    repliesLost: { meanMs: 2000 },
    newcomersRefused: { meanMs: 15_000 },
    newcomersUnanswered: { meanMs: 15_000 },
  },
}
