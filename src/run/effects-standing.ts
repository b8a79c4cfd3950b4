import type { AgentTool } from '../tool/agent-tool.ts'
import { effectsAmong } from '../tool/calls/unvisited-effects.ts'
import type { JournalEntry } from '../tool/journal/journal.ts'

/** What the record of a saga says of its end. */
interface SagaEnd {
  readonly state?: string
  /** Absent while it runs, where it completed, and while it is undone. */
  readonly notUndone?: readonly string[]
}

const RECORD = ':saga'

/** The steps that sagas of a run could not undo, by their paths within it. What became of a saga inside one that was undone, that one says. */
export function effectsStanding(entries: Iterable<JournalEntry>): readonly string[] {
  const sagas: { readonly path: string; readonly notUndone: readonly string[] }[] = []
  for (const entry of entries) {
    if (entry.kind !== 'decision' || !entry.path.endsWith(RECORD)) continue
    const { notUndone } = (entry.value ?? {}) as SagaEnd
    if (Array.isArray(notUndone)) sagas.push({ path: entry.path.slice(0, -RECORD.length), notUndone })
  }
  return sagas
    .filter(({ path }) => !sagas.some((around) => path.startsWith(`${around.path}/`)))
    .flatMap(({ path, notUndone }) => notUndone.map((step) => `${path}/${step}`))
    .map((path) => path.slice(path.indexOf('/') + 1))
}

const UNDONE: ReadonlySet<string | undefined> = new Set(['compensated', 'aborted', 'compensation_failed'])

/** The steps that took effect, or may have, among those that a run recorded and did not come by again: nobody undid them. */
export function effectsLeft(left: readonly JournalEntry[], entries: Iterable<JournalEntry>, tool?: AgentTool): readonly string[] {
  const calls = effectsAmong(left, tool)
  if (calls.length === 0) return []
  const undone = [...entries].flatMap(({ path, ...entry }) => {
    if (!('value' in entry) || !path.endsWith(RECORD)) return []
    return UNDONE.has(((entry.value ?? {}) as SagaEnd).state) ? [`${path.slice(0, -RECORD.length)}/`] : []
  })
  return calls.filter(({ path }) => !undone.some((saga) => path.startsWith(saga))).map(({ path }) => path.slice(path.indexOf('/') + 1))
}
