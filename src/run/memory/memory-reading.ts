import type { HappenedRow, RunReading, RunRow } from '../store/run-reading.ts'
import { rowOf } from './memory-approvals.ts'
import type { MemoryEntry, MemoryRun, MemoryTables } from './memory-tables.ts'

/** Reading of runs in memory. */
export function memoryReading(tables: MemoryTables): RunReading {
  const entriesOf = (run: string): readonly MemoryEntry[] =>
    [...(tables.entries.get(run)?.values() ?? [])].toSorted((a, b) => a.begunNo - b.begunNo)
  return {
    findRun: async (id) => {
      const run = tables.runs.get(id)
      return run === undefined ? undefined : { ...listed(run), result: run.result }
    },
    listRuns: async ({ statuses, tool, key, limit, before }) => {
      const edge = before === undefined ? undefined : tables.runs.get(before)
      if (before !== undefined && edge === undefined) return undefined
      return [...tables.runs.values()]
        .filter((run) => (statuses?.includes(run.status) ?? true) && (tool === undefined || run.tool === tool))
        .filter((run) => (key === undefined || run.key === key) && (edge === undefined || newestFirst(edge, run) < 0))
        .toSorted(newestFirst)
        .slice(0, limit)
        .map(listed)
    },
    readRun: async (id, largest) => {
      const run = tables.runs.get(id)
      if (run === undefined) return undefined
      const { plan, input, inputHash, options, result } = run
      return {
        row: { ...listed(run), plan, input, inputHash, options, result },
        hasLivingWorker: tables.isLiving(run.worker),
        entries: entriesOf(id).map(({ begunNo: _begun, endedNo: _ended, version: _version, ...entry }) => entry),
        approvals: [...tables.approvals.values()].filter((each) => each.run === id).map(rowOf),
        events: [...(tables.events.get(id) ?? [])],
        artifacts: [...(tables.artifacts.get(id)?.values() ?? [])].map(({ id: artifact, text }) => {
          const bytes = Buffer.byteLength(text)
          return { id: artifact, bytes, data: bytes <= largest ? text : null }
        }),
      }
    },
    readEvents: async (run, after, most) => {
      const events = (tables.events.get(run) ?? []).map((event) => ({ ...event, path: null, tool: null }))
      return [...events, ...entriesOf(run).flatMap(happenedIn)]
        .filter(({ no }) => no > after)
        .toSorted((a, b) => a.no - b.no)
        .slice(0, most)
    },
    readOpenRuns: async (after, most) =>
      [...tables.runs.values()]
        .filter(({ id, endedAt }) => endedAt === null && id > after)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, most)
        .map(({ id, tool, status, plan, input, options, cancel }) => ({ id, tool, status, plan, input, options, cancel })),
    readOpenKeys: async (start, below, most) =>
      [...tables.runs.values()]
        .flatMap(({ id, key, endedAt, cancel }) => (key === null || endedAt !== null ? [] : [{ id, key, isCancelled: cancel !== null }]))
        .filter(({ key }) => key.startsWith(start) && (below === undefined || key < below))
        .toSorted((a, b) => (a.key < b.key ? 1 : -1))
        .slice(0, most),
    readNews: async (ids, requests) => ({
      runs: ids.flatMap((each) => tables.runs.get(each) ?? []).map(({ id, epoch, cancel }) => ({ id, epoch, cancel })),
      decided: requests
        .flatMap((each) => tables.approvals.get(each) ?? [])
        .toSorted((a, b) => (a.closedAt ?? 0) - (b.closedAt ?? 0))
        .flatMap(({ id, run, decision }) => (run === null || decision === null ? [] : [{ id, run, decision }])),
    }),
  }
}

/** As a list has it: results may be large, and a list shows none. */
function listed(run: MemoryRun): RunRow {
  const { id, key, tool, version, status, why, worker, wakeAt, createdAt, startedAt, endedAt } = run
  return { id, key, tool, version, status, why, worker, wakeAt, result: null, createdAt, startedAt, endedAt }
}

function newestFirst(a: MemoryRun, b: MemoryRun): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
}

/** The beginning of a call, a review or a sleep, and the end of a call or a review. */
function happenedIn(entry: MemoryEntry): readonly HappenedRow[] {
  const { path, kind, tool, data, begunNo, begunAt, endedNo, endedAt } = entry
  const begun = { no: begunNo, at: begunAt, type: `${kind}.begun`, path, tool, data: kind === 'call' ? null : data }
  const ended = { no: endedNo ?? 0, at: endedAt ?? 0, type: `${kind}.ended`, path, tool, data }
  if (kind === 'decision') return []
  return kind === 'sleep' || endedNo === null ? [begun] : [begun, ended]
}
