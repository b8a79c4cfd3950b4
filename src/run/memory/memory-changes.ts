import { allows, isFinal } from '../state/run-state.ts'
import type { Parked, Parking, Pruning, RunChanges } from '../store/run-changes.ts'
import { keepArtifact, writeEntry } from './memory-journal.ts'
import { type MemoryEntry, type MemoryRun, type MemoryTables, timeLeft } from './memory-tables.ts'

/** How runs change their status, in memory. */
export function memoryChanges(tables: MemoryTables): RunChanges {
  const resume = (run: MemoryRun): void => {
    Object.assign(run, { deaths: 0, unable: [] })
    tables.queue(run)
  }
  return {
    park: async (parking) => park(tables, parking),
    end: async (claim, { status, result, why, artifact, last }) => {
      const run = tables.claimed(claim)
      if (run === undefined || !allows('end', run.status)) return run?.status === status
      const isOver = isFinal(status)
      if (!isOver && run.worker !== null) run.unable = [...run.unable, run.worker]
      if (artifact !== undefined) keepArtifact(tables, run.id, artifact)
      if (last !== undefined) writeEntry(tables, last)
      Object.assign(run, { status, result, why, worker: null, job: null, clockRunsSince: null, wakeAt: null })
      run.endedAt = isOver ? tables.now : null
      if (isOver) withdrawOpen(tables, run.id)
      tables.tellStatus(run.id, status, why)
      tables.notify('ended', run.id)
      tables.release(run.tool)
      return true
    },
    putBack: async (claim, { afterSeconds, unable } = {}) => {
      const run = tables.claimed(claim)
      const isQueued = run !== undefined && allows('putBack', run.status)
      if (isQueued) {
        Object.assign(run, { deaths: 0, unable: unable === undefined ? run.unable : [...run.unable, unable] })
        tables.queue(run, afterSeconds === undefined ? null : tables.now + afterSeconds * 1000)
      }
      tables.release(claim.tool)
      return isQueued
    },
    giveBack: async (ids, worker) => {
      for (const id of ids) {
        const run = tables.runs.get(id)
        if (run?.worker !== worker || !allows('putBack', run.status)) continue
        Object.assign(run, { deaths: 0, epoch: run.epoch + 1 })
        tables.queue(run)
      }
    },
    cancel: async (id, cancel) => {
      const run = tables.runs.get(id)
      if (run === undefined) return undefined
      if (run.endedAt !== null) return 'ended'
      run.cancel ??= cancel
      const isWaitingInQueue = run.status === 'queued' && !run.heldBack && run.wakeAt === null
      if (allows('cancel', run.status) && !isWaitingInQueue) tables.queue(run)
      else if (run.status === 'running') tables.notify('woken', id)
      withdrawOpen(tables, id, { keepShielded: true })
      return 'cancelled'
    },
    resume: async (id) => {
      const run = tables.runs.get(id)
      if (run === undefined || !allows('resume', run.status)) return run?.status
      resume(run)
      return 'resumed'
    },
    resumeBlocked: async ({ code, tool }) => {
      const blocked = [...tables.runs.values()].filter((run) => {
        if (!allows('resume', run.status) || (tool !== undefined && run.tool !== tool)) return false
        return code === undefined || (JSON.parse(run.why ?? '{}') as { readonly code?: string }).code === code
      })
      for (const run of blocked) resume(run)
      return blocked.length
    },
    retryCompensation: async (id, choose) => {
      const run = tables.runs.get(id)
      if (run === undefined) return false
      const entries = tables.entries.get(id) ?? new Map<string, MemoryEntry>()
      const decisions = [...entries.values()].filter(({ kind }) => kind === 'decision')
      const chosen = choose(
        run.status,
        decisions.map(({ path, data }) => ({ path, data: data ?? 'null' })),
      )
      for (const { path, data } of chosen) {
        const blank = { kind: 'decision', tool: null, key: null, inputHash: null, input: null, version: 0 }
        const times = { begunNo: tables.nextMoment(), endedNo: tables.nextMoment(), begunAt: tables.now, endedAt: tables.now }
        entries.set(path, { path, data, ...blank, ...times })
      }
      Object.assign(run, { result: null, cancel: null, deaths: 0 })
      tables.queue(run)
      return true
    },
    prune: async (pruning) => prune(tables, pruning),
  }
}

function withdrawOpen(tables: MemoryTables, run: string, { keepShielded = false } = {}): void {
  for (const approval of tables.approvals.values())
    if (approval.run === run && approval.status === 'open' && !(keepShielded && approval.isShielded)) tables.close(approval)
}

function park(tables: MemoryTables, { claim, open, sleepsUntil, isCancelled, isOutOfTime, why }: Parking): Parked {
  const run = tables.claimed(claim)
  if (run === undefined || !allows('park', run.status)) return { outcome: 'lost' }
  const requests = open.flatMap((id) => tables.approvals.get(id) ?? [])
  const decided = requests.flatMap(({ id, decision }) => (decision === null ? [] : [{ id, decision }]))
  const cancel = isCancelled ? null : run.cancel
  if (cancel !== null || decided.length > 0) return { outcome: 'refused', decided, cancel }
  const { now } = tables
  const deadline = isOutOfTime || run.clockRunsSince === null || run.timeLeftMs === null ? Infinity : run.clockRunsSince + run.timeLeftMs
  const expiries = requests.map(({ expiresAt }) => expiresAt ?? Infinity)
  const next = Math.min(sleepsUntil === undefined ? Infinity : Math.min(sleepsUntil, deadline), ...expiries)
  const wakeAt = next === Infinity ? null : Math.max(next, now)
  if (sleepsUntil === undefined) run.timeLeftMs = timeLeft(run, now)
  if (sleepsUntil === undefined) run.clockRunsSince = null
  Object.assign(run, { status: 'waiting', worker: null, job: null, why, deaths: 0, unable: [], wakeAt })
  run.ticket++
  if (wakeAt !== null) tables.sendJob(run)
  tables.tellStatus(run.id, 'waiting', why)
  tables.notify('written', run.id)
  tables.release(run.tool)
  return { outcome: 'parked', wakeAt: wakeAt ?? undefined }
}

function prune(tables: MemoryTables, { statuses, olderThanMs, keep }: Pruning): number {
  const ended = [...tables.runs.values()]
    .flatMap((run) => (run.endedAt !== null && statuses.includes(run.status) ? [{ id: run.id, endedAt: run.endedAt }] : []))
    .toSorted((a, b) => b.endedAt - a.endedAt || (a.id < b.id ? 1 : -1))
  const oldest = olderThanMs === undefined ? -Infinity : tables.now - olderThanMs
  const doomed = ended.filter(({ endedAt }, index) => endedAt < oldest || (keep !== undefined && index >= keep))
  for (const { id } of doomed) tables.remove(id)
  if (olderThanMs !== undefined)
    for (const [id, { run, status, closedAt }] of tables.approvals)
      if (run === null && status !== 'open' && (closedAt ?? Infinity) < oldest) tables.approvals.delete(id)
  return doomed.length
}
