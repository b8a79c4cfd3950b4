import { toMilliseconds } from '../../tool/duration.ts'
import { allows } from '../state/run-state.ts'
import { type ClaimedRun, type Claiming, type Claims, type FetchedJob, type RunQueue, SUSPECT_AFTER } from '../store/run-queue.ts'
import type { ToolLimit } from '../worker/tool-limit.ts'
import { type MemoryJob, type MemoryRun, type MemoryTables, timeLeft } from './memory-tables.ts'

const SUSPECT_AGAIN_MS = 1000
const FORGOTTEN_MS = 60_000
const A_DAY_MS = 24 * 60 * 60 * 1000

/** What a worker asks of the queue, in memory; `connection` is its process. */
export function memoryQueue(tables: MemoryTables, connection: object): RunQueue {
  const give = (job: MemoryJob): FetchedJob => {
    if (job.state !== 'created') job.attempt++
    Object.assign(job, { state: 'active', heartbeatAt: tables.now, holder: connection })
    const { id, run, tool, ticket, attempt } = job
    return { id, run, tool, ticket, attempt }
  }
  return {
    start: async ({ startAt, ...run }, worker) => {
      const owner = run.key === null ? undefined : [...tables.runs.values()].find(({ key }) => key === run.key)
      if (owner !== undefined) return { outcome: 'taken', by: { id: owner.id, tool: owner.tool, inputHash: owner.inputHash } }
      const { now } = tables
      const wakeAt = startAt !== null && startAt.getTime() > now ? startAt.getTime() : null
      const fresh: MemoryRun = {
        ...run,
        ...{ status: 'queued', why: null, epoch: 0, ticket: 0, worker: null, job: null, unable: [], deaths: 0, entriesSeen: 0 },
        ...{ heldBack: false, wakeAt, clockRunsSince: null, cancel: null, result: null, createdAt: now, startedAt: null, endedAt: null },
      }
      tables.runs.set(run.id, fresh)
      const sent = tables.sendJob(fresh)
      tables.tellStatus(run.id, 'queued')
      if (worker !== undefined) {
        const job = give(sent)
        return { outcome: 'started', taken: { run: claimRun(tables, fresh, { worker, job: job.id }), job } }
      }
      if (wakeAt === null) tables.notify('queued')
      return { outcome: 'started' }
    },
    fetch: async (most) => {
      const free = [...tables.jobs.values()].filter((job) => tables.isFree(job)).slice(0, most)
      return free.map(give)
    },
    touch: async (jobs) => {
      const held = jobs.flatMap((job) => tables.held(job) ?? [])
      for (const job of held) job.heartbeatAt = tables.now
      return new Set(held.map(({ id }) => id))
    },
    complete: async (jobs) => {
      for (const job of jobs) if (tables.held(job) !== undefined) tables.jobs.delete(job.id)
    },
    leave: async (jobs) => {
      for (const job of jobs) Object.assign(tables.held(job) ?? {}, { state: 'retry', holder: undefined })
    },
    claim: async (claiming) => {
      const { jobs, limits } = claiming
      let claims = claimRuns(tables, { ...claiming, jobs: jobs.filter(({ tool }) => limits[tool] === undefined) })
      for (const [tool, limit] of Object.entries(limits)) {
        const own = jobs.filter((job) => job.tool === tool)
        const takesSuspect = claiming.takesSuspect && claims.runs.length === 0
        if (own.length > 0) claims = both(claims, claimLimited(tables, { ...claiming, jobs: own, takesSuspect }, limit))
      }
      return claims
    },
    releaseHeldBack: async (limits) => {
      const open = [...tables.runs.values()].filter(({ endedAt }) => endedAt === null)
      const stranded = new Set(open.filter(({ heldBack }) => heldBack).map(({ tool }) => tool))
      for (const run of open) if (isGoing(run)) stranded.delete(run.tool)
      for (const tool of stranded) tables.release(tool)
      for (const [tool, limit] of Object.entries(limits)) releaseWithin(tables, tool, limit)
    },
    recover: async (codes) => {
      const since = tables.now - FORGOTTEN_MS
      for (const run of tables.runs.values()) if (isForgotten(tables, run, since) || isKnownAgain(tables, run, codes)) tables.queue(run)
    },
    announce: async (worker) => {
      const { now } = tables
      for (const [id, { seenAt }] of tables.workers) if (id !== worker.id && seenAt < now - A_DAY_MS) tables.workers.delete(id)
      tables.workers.set(worker.id, { ...worker, seenAt: now, connection })
    },
    forget: async (worker) => void tables.workers.delete(worker),
    othersMayGoOn: async (id, worker) => {
      const run = tables.runs.get(id)
      return run !== undefined && tables.hasAbleWorker(run, worker)
    },
  }
}

/** It is under way, or will be as soon as a worker has room. */
function isGoing({ status, heldBack, wakeAt, endedAt }: MemoryRun): boolean {
  return endedAt === null && !heldBack && (status === 'running' || (status === 'queued' && wakeAt === null))
}

function releaseWithin(tables: MemoryTables, tool: string, { concurrency }: ToolLimit): void {
  if (concurrency === undefined) return
  const going = [...tables.runs.values()].filter((run) => run.tool === tool && isGoing(run)).length
  for (let room = concurrency - going; room > 0 && tables.release(tool); room--);
}

/** The run of a job that can be taken up; undefined where the job means nothing any more. */
function runOf(tables: MemoryTables, job: FetchedJob, transition: 'claim' | 'holdBack'): MemoryRun | undefined {
  const run = tables.runs.get(job.run)
  return run?.ticket === job.ticket && allows(transition, run.status) ? run : undefined
}

function claimRuns(tables: MemoryTables, { jobs, worker, takesSuspect }: Claiming): Claims {
  const open = jobs.flatMap((job) => {
    const run = tables.held(job) === undefined ? undefined : runOf(tables, job, 'claim')
    if (run === undefined) return []
    const isUnable = run.unable.includes(worker) && tables.hasAbleWorker(run)
    return [{ job, run, isUnable, isSuspect: run.deaths >= SUSPECT_AFTER }]
  })
  const [suspect] = open.filter(({ isUnable, isSuspect }) => isSuspect && !isUnable).toSorted((a, b) => (a.run.id < b.run.id ? -1 : 1))
  const taken = open.filter((each) => !each.isUnable && (!each.isSuspect || (takesSuspect && each === suspect)))
  for (const { run, isUnable } of open.filter((each) => !taken.includes(each))) {
    tables.requeue(run, isUnable ? null : tables.now + SUSPECT_AGAIN_MS)
    if (isUnable) tables.notify('queued')
  }
  const claimed = taken.map(({ run, job }) => ({ run: claimRun(tables, run, { worker, job: job.id }), job }))
  const over = jobs.filter((job) => !claimed.some((each) => each.job === job))
  return { runs: claimed, locked: [], over, leavesSome: open.some(({ isUnable }) => isUnable) }
}

function claimRun(tables: MemoryTables, run: MemoryRun, { worker, job }: { readonly worker: string; readonly job: string }): ClaimedRun {
  const { now, clock } = tables
  run.timeLeftMs = timeLeft(run, now)
  Object.assign(run, { worker, job, status: 'running', why: null, wakeAt: null, heldBack: false })
  run.clockRunsSince = run.timeLeftMs === null ? null : now
  run.startedAt ??= now
  run.epoch++
  run.deaths++
  tables.tell(run.id, 'status', JSON.stringify({ status: 'running', worker }))
  tables.notify('written', run.id)
  const { id, epoch, ticket, tool, version, plan, input, options, cancel, timeLeftMs, deaths, entriesSeen } = run
  return {
    ...{ id, epoch, ticket, tool, version, plan, input, options, cancel, timeLeftMs, deaths, entriesSeen },
    clockBase: now - clock.tick(),
  }
}

function claimLimited(tables: MemoryTables, claiming: Claiming, limit: ToolLimit): Claims {
  const { jobs } = claiming
  const isUnlimited = ({ run }: FetchedJob): boolean => (tables.runs.get(run)?.cancel ?? null) !== null
  const counted = jobs.filter((job) => !isUnlimited(job))
  const { room, againAt } = allowance(tables, claiming, limit)
  const claims = claimRuns(tables, { ...claiming, jobs: [...jobs.filter(isUnlimited), ...counted.slice(0, room)] })
  const over: FetchedJob[] = []
  const locked: FetchedJob[] = []
  for (const job of counted.slice(Math.min(room, counted.length))) {
    const run = runOf(tables, job, 'holdBack')
    if (run === undefined) locked.push(job)
    else over.push(job)
    if (run === undefined) continue
    if (againAt === undefined) Object.assign(run, { status: 'queued', heldBack: true, worker: null, job: null, wakeAt: null })
    else tables.queue(run, againAt)
  }
  const [first] = over
  if (againAt === undefined && first !== undefined) releaseWithin(tables, first.tool, limit)
  return both(claims, { runs: [], locked, over, leavesSome: false })
}

interface Allowance {
  /** How many runs may be taken up now. */
  readonly room: number
  /** When to look again; undefined where the end of another run tells. */
  readonly againAt: number | undefined
}

/** The runs that are to be taken up do not count, nor those whose worker has been silent for the lease. */
function allowance(tables: MemoryTables, { jobs, leaseMs }: Claiming, { concurrency, rate }: ToolLimit): Allowance {
  const { now } = tables
  const tool = jobs[0]?.tool
  const others = [...tables.runs.values()].filter((run) => run.tool === tool && !jobs.some((job) => job.run === run.id))
  const underWay = others.filter(({ status, job: id }) => {
    const job = tables.jobs.get(id ?? '')
    return status === 'running' && job?.state === 'active' && job.heartbeatAt > now - leaseMs
  })
  let room = concurrency === undefined ? Infinity : concurrency - underWay.length
  let againAt: number | undefined
  if (rate !== undefined) {
    const window = toMilliseconds(rate.per, 'A rate')
    const started = others.flatMap(({ startedAt }) => (startedAt !== null && startedAt > now - window ? [startedAt] : []))
    room = Math.min(room, rate.count - started.length)
    if (rate.count <= started.length) againAt = Math.min(now, ...started) + window
  }
  return { room: Math.max(0, room), againAt }
}

function both(a: Claims, b: Claims): Claims {
  return {
    runs: [...a.runs, ...b.runs],
    locked: [...a.locked, ...b.locked],
    over: [...a.over, ...b.over],
    leavesSome: a.leavesSome || b.leavesSome,
  }
}

/** Nothing would ever take it up: a time that is long past, a job that is lost. */
function isForgotten(tables: MemoryTables, run: MemoryRun, since: number): boolean {
  if (run.endedAt !== null || run.heldBack || tables.jobs.has(run.job ?? '')) return false
  if (run.status === 'waiting') return (run.wakeAt ?? Infinity) < since
  return (run.status === 'queued' || run.status === 'running') && (run.startedAt ?? run.createdAt) < since
}

function isKnownAgain(tables: MemoryTables, run: MemoryRun, codes: readonly string[]): boolean {
  if (run.status !== 'blocked' || run.why === null) return false
  return codes.includes((JSON.parse(run.why) as { readonly code: string }).code) && tables.hasAbleWorker(run)
}
