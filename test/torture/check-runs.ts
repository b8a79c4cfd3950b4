import type { StoredReview } from '../../src/run/revive-entry.ts'
import type { Store } from '../../src/store/store.ts'
import type { Taken } from './decider-process.ts'
import type { EffectRecord } from './effect-order.ts'
import type { StartedRun } from './started-run.ts'
import { verdictOn } from './verdict.ts'

/** Everything that should not be. */
export interface Losses {
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly notUndone: readonly string[]
  readonly approvalsLost: readonly string[]
}

export interface Ended {
  readonly store: Store
  readonly started: readonly StartedRun[]
  readonly records: readonly EffectRecord[]
  /** The decisions that were taken, as those know who made them. */
  readonly taken: readonly Taken[]
}

/** Compares the database and the ledger with what was to be expected of the runs that were acknowledged. */
export async function checkRuns({ store, started, records, taken }: Ended): Promise<Losses> {
  const { rows } = await store.pool.query<{ id: string; status: string; why: string | null }>('SELECT id, status, why FROM toolwright.run')
  const runs = new Map(rows.map((row) => [row.id, row]))
  const byRun = Map.groupBy(records, ({ run }) => run)
  const verdicts = started.map(({ shape, input, id, wasCancelled }) => {
    const { status = 'gone', why = null } = runs.get(id) ?? {}
    const verdict = verdictOn({ shape, input, status, wasCancelled, records: byRun.get(input.run) ?? [] })
    return { ...verdict, lost: verdict.lost.map((each) => `${id} ${each} ${why ?? ''}`) }
  })
  const strangers = rows.length === started.length ? [] : [`${rows.length} runs are there, and ${started.length} were started`]
  return {
    lost: [...strangers, ...verdicts.flatMap(({ lost }) => lost)],
    twice: verdicts.flatMap(({ twice }) => twice),
    notUndone: verdicts.flatMap(({ notUndone }) => notUndone),
    approvalsLost: await lostApprovals(store, taken),
  }
}

/** A decision that was taken stands in the journal of its run, as that of whoever made it, and was taken from one person only. */
async function lostApprovals({ pool }: Store, taken: readonly Taken[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ run: string; path: string; data: string }>(
    "SELECT run, path, data FROM toolwright.entry WHERE kind = 'review'",
  )
  const decided = new Map(rows.map(({ run, path, data }) => [`${run} ${path}`, (JSON.parse(data) as StoredReview).decision?.by]))
  const twice = [...Map.groupBy(taken, ({ id }) => id)].filter(([, takers]) => takers.length > 1)
  return [
    ...twice.map(([id]) => `The request '${id}' was decided twice.`),
    ...taken
      .filter(({ run, path, by }) => decided.get(`${run} ${path}`) !== by)
      .map(({ id, run, path, by }) => `The decision of ${by} on '${id}' is not in run '${run}' at '${path}'.`),
  ]
}
