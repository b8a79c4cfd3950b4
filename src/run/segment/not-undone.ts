import type { JournalEntry } from '../../tool/journal/journal.ts'
import { undoingOf } from '../../tool/journal/undoing.ts'

/** The steps that a run could not undo, by their paths. What became of a tool inside one that was undone, the outer one says. */
export function stepsNotUndone(entries: Iterable<JournalEntry>): readonly string[] {
  const undone = [...entries].flatMap((entry) => {
    const { path, notUndone } = undoingOf(entry) ?? {}
    return path === undefined || notUndone === undefined ? [] : [{ path, notUndone }]
  })
  return undone
    .filter(({ path }) => !undone.some((around) => path.startsWith(`${around.path}/`)))
    .flatMap(({ path, notUndone }) => notUndone.map((step) => `${path}/${step}`))
}
