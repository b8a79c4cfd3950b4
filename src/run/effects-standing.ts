import type { AgentTool } from '../tool/agent-tool.ts'
import { effectsAmong } from '../tool/calls/unvisited-effects.ts'
import type { JournalEntry } from '../tool/journal/journal.ts'
import { isUndoingOver, undoingOf } from '../tool/journal/undoing.ts'

/** The steps that a run could not undo, by their paths. What became of a tool inside one that was undone, the outer one says. */
export function effectsStanding(entries: Iterable<JournalEntry>): readonly string[] {
  const undone = [...entries].flatMap((entry) => {
    const { path, notUndone } = undoingOf(entry) ?? {}
    return path === undefined || notUndone === undefined ? [] : [{ path, notUndone }]
  })
  return undone
    .filter(({ path }) => !undone.some((around) => path.startsWith(`${around.path}/`)))
    .flatMap(({ path, notUndone }) => notUndone.map((step) => `${path}/${step}`))
}

/** The steps that took effect, or may have, among those that a run recorded and did not come by again, by their paths: nobody undid them. */
export function effectsLeft(left: readonly JournalEntry[], entries: Iterable<JournalEntry>, tool?: AgentTool): readonly string[] {
  const calls = effectsAmong(left, tool)
  if (calls.length === 0) return []
  const undone = [...entries].flatMap((entry) => {
    const undoing = undoingOf(entry)
    return undoing !== undefined && isUndoingOver(undoing) ? [`${undoing.path}/`] : []
  })
  return calls.map(({ path }) => path).filter((path) => !undone.some((around) => path.startsWith(around)))
}
