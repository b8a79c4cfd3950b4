import type { PoolClient, QueryResult } from 'pg'
import type { Store } from '../../src/store/store.ts'
import { columnsOf, comparableRows } from './comparable-rows.ts'
import { jobsIn, NO_JOB, type ScenarioAnswer, type ScenarioOutcome, type ScenarioStep, withJobs } from './scenario.ts'
import { STATEMENTS } from './statements/find-statement.ts'
import type { Statement } from './statements/statement.ts'

interface Speaker {
  readonly client: PoolClient
  readonly pid: number
  /** The answer to a statement that waits. */
  waiting: Promise<ScenarioAnswer> | undefined
}

/** Plays a scenario on PostgreSQL, one connection for each name. */
export async function playOnPostgres(store: Store, steps: readonly ScenarioStep[]): Promise<readonly ScenarioOutcome[]> {
  const speakers = new Map<string, Speaker>()
  const outcomes: ScenarioOutcome[] = []
  try {
    for (const { on } of steps) if (!speakers.has(on)) speakers.set(on, await speakerOn(store))
    for (const step of steps) outcomes.push(await play(store, speakers, step))
    return outcomes
  } finally {
    for (const { client } of speakers.values()) client.release(true)
  }
}

async function speakerOn(store: Store): Promise<Speaker> {
  const client = await store.pool.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return { client, pid: rows[0]?.pid ?? 0, waiting: undefined }
}

async function play(store: Store, speakers: ReadonlyMap<string, Speaker>, { on, say, given = [] }: ScenarioStep): Promise<ScenarioOutcome> {
  const speaker = speakers.get(on)
  if (speaker === undefined) throw new Error(`Nobody is called '${on}'.`)
  const statement = STATEMENTS.find(({ name }) => name === say) ?? { name: say, text: say }
  const values = await withIds(speaker.client, given)
  speaker.waiting = speaker.client.query(statement.text, [...values]).then(
    (result) => answerOf(result, statement),
    (error: { code?: string }) => ({ error: String(error.code) }),
  )
  const own = await settled(store, speaker)
  const others: Record<string, ScenarioAnswer> = {}
  for (const [name, other] of speakers) {
    if (other === speaker || other.waiting === undefined) continue
    const answer = await settled(store, other)
    if (answer !== 'waits') others[name] = answer
  }
  return { own, others }
}

const FIND_JOB = "SELECT id FROM toolwright_queue.job WHERE data ->> 'run' = $1 AND (data ->> 'ticket')::int = $2"

async function withIds(client: PoolClient, given: readonly unknown[]): Promise<readonly unknown[]> {
  const ids = new Map<string, string>()
  for (const { jobOf, ticket } of jobsIn(given)) {
    const { rows } = await client.query<{ id: string }>(FIND_JOB, [jobOf, ticket])
    ids.set(`${jobOf} ${ticket}`, rows[0]?.id ?? NO_JOB)
  }
  return withJobs(given, ({ jobOf, ticket }) => ids.get(`${jobOf} ${ticket}`) ?? NO_JOB)
}

/** The answer, or that the connection waits for a lock. */
async function settled(store: Store, speaker: Speaker): Promise<ScenarioAnswer | 'waits'> {
  const { waiting, pid } = speaker
  if (waiting === undefined) return 'waits'
  for (;;) {
    const answer = await Promise.race([waiting, new Promise<'late'>((resolve) => setTimeout(resolve, 30, 'late'))])
    if (answer !== 'late') {
      speaker.waiting = undefined
      return answer
    }
    // Not by what it says of itself: one that was just given its lock still says that it waits.
    const { rows } = await store.pool.query<{ waits: boolean }>('SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits', [pid])
    if (rows[0]?.waits === true) return 'waits'
  }
}

function answerOf({ rows, rowCount }: QueryResult<object>, statement: Pick<Statement, 'name' | 'text'>): ScenarioAnswer {
  const columns = columnsOf(rows)
  return { rowCount: rowCount ?? 0, rows: columns.length === 0 ? [] : comparableRows(rows, columns, statement) }
}
