import { PgBoss } from 'pg-boss'
import { MemoryRunDatabase } from '../../src/run/memory/memory-run-store.ts'
import { QUEUE_SCHEMA } from '../../src/run/postgres/queue-runs.ts'
import type { JournalRow } from '../../src/run/store/journal-store.ts'
import type { Claiming, ClaimedRun, FetchedJob, NewRun } from '../../src/run/store/run-queue.ts'
import type { RunStore } from '../../src/run/store/run-store.ts'
import type { Store } from '../../src/store/store.ts'
import { fakeClock } from '../../src/testing/fake-clock.ts'
import type { ReviewRequest } from '../../src/tool/review.ts'
import { durableRuns } from '../fixtures/run/durable-runs.ts'

export const LEASE_MS = 10_000

/** A store, and what the two of them do in different ways. */
export interface Scene {
  readonly store: RunStore
  /** Another process on the same store. */
  readonly other: () => Promise<RunStore>
  /** The store of another app in the same database. */
  readonly ofApp: (name: string) => Promise<RunStore>
  /** Time goes on. */
  readonly pass: (ms: number) => Promise<void>
}

/** How to open an empty one, by its name. To be called where a test file begins. */
export function scenes(): readonly (readonly [name: string, open: () => Promise<Scene>])[] {
  const postgres = durableRuns()
  const connect = (app?: string): ReturnType<typeof postgres.open> => postgres.open([], { app, worker: false })
  return [
    [
      'memory',
      async () => {
        const clock = fakeClock()
        const database = new MemoryRunDatabase({ clock, leaseMs: LEASE_MS })
        const connectAs = (name: string): RunStore => database.connect({ name, environment: 'test' })
        return {
          store: connectAs('own'),
          other: async () => connectAs('own'),
          ofApp: async (name) => connectAs(name),
          pass: clock.advance,
        }
      },
    ],
    [
      'PostgreSQL',
      async () => {
        const { context, store } = await connect()
        return {
          store: context.store,
          other: async () => (await connect()).context.store,
          ofApp: async (name) => (await connect(name)).context.store,
          pass: (ms) => shift(store, ms),
        }
      },
    ],
  ]
}

/** All that has happened lies so much further back, and the queue looks for jobs whose holder has been silent. */
async function shift({ pool }: Store, ms: number): Promise<void> {
  const columns = {
    'toolwright.run': ['wake_at', 'clock_runs_since', 'created_at', 'started_at', 'ended_at'],
    'toolwright.approval': ['requested_at', 'expires_at', 'closed_at'],
    'toolwright.worker': ['seen_at'],
    [`${QUEUE_SCHEMA}.job`]: ['start_after', 'heartbeat_on', 'started_on'],
  }
  for (const [table, names] of Object.entries(columns))
    await pool.query(`UPDATE ${table} SET ${names.map((name) => `${name} = ${name} - interval '${ms} ms'`).join(', ')}`)
  await pool.query(`UPDATE ${QUEUE_SCHEMA}.queue SET monitor_on = NULL, monitor_claim_on = NULL`)
  const db = { executeSql: async (text: string, values?: unknown[]) => pool.query(text, values) }
  const boss = new PgBoss({ db, schema: QUEUE_SCHEMA, schedule: false, supervise: false, migrate: false })
  await boss.start()
  await boss.supervise()
  await boss.stop({ graceful: false })
}

let runs = 0

export function newRun(more: Partial<NewRun> = {}): NewRun {
  const id = `run-${String(++runs).padStart(4, '0')}`
  const texts = { tool: 'pay', version: '0.0.0', plan: '"plan"', input: '"in"', inputHash: 'hash', options: '{}' }
  return { id, key: null, ...texts, timeLeftMs: null, startAt: null, ...more }
}

/** Starts a run and gives its id. */
export async function started(store: RunStore, more?: Partial<NewRun>): Promise<string> {
  const run = newRun(more)
  const { outcome } = await store.start(run)
  if (outcome !== 'started') throw new Error('The run was not started.')
  return run.id
}

export const claiming = (jobs: readonly FetchedJob[], more: Partial<Claiming> = {}): Claiming => ({
  ...{ jobs, worker: 'w', takesSuspect: true, limits: {}, leaseMs: LEASE_MS },
  ...more,
})

export interface Taken {
  readonly run: ClaimedRun
  readonly job: FetchedJob
}

/** Fetches and claims the one run that is queued. */
export async function take(store: RunStore, more?: Partial<Claiming>): Promise<Taken> {
  const jobs = await store.fetch(10)
  const { runs: claimed } = await store.claim(claiming(jobs, more))
  const [first] = claimed
  if (first === undefined || claimed.length !== 1) throw new Error(`One run was to be claimed, and not ${claimed.length}.`)
  return first
}

/** Starts a run and takes it. */
export async function running(store: RunStore, more?: Partial<NewRun>): Promise<Taken> {
  await started(store, more)
  return take(store)
}

let versions = 0

export function entry({ id: run, epoch }: Pick<ClaimedRun, 'id' | 'epoch'>, path: string, more: Partial<JournalRow> = {}): JournalRow {
  const columns = { kind: 'call', tool: 'pay', key: 'k', inputHash: 'h', input: '1', data: null }
  return { run, epoch, path, version: ++versions, ...columns, begunAt: 1, endedAt: null, ...more }
}

/** A row that asks a person. */
export function question(
  run: ClaimedRun,
  id: string,
  more: Partial<JournalRow> & { readonly timeoutMs?: number; readonly isShielded?: boolean } = {},
): JournalRow {
  const { timeoutMs, isShielded = false, path = `pay/${id}`, ...columns } = more
  const request = { id, path, tool: 'pay', kind: 'approval', ...(timeoutMs === undefined ? {} : { timeoutMs }) } as unknown as ReviewRequest
  const sealed = JSON.stringify(request)
  return entry(run, path, { kind: 'review', data: sealed, review: { change: 'asked', request, sealed, isShielded }, ...columns })
}

export const parking = (
  run: ClaimedRun,
  more: {
    readonly open?: readonly string[]
    readonly sleepsUntil?: number
    readonly isCancelled?: boolean
    readonly isOutOfTime?: boolean
  } = {},
): Parameters<RunStore['park']>[0] => ({
  ...{
    claim: run,
    open: [],
    sleepsUntil: undefined,
    isCancelled: false,
    isOutOfTime: false,
    why: '{"code":"person","message":"It waits."}',
  },
  ...more,
})

/** Starts a run that asks a person and waits for the answer. */
export async function waiting(store: RunStore, request: string): Promise<ClaimedRun> {
  const { run, job } = await running(store)
  await store.write([question(run, request)])
  await store.park(parking(run, { open: [request] }))
  await store.complete([job])
  return run
}

export const decision = (request: string, run: string | null, by = 'ann'): Parameters<RunStore['decide']>[0] => ({
  ...{ request, run, path: `pay/${request}` },
  decision: JSON.stringify({ action: 'continue', by }),
  entry: JSON.stringify({ decided: by }),
  ballotNo: 0,
})

export const ending = (status: 'completed' | 'blocked' | 'failed' = 'completed'): Parameters<RunStore['end']>[1] => ({
  status,
  result: status === 'blocked' ? null : '{"ok":true}',
  why: status === 'completed' ? null : '{"code":"plan_changed","message":"It has changed."}',
})
