import type { Store } from '../../src/store/store.ts'
import type { Taken } from './decider-process.ts'
import type { EffectRecord } from './effect-order.ts'
import { lostApprovals } from './lost-approvals.ts'
import { recordedEntries } from './recorded-entries.ts'
import type { RunEnd, Verdict } from './run-end.ts'
import type { StartedRun } from './started-run.ts'

/** Everything that should not be. */
export interface Losses extends Verdict {
  readonly approvalsLost: readonly string[]
}

export interface Ended {
  readonly store: Store
  readonly started: readonly StartedRun[]
  readonly records: readonly EffectRecord[]
  /** The decisions that were taken, as those know who made them. */
  readonly taken: readonly Taken[]
}

const AT_ONCE = 500

/** Compares the database and the ledger with what was to be expected of the runs that were acknowledged. */
export async function checkRuns({ store, started, records, taken }: Ended): Promise<Losses> {
  const byRun = Map.groupBy(records, ({ run }) => run)
  const verdicts: Verdict[] = []
  for (let from = 0; from < started.length; from += AT_ONCE) {
    const some = started.slice(from, from + AT_ONCE)
    const ends = await readEnds(store, some)
    for (const { id, plan } of some) {
      const wasCutOff = { wasCancelled: plan.cancelAfterMs !== undefined, hadDeadline: plan.deadlineMs !== undefined }
      const end: RunEnd = { ...(ends.get(id) ?? GONE), ...wasCutOff, records: byRun.get(plan.name) ?? [] }
      verdicts.push(told(plan.judge(end), `${id} ${plan.name} ${plan.about}`, end))
    }
  }
  const { rows } = await store.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM toolwright.run')
  const count = rows[0]?.count ?? 0
  const strangers = count === started.length ? [] : [`${count} runs are there, and ${started.length} were started`]
  return {
    lost: [...strangers, ...verdicts.flatMap(({ lost }) => lost)],
    twice: verdicts.flatMap(({ twice }) => twice),
    notUndone: verdicts.flatMap(({ notUndone }) => notUndone),
    refusedWrongly: verdicts.flatMap(({ refusedWrongly }) => refusedWrongly),
    approvalsLost: await lostApprovals(store, taken),
  }
}

type StoredEnd = Pick<RunEnd, 'status' | 'why' | 'entries'>

const GONE: StoredEnd = { status: 'gone', entries: [] }

async function readEnds(store: Store, some: readonly StartedRun[]): Promise<ReadonlyMap<string, StoredEnd>> {
  const ids = some.map(({ id }) => id)
  const runs = await store.pool.query<{ id: string; status: string; why: string | null }>(
    'SELECT id, status, why FROM toolwright.run WHERE id = ANY($1::text[])',
    [ids],
  )
  const entries = await recordedEntries(store, ids)
  return new Map(
    runs.rows.map(({ id, status, why }) => [
      id,
      { status, why: why === null ? undefined : (JSON.parse(why) as RunEnd['why']), entries: entries.get(id) ?? [] },
    ]),
  )
}

function told({ lost, twice, notUndone, refusedWrongly }: Verdict, about: string, { status, why, records }: RunEnd): Verdict {
  const did = records.map(({ kind, effect }) => `${kind} ${effect}`).join(', ')
  const tell = (problems: readonly string[]): readonly string[] =>
    problems.map((problem) => `${about}: ${problem} (${status} ${why?.code ?? ''}) [${did}]`)
  return { lost: tell(lost), twice: tell(twice), notUndone: tell(notUndone), refusedWrongly: tell(refusedWrongly) }
}
