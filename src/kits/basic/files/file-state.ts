import { type BigIntStats, closeSync, constants } from 'node:fs'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { isUnchanged } from '../../../files/entry-kind.ts'
import { shownPath } from '../../../files/explain-failure.ts'
import { hashOfFile, type Interruptible } from './file-bytes.ts'
import type { Place } from '../../../files/place.ts'

/** In place of a hash: there is no file. */
export const ABSENT = 'absent'

/** The state of a file at one time: its hash, and the facts that show a later change. */
export interface FileState {
  readonly hash: string
  readonly stats: BigIntStats | undefined
}

export async function stateOf(place: Place, signal: Interruptible): Promise<FileState> {
  const file = place.open(constants.O_RDONLY)
  if (file === undefined) return { hash: ABSENT, stats: undefined }
  try {
    return { hash: await hashOfFile(file.descriptor, signal), stats: file.stats }
  } finally {
    closeSync(file.descriptor)
  }
}

/** The state that the caller expects; any other is a failure. */
export async function expectState(place: Place, ifHash: string, signal: Interruptible): Promise<FileState> {
  const state = await stateOf(place, signal)
  if (state.hash !== ifHash) throw changed(place.path, ifHash, state.hash)
  return state
}

/** Whether the file is still in that state. It does not read, and does not wait. */
export function isStill(place: Place, { stats }: FileState): boolean {
  const now = place.look()
  return now === undefined || stats === undefined ? now === stats : isUnchanged(now, stats)
}

export function changed(path: string, expected: string, found?: string): ToolError {
  const how =
    expected === ABSENT
      ? 'should not exist yet, and does'
      : found === ABSENT
        ? 'does not exist any more'
        : 'has changed since it was looked at'
  return new ToolError(`The file ${shownPath(path)} ${how}. Nothing was written.`, {
    code: 'conflict',
    outcome: 'not_started',
    hint: 'Read the file again, then decide.',
  })
}

export function exists(path: string): ToolError {
  return new ToolError(`The file ${shownPath(path)} exists already. Nothing was written.`, {
    code: 'conflict',
    outcome: 'not_started',
    hint: "Choose another path, or say mode: 'overwrite' to replace it, or mode: 'append' to add to it.",
  })
}
