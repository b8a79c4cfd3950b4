import { isRecord } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { effectsAmong } from '../../tool/engine/unvisited-effects.ts'
import type { JournalEntry } from '../../tool/journal/journal.ts'
import { isUndoingOver, undoingOf, undoneStep } from '../../tool/journal/undoing.ts'

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

/** Of recorded steps that a run did not reach again: the paths of those that took effect, or may have, and that nobody undid. */
export function effectsNotUndone(unreached: readonly JournalEntry[], entries: Iterable<JournalEntry>, tool?: AgentTool): readonly string[] {
  const calls = effectsAmong(unreached, tool)
  if (calls.length === 0) return []
  const all = [...entries]
  const over = all.flatMap((entry) => {
    const undoing = undoingOf(entry)
    return undoing !== undefined && isUndoingOver(undoing) ? [`${undoing.path}/`] : []
  })
  const undone = new Set(all.flatMap(stepUndoneBy))
  return calls.map(({ path }) => path).filter((path) => !over.some((around) => path.startsWith(around)) && !isWithin(path, undone))
}

/** The path of the step that an entry has undone. */
function stepUndoneBy(entry: JournalEntry): readonly string[] {
  const hasSucceeded = entry.kind === 'call' && isRecord(entry.result) && !('error' in entry.result)
  const step = hasSucceeded ? undoneStep(entry.path) : undefined
  return step === undefined ? [] : [step]
}

/** The step at one of these paths, or something inside it. */
function isWithin(path: string, steps: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) if (steps.has(path.slice(0, end))) return true
  return false
}
