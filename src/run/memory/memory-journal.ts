import type { JournalRow, JournalStore, WrittenClaims } from '../store/journal-store.ts'
import { type MemoryEntry, type MemoryTables } from './memory-tables.ts'

/** The journals of runs in memory. */
export function memoryJournal(tables: MemoryTables): JournalStore {
  return {
    write: async (rows) => write(tables, rows),
    readEntries: async (run) =>
      [...(tables.entries.get(run)?.values() ?? [])]
        .toSorted((a, b) => a.begunNo - b.begunNo)
        .map(({ path, kind, tool, key, inputHash, data }) => ({ path, kind, tool, key, inputHash, data })),
    readArtifacts: async (run, ids) => {
      const kept = tables.artifacts.get(run)
      return new Map(ids.flatMap((id) => [kept?.get(id)].flatMap((each) => (each === undefined ? [] : [[id, each.text] as const]))))
    },
    takePlan: async (claim, plan) => void Object.assign(tables.claimed(claim) ?? {}, { plan }),
    noteProgress: async (claim, entriesSeen) => void Object.assign(tables.claimed(claim) ?? {}, { deaths: 1, entriesSeen }),
  }
}

function write(tables: MemoryTables, rows: readonly JournalRow[]): WrittenClaims {
  const latest = new Map<string, number>()
  for (const { run, epoch } of rows) latest.set(run, Math.max(epoch, latest.get(run) ?? epoch))
  const mine = new Map([...latest].filter(([id, epoch]) => tables.claimed({ id, epoch }) !== undefined))
  const counting = rows.filter(({ run, epoch }) => mine.get(run) === epoch)
  const withdrawn = new Set(counting.flatMap(({ review }) => (review?.change === 'withdrawn' ? [review.id] : [])))
  for (const row of counting) {
    if (row.path !== '') writeEntry(tables, row)
    if (row.review?.change === 'asked') ask(tables, row, withdrawn)
    if (row.event !== undefined) tables.tell(row.run, row.event.type, row.event.data)
    for (const artifact of row.artifacts ?? []) keepArtifact(tables, row.run, artifact)
  }
  for (const id of withdrawn) {
    const approval = tables.approvals.get(id)
    if (approval?.status === 'open' && mine.has(approval.run ?? '')) tables.close(approval)
  }
  for (const run of mine.keys()) tables.notify('written', run)
  return mine
}

/** A row that comes late does not replace a later one, nor does a question replace the decision on it. */
export function writeEntry(tables: MemoryTables, row: JournalRow): void {
  const entries = tables.entries.get(row.run) ?? new Map<string, MemoryEntry>()
  tables.entries.set(row.run, entries)
  const { path, kind, tool, key, inputHash, input, data, version } = row
  const { now } = tables
  const endedAt = row.endedAt === null ? null : Math.min(row.endedAt, now)
  const before = entries.get(path)
  if (before === undefined) {
    const begunNo = tables.nextMoment()
    const endedNo = endedAt === null ? null : tables.nextMoment()
    const begunAt = Math.min(row.begunAt, now)
    entries.set(path, { path, kind, tool, key, inputHash, input, data, version, begunNo, endedNo, begunAt, endedAt })
    return
  }
  if (before.version >= version || (before.kind === 'review' && before.endedNo !== null)) return
  Object.assign(before, { kind, data, version, endedNo: endedAt === null ? null : tables.nextMoment(), endedAt })
}

/** A cancelled run asks nobody, but for its shielded calls, such as those that undo a step. */
function ask(tables: MemoryTables, { run, path, review }: JournalRow, withdrawn: ReadonlySet<string>): void {
  if (review?.change !== 'asked' || tables.approvals.has(review.request.id)) return
  const { request, sealed, isShielded } = review
  const { id, tool, timeoutMs } = request
  const { now } = tables
  const { cancel = null, endedAt = null } = tables.runs.get(run) ?? {}
  const isOver = endedAt !== null || (cancel !== null && !isShielded)
  const isOpen = !withdrawn.has(id) && !isOver
  tables.approvals.set(id, {
    ...{ id, run, path, tool, request: sealed, isShielded, assignee: null, assigneePrint: null, decision: null, ballot: null, ballotNo: 0 },
    status: isOpen ? 'open' : 'withdrawn',
    requestedAt: now,
    expiresAt: timeoutMs === undefined ? null : now + timeoutMs,
    closedAt: isOpen ? null : now,
  })
  if (isOpen) tables.notify('requested', id)
}

/** The same text has the same id: it is kept once. */
export function keepArtifact(tables: MemoryTables, run: string, artifact: { readonly id: string; readonly text: string }): void {
  const kept = tables.artifacts.get(run) ?? new Map<string, typeof artifact>()
  tables.artifacts.set(run, kept)
  if (!kept.has(artifact.id)) kept.set(artifact.id, artifact)
}
