import { reasonOf } from '../errors/message-of.ts'
import { type Outcome, ToolError } from '../errors/tool-error.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { Call } from './call.ts'

/** Reads the entry at a path, and marks it as visited. If the journal fails, the step fails before anything is done. */
export function readEntry({ journal, root }: Call, path: string): JournalEntry | undefined {
  if (journal === undefined) return undefined
  root.replay?.visit(path)
  try {
    return journal.read(path) ?? undefined
  } catch (cause) {
    throw journalFailed(`read '${path}'`, 'not_started', cause)
  }
}

/** Something happens for the first time here: neither this call nor one around it is only walked through again. Listeners alone ask for it. */
export function noteNew(call: Call): void {
  if (call.root.replay === undefined || !call.root.observed) return
  for (let each: Call | undefined = call; each !== undefined && each.rare?.isNew !== true; each = each.parent) each.lazily.isNew = true
}

/** Records, and waits until it is recorded. `outcome` is that of the failure if it cannot be recorded. */
export async function writeEntry(call: Call, entry: JournalEntry, outcome: Outcome): Promise<void> {
  const { journal, root, built } = call
  noteNew(call)
  const isCatchingUp = root.replay?.isCatchingUp === true
  // A rehearsal records nothing: it would wait for ever.
  const replay = isCatchingUp && root.replay?.isRehearsal !== true ? root.replay : undefined
  replay?.waits(1)
  try {
    await journal?.write(isCatchingUp && built.effect === 'read' ? { ...entry, late: true } : entry)
  } catch (cause) {
    throw journalFailed(`record '${entry.path}'`, outcome, cause)
  } finally {
    replay?.waits(-1)
  }
}

function journalFailed(what: string, outcome: Outcome, cause: unknown): ToolError {
  return new ToolError(`The journal could not ${what}: ${reasonOf(cause)}`, {
    code: 'journal_failed',
    outcome,
    cause,
    internal: true,
  })
}
