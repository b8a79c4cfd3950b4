import { inEntry, inRun } from '../../src/run/journal/place.ts'
import type { StartedRun } from './people.ts'
import { type Effect, placeOf } from './simulated-ledger.ts'
import type { EntryRow, RunRow } from './tables.ts'
import type { World } from './world.ts'

/** All that is known of a run that was started: its row, its journal, and what it did to the world outside. */
export interface RunRecord {
  readonly started: StartedRun
  readonly row: RunRow
  readonly entries: readonly EntryRow[]
  readonly effects: readonly Effect[]
  /** What was done and not undone. */
  readonly standing: readonly Effect[]
  /** Whether the leaf is a step with a compensation that can work. */
  readonly isUndoable: (effect: Effect) => boolean
  /** Whether the result of the run says that what is done at this path is not undone. */
  readonly isToldByResult: (path: string) => boolean
  /** The value of an entry. */
  readonly value: (entry: EntryRow) => unknown
}

export function recordOf(world: World, started: StartedRun): RunRecord {
  const { database, ledger } = world
  const row = database.tables.run.get(started.id)
  if (row === undefined) throw new Error('A run has no row.')
  const { undoable } = world.toolOf(started.number)
  const effects = ledger.effects.filter(({ run }) => run === `r${started.number}`)
  const undone = new Set(effects.flatMap(({ kind, path }) => (kind === 'undo' ? placeOf(path, kind) : [])))
  return {
    started,
    row,
    effects,
    entries: [...database.tables.entry.values()].filter(({ run }) => run === started.id),
    standing: effects.filter(({ kind, isLate, path }) => kind === 'do' && !isLate && !undone.has(placeOf(path, kind))),
    isUndoable: ({ leaf }) => undoable.has(leaf),
    isToldByResult: (path) =>
      toldBy(row.result === null ? undefined : world.people.values.unseal(row.result, inRun(row.id, 'result')), path),
    value: ({ run, path, full_path: fullPath, data }) =>
      data === null ? undefined : world.people.values.unseal(data, inEntry(run, fullPath ?? path, 'data')),
  }
}

function toldBy(result: unknown, path: string): boolean {
  const text = (result as { readonly text?: string } | undefined)?.text ?? ''
  const told = [...text.matchAll(/Not undone: (.*?)\.(?!\w)/g)].flatMap(([, steps = '']) => steps.split(', '))
  return told.includes(path.slice(path.indexOf('/') + 1))
}
