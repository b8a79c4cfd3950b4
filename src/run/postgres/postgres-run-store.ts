import type { AppStore } from '../../store/app-store.ts'
import { migrate } from '../../store/migrate.ts'
import { boardMigrations, postgresBoards } from '../../store/postgres-boards.ts'
import type { Store } from '../../store/store.ts'
import { systemClock } from '../../tool/ports/clock.ts'
import type { OpeningRunStore, RunNotices, RunStore } from '../store/run-store.ts'
import { enterApp, hasFormerRuns } from './apps.ts'
import { postgresApprovals } from './approvals.ts'
import { cancelRun } from './cancel-run.ts'
import { endRun } from './end-run.ts'
import { JobQueue } from './job-queue.ts'
import { postgresJournal } from './journal.ts'
import { claimWithinLimits } from './limited-claims.ts'
import { Notices } from './notices.ts'
import { parkRun } from './park-run.ts'
import { isPassing } from './passing-error.ts'
import { pruneRuns } from './prune-runs.ts'
import { giveBack, putBack, recoverRuns, resumeBlocked, resumeRun, retryCompensation } from './queue-again.ts'
import { postgresReading } from './read-runs.ts'
import { releaseStranded, releaseWithin } from './release-held-back.ts'
import { postgresRunKeys } from './run-keys.ts'
import { runMigrations } from './run-tables.ts'
import { startRun } from './start-run.ts'
import { announce, forget, othersMayGoOn } from './workers.ts'

const FORMER_RUNS =
  'This database also holds runs of a version that knew no apps, in its schema toolwright. They belong to no app: nothing goes on with them, and no command shows them. Finish them with that version, or remove them: DROP SCHEMA toolwright, toolwright_queue CASCADE.'

/** Brings the tables of an app up to date, and opens its runs. The database stays the caller's to close. */
export async function openPostgresRuns(store: AppStore, { app, hasWorker, warn }: OpeningRunStore): Promise<RunStore> {
  await migrate(store.pool, runMigrations, 'toolwright.runs')
  await migrate(store.pool, boardMigrations, 'toolwright.boards')
  if ((await enterApp(store, app)) && (await hasFormerRuns(store))) warn(FORMER_RUNS)
  let isClosed = false
  const jobs = await JobQueue.open(store, hasWorker, (error) => {
    if (!isClosed) warn(`The queue of runs has trouble: ${error.message}`)
  })
  const notices = new Notices(store)
  await notices.open()
  const close = async (): Promise<void> => {
    isClosed = true
    await Promise.all([notices.close(), jobs.close()])
  }
  return { ...postgresRunStore({ store, jobs, notices }), boards: postgresBoards(store.pool, notices), close }
}

export interface PostgresRunParts {
  readonly store: Store
  readonly jobs: JobQueue
  readonly notices: RunNotices
}

/** The port on a PostgreSQL whose tables are there. */
export function postgresRunStore({ store, jobs, notices }: PostgresRunParts): RunStore {
  return {
    ...postgresJournal(store),
    ...postgresApprovals(store),
    ...postgresReading(store),
    start: (run, worker) => startRun(store, run, worker),
    fetch: (most) => jobs.fetch(most),
    touch: (held) => jobs.touch(held),
    complete: (done) => jobs.complete(done),
    leave: (left) => jobs.leave(left),
    claim: (claiming) => claimWithinLimits(store, claiming),
    releaseHeldBack: async (limits) => {
      await releaseStranded(store)
      for (const [tool, limit] of Object.entries(limits)) await releaseWithin(store, tool, limit)
    },
    recover: (codes) => recoverRuns(store, codes),
    announce: (worker) => announce(store, worker),
    forget: (worker) => forget(store, worker),
    othersMayGoOn: (run, worker) => othersMayGoOn(store, run, worker),
    park: (parking) => parkRun(store, parking),
    end: (claim, ending) => endRun(store, claim, ending),
    putBack: (claim, options) => putBack(store, claim, options),
    giveBack: (runs, worker) => giveBack(store, runs, worker),
    cancel: (id, cancel) => cancelRun(store, id, cancel),
    resume: (id) => resumeRun(store, id),
    resumeBlocked: (which) => resumeBlocked(store, which),
    retryCompensation: (id, choose) => retryCompensation(store, id, choose),
    prune: (pruning) => pruneRuns(store, pruning),
    on: notices.on,
    clock: systemClock,
    idempotency: postgresRunKeys(store.pool),
    isPassing,
    close: () => Promise.resolve(),
  }
}
