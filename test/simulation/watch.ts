import { MARKER } from './marker.ts'
import type { OnCommit } from './memory-database.ts'
import type { NetworkPlan } from './network.ts'
import type { ApprovalRow, EntryRow, JobRow, RunRow, TableName, Tables } from './tables.ts'
import { isRenamed } from './upgrade-program.ts'
import type { World } from './world.ts'

const FINAL = new Set(['completed', 'failed', 'cancelled', 'stopped'])

/** Whoever was heard of within this time is alive: a run is not taken from them. */
const HEARD_OF_MS = 4_000
/** In a world where only workers die, some run of a tool that has work goes on within this time, and within a lease more for each further death. */
const STANDSTILL_MS = 20_000
const LEASE_MS = 10_000
/** Whoever can see that a process is no more takes its runs within this time: a look at the queue, and some statements on a good way. */
const SEEN_GONE_MS = 6_000
/** Of a job that was not fetched before. */
const FIRST_ATTEMPT = 0
/** Answers that take longer make more of it. */
const A_SLOW_ANSWER_MS = 50

/** Sees every row as it is committed, and says at once what must never be. */
export class Watch {
  readonly problems = new Set<string>()
  /** How often each run was claimed for nothing: nothing of it was recorded until the next claim. */
  readonly deaths = new Map<string, number>()
  /** What befell workers and the database. */
  faults = 0
  readonly #world: World
  readonly #over = new Set<string>()
  readonly #claimedIdly = new Set<string>()
  /** When each run was last heard of by whoever has it. */
  readonly #heardOf = new Map<string, number>()
  /** Under which attempt of its job each run was claimed last. */
  readonly #attempts = new Map<string, number | undefined>()
  #movedAt = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Every run was started, and has ended or stands still for good. */
  get isAllOver(): boolean {
    const { plan, people } = this.#world
    if (this.#over.size < plan.runs.length || people.started.length < plan.runs.length) return false
    return plan.upgrade === undefined || [...this.#world.database.tables.run.values()].every((run) => !this.#world.mayGoOn(run))
  }

  readonly onCommit: OnCommit = (table, before, after) => {
    if (this.#world.plan.isEncrypted === true && after !== undefined) this.#checkSecrets(table, after)
    if (after === undefined) return
    if (table === 'run') this.#onRun(before as RunRow | undefined, after as RunRow)
    else if (table === 'entry') this.#onEntry(after as EntryRow)
    else if (table === 'approval') this.#onApproval(before as ApprovalRow | undefined, after as ApprovalRow)
    else if (table === 'job') this.#onJob(before as JobRow | undefined, after as JobRow)
  }

  #onRun(before: RunRow | undefined, after: RunRow): void {
    const { id, status, epoch, ticket } = after
    const { now } = this.#world.scheduler
    if (FINAL.has(status) || status === 'blocked') this.#over.add(id)
    else this.#over.delete(id)
    if (before === undefined) {
      this.#movedAt = now
      if (status === 'running') this.#noteClaim(id, FIRST_ATTEMPT)
      return
    }
    // Nobody was waiting for its time but itself.
    if (before.wake_at !== null) this.#movedAt = now
    if (status === 'running' && epoch > before.epoch) this.#onClaim(before, after)
    if (status !== before.status) this.#onStatus(before, after)
    if (epoch < before.epoch) this.problems.add('the epoch of a run fell')
    if (ticket < before.ticket) this.problems.add('the ticket of a run fell')
    if (before.cancel !== null && after.cancel !== before.cancel) this.problems.add('a cancellation changed')
  }

  #onClaim({ id, status, worker: before }: RunRow, after: RunRow): void {
    const { worker, job } = after
    const { now } = this.#world.scheduler
    // Who was not told that it has the run asks for it again. Who stands still, or was asked to end, leaves its jobs to others.
    const isLeft = (before === worker && this.#mayBeUntold) || !this.#world.isWell(before ?? '')
    if (status === 'running' && !isLeft && now - (this.#heardOf.get(id) ?? -Infinity) < HEARD_OF_MS)
      this.problems.add('a run was taken from a worker that was alive')
    if (status === 'running' && this.#isLeftTooLong({ id, worker: before }, { worker, job }))
      this.problems.add('a run of a process that was no more waited for a worker that could see it')
    this.#moves(now)
    this.#noteClaim(id, this.#world.database.tables.job.get(after.job ?? '')?.attempt)
  }

  #noteClaim(id: string, attempt: number | undefined): void {
    if (this.#claimedIdly.has(id)) this.deaths.set(id, (this.deaths.get(id) ?? 0) + 1)
    this.#claimedIdly.add(id)
    this.#heardOf.set(id, this.#world.scheduler.now)
    this.#attempts.set(id, attempt)
    this.#world.happen('claimed')
  }

  /** Who dies between the fetch and the claim is not named by the run: its silence is waited for. */
  #isLeftTooLong({ id, worker: before }: Pick<RunRow, 'id' | 'worker'>, { worker, job }: Pick<RunRow, 'worker' | 'job'>): boolean {
    const { network, faults } = this.#world.plan
    if (isLossy(network) || network.slowMs > A_SLOW_ANSWER_MS || faults.some(({ kind }) => kind !== 'kill')) return false
    const attempt = this.#world.database.tables.job.get(job ?? '')?.attempt ?? 0
    return attempt - 1 === this.#attempts.get(id) && this.#world.sawGoneFor(worker ?? '', before ?? '') > SEEN_GONE_MS
  }

  /** Whether answers can be lost in this world. */
  get #mayBeUntold(): boolean {
    const { network, faults } = this.#world.plan
    const { unanswered, unansweredCommits, stuck, swallowed } = network
    return unanswered + unansweredCommits + stuck + swallowed > 0 || faults.some(({ kind }) => kind === 'restart' || kind === 'pause')
  }

  #onStatus(before: RunRow, { tool, status }: RunRow): void {
    this.#world.scheduler.note('run', `${tool} is ${status}`)
    if (FINAL.has(before.status)) this.problems.add(`a run that was ${before.status} became ${status}`)
    if (status === 'waiting') this.#world.happen('parked')
    if (status === 'blocked') this.#onBlocked(before.id)
    if (before.status === 'waiting' || status === 'waiting') this.#movedAt = this.#world.scheduler.now
    else if (status !== 'queued') this.#moves(this.#world.scheduler.now)
  }

  /** Another version cannot go on with what this one began: then it is left to a worker that can. */
  #onBlocked(id: string): void {
    const { plan, database } = this.#world
    if (plan.upgrade !== 'rename_step' && plan.upgrade !== 'rename_part') return
    const isOfFirstVersion = [...database.tables.entry.values()].every(({ run, path }) => run !== id || !isRenamed(path))
    if (isOfFirstVersion && this.#world.hasFirstVersion) this.problems.add('a run was blocked beside a worker that could go on')
  }

  #onEntry({ run, path, data }: EntryRow): void {
    if (path.endsWith(':saga') && data?.includes('"compensating"') === true) this.#world.happen('undoing')
    this.#claimedIdly.delete(run)
    this.#moves(this.#world.scheduler.now)
  }

  /** Where nothing but the death of a worker can hold runs up, they are not held up for long. */
  #moves(now: number): void {
    const { plan, database } = this.#world
    const gap = now - this.#movedAt
    this.#movedAt = now
    const longest = STANDSTILL_MS + LEASE_MS * Math.max(0, this.faults - 1)
    if (gap < longest || plan.limit === undefined || isLossy(plan.network)) return
    if (plan.faults.some(({ kind }) => kind !== 'kill')) return
    const isWorking = [...database.tables.run.values()].some(({ status, held_back }) => status === 'running' || held_back)
    if (isWorking) this.problems.add('all runs of a tool with a limit stood still')
  }

  #onApproval(before: ApprovalRow | undefined, after: ApprovalRow): void {
    if (before === undefined) return this.#world.people.hear(after)
    if (before.decision !== null && after.decision !== before.decision) this.problems.add('a decision changed')
    if (before.status !== 'open' && after.status !== before.status) {
      this.problems.add(`a request that was ${before.status} became ${after.status}`)
    }
  }

  #onJob(before: JobRow | undefined, { run, heartbeat, state, attempt }: JobRow): void {
    // Who has fetched the job and not got the run yet is not who has the run.
    if (attempt !== this.#attempts.get(run)) return
    const isTouched = before?.state === 'active' && state === 'active' && (heartbeat ?? 0) - (before.heartbeat ?? 0) < HEARD_OF_MS
    if (isTouched) this.#heardOf.set(run, this.#world.scheduler.now)
  }

  #checkSecrets(table: TableName, row: Tables[TableName]): void {
    for (const [column, value] of Object.entries(row) as [string, unknown][]) {
      if (typeof value === 'string' && value.includes(MARKER)) this.problems.add(`plain text in ${table}.${column}`)
    }
  }
}

/** Whether statements or their answers can be lost, or come much later. */
function isLossy({ lost, unanswered, unansweredCommits, stuck, swallowed }: NetworkPlan): boolean {
  return lost + unanswered + unansweredCommits + stuck + swallowed > 0
}
