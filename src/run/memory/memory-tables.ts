import type { CancelTimer, Clock } from '../../tool/ports/clock.ts'
import { newRunId } from '../host.ts'
import type { RunStatus } from '../state/run-state.ts'
import type { ApprovalRow } from '../store/approval-store.ts'
import type { ClaimedRun, FetchedJob, WorkerInfo } from '../store/run-queue.ts'
import type { EventRow, FullEntryRow, FullRunRow } from '../store/run-reading.ts'
import type { NoticeKind, NoticeListener } from '../store/run-store.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A run with what only the store knows of it. */
export type MemoryRun = Mutable<FullRunRow> & {
  epoch: number
  ticket: number
  job: string | null
  unable: readonly string[]
  deaths: number
  entriesSeen: number
  heldBack: boolean
  timeLeftMs: number | null
  /** Since when the clock of its deadline runs; null while it stands still. */
  clockRunsSince: number | null
  cancel: string | null
}

export type MemoryEntry = Mutable<FullEntryRow> & { begunNo: number; endedNo: number | null; version: number }

export type MemoryApproval = Mutable<ApprovalRow> & {
  readonly path: string
  readonly tool: string
  /** A shielded call asks: a cancelled run still waits for it. */
  readonly isShielded: boolean
  assigneePrint: string | null
}

export type MemoryJob = Mutable<FetchedJob> & {
  startAfter: number
  state: 'created' | 'active' | 'retry'
  /** When its holder was heard of last. */
  heartbeatAt: number
  /** The connection that has fetched it. */
  holder: object | undefined
}

export interface MemoryArtifact {
  readonly id: string
  readonly text: string
}

export interface MemoryWorker extends WorkerInfo {
  readonly seenAt: number
  readonly connection: object
}

export interface MemoryTablesOptions {
  readonly clock: Clock
  /** A holder of jobs that is silent for so long loses them. */
  readonly leaseMs: number
}

/** A worker counts as living for so many leases after it was heard of. */
const LIVING_LEASES = 1.5

/**
 * The tables of runs in memory, and the steps that transitions share. A transition is one synchronous function, so no other comes between its
 * steps. Listeners are told when it is over.
 */
export class MemoryTables {
  readonly clock: Clock
  readonly leaseMs: number
  readonly runs = new Map<string, MemoryRun>()
  readonly entries = new Map<string, Map<string, MemoryEntry>>()
  readonly approvals = new Map<string, MemoryApproval>()
  readonly events = new Map<string, EventRow[]>()
  readonly artifacts = new Map<string, Map<string, MemoryArtifact>>()
  readonly jobs = new Map<string, MemoryJob>()
  readonly workers = new Map<string, MemoryWorker>()
  readonly #listeners = new Map<object, Set<NoticeListener>>()
  #moment = 0
  #disarm: CancelTimer | undefined

  constructor({ clock, leaseMs }: MemoryTablesOptions) {
    this.clock = clock
    this.leaseMs = leaseMs
  }

  get now(): number {
    return this.clock.now()
  }

  /** Numbers what happens, in its order. */
  nextMoment(): number {
    return ++this.#moment
  }

  /** Opens and closes the ears of a connection. Jobs that are due later are told of as long as there is one. */
  connect(connection: object): void {
    this.#listeners.set(connection, new Set())
    this.#arm()
  }

  disconnect(connection: object): void {
    this.#listeners.delete(connection)
    if (this.#listeners.size === 0) this.#disarm?.()
  }

  listen(connection: object, listener: NoticeListener): () => void {
    this.#listeners.get(connection)?.add(listener)
    return () => this.#listeners.get(connection)?.delete(listener)
  }

  notify(kind: NoticeKind, subject = ''): void {
    queueMicrotask(() => {
      for (const listeners of [...this.#listeners.values()]) for (const listener of [...listeners]) listener(kind, subject)
    })
  }

  tell(run: string, type: string, data: string): void {
    const events = this.events.get(run) ?? []
    this.events.set(run, events)
    events.push({ no: this.nextMoment(), at: this.now, type, data })
  }

  tellStatus(run: string, status: RunStatus, why: string | null = null): void {
    this.tell(run, 'status', JSON.stringify({ status, ...(why === null ? {} : { why: JSON.parse(why) as unknown }) }))
  }

  /** The run gets a new ticket and a new job, due at once or later; the old ones no longer count. */
  requeue(run: MemoryRun, wakeAt: number | null = null): void {
    Object.assign(run, { status: 'queued', why: null, worker: null, heldBack: false, endedAt: null, wakeAt })
    run.ticket++
    this.sendJob(run)
  }

  /** As `requeue`, and everybody is told. */
  queue(run: MemoryRun, wakeAt: number | null = null): void {
    this.requeue(run, wakeAt)
    this.tellStatus(run.id, 'queued')
    if (wakeAt === null) this.notify('queued')
  }

  sendJob(run: MemoryRun): MemoryJob {
    const id = newRunId()
    run.job = id
    const { id: runId, tool, ticket } = run
    const job: MemoryJob = {
      ...{ id, run: runId, tool, ticket, attempt: 0 },
      ...{ startAfter: run.wakeAt ?? this.now, state: 'created', heartbeatAt: 0, holder: undefined },
    }
    this.jobs.set(id, job)
    this.#arm()
    return job
  }

  /** Whether a job can be fetched: it is due, and nobody has it, or its holder has been silent for the lease. */
  isFree({ state, startAfter, heartbeatAt }: MemoryJob): boolean {
    return state === 'active' ? heartbeatAt <= this.now - this.leaseMs : startAfter <= this.now
  }

  /** The job as its holder knows it; undefined where it is somebody else's by now. */
  held({ id, attempt }: FetchedJob): MemoryJob | undefined {
    const job = this.jobs.get(id)
    return job?.state === 'active' && job.attempt === attempt ? job : undefined
  }

  claimed({ id, epoch }: Pick<ClaimedRun, 'id' | 'epoch'>): MemoryRun | undefined {
    const run = this.runs.get(id)
    return run?.epoch === epoch ? run : undefined
  }

  /** Whether a worker was heard of a moment ago. */
  isLiving(worker: string | null): boolean {
    const seenAt = worker === null ? undefined : this.workers.get(worker)?.seenAt
    return seenAt !== undefined && seenAt > this.now - LIVING_LEASES * this.leaseMs
  }

  /** Whether a living worker may go on with the run, other than these. */
  hasAbleWorker({ tool, unable }: MemoryRun, except?: string): boolean {
    return [...this.workers.values()].some(
      ({ id, tools }) => id !== except && this.isLiving(id) && tools.includes(tool) && !unable.includes(id),
    )
  }

  /** Queues the oldest run of the tool that its limit held back, if there is one. */
  release(tool: string): boolean {
    const [oldest] = [...this.runs.values()]
      .filter((run) => run.heldBack && run.tool === tool && run.endedAt === null)
      .toSorted((a, b) => a.createdAt - b.createdAt)
    if (oldest === undefined) return false
    this.queue(oldest)
    return true
  }

  close(approval: MemoryApproval): void {
    approval.status = 'withdrawn'
    approval.closedAt = this.now
    this.notify('withdrawn', approval.id)
  }

  remove(run: string): void {
    for (const table of [this.runs, this.entries, this.events, this.artifacts]) table.delete(run)
    for (const [id, approval] of this.approvals) if (approval.run === run) this.approvals.delete(id)
  }

  /** Whether some run moves without a person or a time. */
  get isMoving(): boolean {
    if (this.workers.size === 0) return false
    return [...this.runs.values()].some(({ status, heldBack, wakeAt }) => {
      if (status === 'running') return true
      const isDue = (wakeAt ?? (status === 'queued' ? -Infinity : Infinity)) <= this.now
      return isDue && !heldBack && (status === 'queued' || status === 'waiting')
    })
  }

  #arm(): void {
    this.#disarm?.()
    this.#disarm = undefined
    if (this.#listeners.size === 0) return
    const { now } = this
    const next = Math.min(
      ...[...this.jobs.values()].flatMap(({ state, startAfter }) => (state !== 'active' && startAfter > now ? [startAfter] : [])),
    )
    if (next === Infinity) return
    this.#disarm = this.clock.timer(next - now, () => {
      this.notify('queued')
      this.#arm()
    })
  }
}

/** How much of its time a run has left now. */
export function timeLeft({ timeLeftMs, clockRunsSince }: MemoryRun, now: number): number | null {
  return timeLeftMs === null || clockRunsSince === null ? timeLeftMs : Math.max(0, timeLeftMs - (now - clockRunsSince))
}
