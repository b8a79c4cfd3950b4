import type { ClientBase } from 'pg'
import type { Store } from '../../store/store.ts'
import { systemClock } from '../../tool/ports/clock.ts'
import { toMilliseconds } from '../../tool/duration.ts'
import type { Claiming, Claims, FetchedJob } from '../store/run-queue.ts'
import type { ToolLimit } from '../worker/tool-limit.ts'
import { claimRuns } from './claim-runs.ts'
import { AS_QUEUED, allowing, QUEUE, QUEUE_SCHEMA, queueing } from './queue-runs.ts'
import { releaseWithin } from './release-held-back.ts'

/** Claims the runs of jobs, as far as the limits of their tools allow; those beyond wait until one of their tool ends. */
export async function claimWithinLimits(store: Store, taking: Claiming): Promise<Claims> {
  const { jobs, limits } = taking
  const all: Claims[] = []
  const free = jobs.filter(({ tool }) => limits[tool] === undefined)
  if (free.length > 0) all.push(await claimRuns(store.pool, { ...taking, jobs: free }))
  for (const [tool, limit] of Object.entries(limits)) {
    const own = jobs.filter((job) => job.tool === tool)
    const takesSuspect = taking.takesSuspect && !all.some(({ runs }) => runs.length > 0)
    if (own.length === 0) continue
    // What was claimed before is not given up for it: these jobs are asked for again.
    const left = (error: unknown): Claims => {
      if (all.length === 0) throw error
      return { ...NOTHING, locked: own }
    }
    all.push(await takeLimited(store, { ...taking, jobs: own, takesSuspect }, { tool, limit }).catch(left))
  }
  return {
    runs: all.flatMap(({ runs }) => runs),
    locked: all.flatMap(({ locked }) => locked),
    over: all.flatMap(({ over }) => over),
    leavesSome: all.some(({ leavesSome }) => leavesSome),
  }
}

interface Limited {
  readonly limit: ToolLimit
  readonly tool: string
}

/** The ticket says that the job is still the one by which the run is to be taken up. */
const BEYOND = `WHERE id IN (
    SELECT r.id FROM unnest($1::text[], $2::int[]) AS j (run, ticket)
    JOIN toolwright.run r ON r.id = j.run AND r.ticket = j.ticket AND r.status ${allowing('holdBack')} FOR UPDATE OF r SKIP LOCKED
  )`

const HOLD_BACK = `UPDATE toolwright.run SET status = 'queued', held_back = true, worker = NULL, job = NULL, wake_at = NULL ${BEYOND} RETURNING id`

const POSTPONE = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = $3 ${BEYOND}`)

async function takeLimited(store: Store, taking: Claiming, limited: Limited): Promise<Claims> {
  const { claims, holdsBack } = await store.transaction((client) => takeAllowed(client, taking, limited))
  // What was claimed is claimed: the next beat makes good what fails here.
  if (holdsBack) await releaseWithin(store, limited.tool, limited.limit).catch(() => {})
  return claims
}

interface Allowed {
  readonly claims: Claims
  readonly holdsBack: boolean
}

async function takeAllowed(client: ClientBase, taking: Claiming, { tool, limit }: Limited): Promise<Allowed> {
  const { jobs, leaseMs } = taking
  const allowed = await allowance(client, { tool, limit, leaseMs, runs: jobs.map(({ run }) => run) })
  // Somebody else counts: what is fetched is asked for again.
  if (allowed === undefined) return { claims: { ...NOTHING, locked: jobs }, holdsBack: false }
  const { runs, againAt, unlimited } = allowed
  const counted = jobs.filter(({ run }) => !unlimited.has(run))
  const now = [...jobs.filter(({ run }) => unlimited.has(run)), ...counted.slice(0, runs)]
  const later = counted.slice(Math.min(runs, counted.length))
  const claims = now.length === 0 ? NOTHING : await claimRuns(client, { ...taking, jobs: now })
  if (later.length === 0) return { claims, holdsBack: false }
  const beyond = [later.map(({ run }) => run), later.map(({ ticket }) => ticket)]
  const { rows } = await (againAt === undefined
    ? client.query<{ id: string }>(HOLD_BACK, beyond)
    : client.query<{ id: string }>(POSTPONE, [...beyond, againAt]))
  const left = new Set(rows.map(({ id }) => id))
  const isLeft = ({ run }: FetchedJob): boolean => left.has(run)
  // One that could not be left is stale, or somebody holds it: the next claim tells.
  const over = [...claims.over, ...later.filter(isLeft)]
  const locked = [...claims.locked, ...later.filter((job) => !isLeft(job))]
  return { claims: { ...claims, over, locked }, holdsBack: againAt === undefined && left.size > 0 }
}

const NOTHING: Claims = { runs: [], locked: [], over: [], leavesSome: false }

/** How many runs of the tool may be taken up now, and otherwise when to look again. The transaction keeps other workers from counting. */
interface Allowance {
  readonly runs: number
  readonly againAt: Date | undefined
  /** Those that were cancelled: they begin nothing new, and have to end. */
  readonly unlimited: ReadonlySet<string>
}

interface Allowing {
  readonly tool: string
  readonly limit: ToolLimit
  /** Those that are to be taken up. */
  readonly runs: readonly string[]
  readonly leaseMs: number
}

const ALONE = `SELECT pg_try_advisory_xact_lock(hashtextextended('toolwright.limit ' || $1, 0)) AS is_alone`

/** Those that are to be taken up do not count, nor those whose worker has been silent for too long: they will be taken up too. */
const UNDER_WAY = `
SELECT count(*)::int AS count FROM toolwright.run r
JOIN ${QUEUE_SCHEMA}.job j ON j.name = '${QUEUE}' AND j.id = r.job AND j.state = 'active' AND j.heartbeat_on > now() - $3::float8 * interval '1 ms'
WHERE r.status = 'running' AND r.tool = $1 AND r.ended_at IS NULL AND NOT r.id = ANY($2::text[])`

const STARTED = `
SELECT count(*)::int AS count, min(started_at) AS oldest FROM toolwright.run
WHERE tool = $1 AND started_at > now() - $2::float8 * interval '1 ms' AND NOT id = ANY($3::text[])`

/** Undefined while somebody else counts. */
async function allowance(client: ClientBase, { tool, limit, runs: taken, leaseMs }: Allowing): Promise<Allowance | undefined> {
  const { rows: alone } = await client.query<{ is_alone: boolean }>(ALONE, [tool])
  if (alone[0]?.is_alone !== true) return undefined
  const { rows: cancelled } = await client.query<{ id: string }>(
    'SELECT id FROM toolwright.run WHERE id = ANY($1::text[]) AND cancel IS NOT NULL',
    [taken],
  )
  const { concurrency, rate } = limit
  let runs = Infinity
  let againAt: Date | undefined
  if (concurrency !== undefined) {
    const { rows } = await client.query<{ count: number }>(UNDER_WAY, [tool, taken, leaseMs])
    runs = Math.min(runs, concurrency - (rows[0]?.count ?? 0))
  }
  if (rate !== undefined) {
    const window = toMilliseconds(rate.per, 'A rate')
    const { rows } = await client.query<{ count: number; oldest: Date | null }>(STARTED, [tool, window, taken])
    const left = rate.count - (rows[0]?.count ?? 0)
    if (left < runs) runs = left
    if (left <= 0) againAt = new Date((rows[0]?.oldest?.getTime() ?? systemClock.now()) + window)
  }
  return { runs: Math.max(0, runs), againAt, unlimited: new Set(cancelled.map(({ id }) => id)) }
}
