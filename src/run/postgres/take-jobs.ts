import type { ClientBase } from 'pg'
import { type Claiming, claimRuns, type Claims } from './claim-runs.ts'
import { releaseWithin } from './release-held-back.ts'
import type { FetchedJob } from './run-queue.ts'
import type { RunsContext } from '../runs-context.ts'
import { allowance } from '../worker/tool-limit.ts'
import type { ToolLimit, ToolLimits } from '../worker/tool-limit.ts'
import { AS_QUEUED, queueing } from './queue-runs.ts'

export interface Taking extends Claiming {
  readonly limits: ToolLimits
  /** Beyond which a worker that is silent counts as dead. */
  readonly leaseMs: number
}

/** Claims the runs of jobs, as far as the limits of their tools allow; those beyond wait until one of their tool ends. */
export async function takeJobs(context: RunsContext, taking: Taking): Promise<Claims> {
  const { jobs, limits } = taking
  const all: Claims[] = []
  const free = jobs.filter(({ tool }) => limits[tool] === undefined)
  if (free.length > 0) all.push(await claimRuns(context.store.pool, { ...taking, jobs: free }))
  for (const [tool, limit] of Object.entries(limits)) {
    const own = jobs.filter((job) => job.tool === tool)
    const takesSuspect = taking.takesSuspect && !all.some(({ runs }) => runs.length > 0)
    if (own.length === 0) continue
    // What was claimed before is not given up for it: these jobs are asked for again.
    const left = (error: unknown): Claims => {
      if (all.length === 0) throw error
      return { ...NOTHING, locked: own }
    }
    all.push(await takeLimited(context, { ...taking, jobs: own, takesSuspect }, { tool, limit }).catch(left))
  }
  context.reach('run.claimed')
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
    JOIN toolwright.run r ON r.id = j.run AND r.ticket = j.ticket AND r.status IN ('queued', 'waiting', 'running') FOR UPDATE OF r SKIP LOCKED
  )`

const HOLD_BACK = `UPDATE toolwright.run SET status = 'queued', held_back = true, worker = NULL, job = NULL, wake_at = NULL ${BEYOND} RETURNING id`

const POSTPONE = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = $3 ${BEYOND}`)

async function takeLimited(context: RunsContext, taking: Taking, limited: Limited): Promise<Claims> {
  const { claims, holdsBack } = await context.store.transaction((client) => takeAllowed(client, taking, limited))
  // What was claimed is claimed: the next beat makes good what fails here.
  if (holdsBack) await releaseWithin(context, limited.tool, limited.limit).catch(() => {})
  return claims
}

interface Allowed {
  readonly claims: Claims
  readonly holdsBack: boolean
}

async function takeAllowed(client: ClientBase, taking: Taking, { tool, limit }: Limited): Promise<Allowed> {
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
