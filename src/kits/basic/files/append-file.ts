import { closeSync, constants, fstatSync, fsync as fsyncWithCallback, ftruncateSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { isToolError, ToolError } from '../../../tool/errors/tool-error.ts'
import { isUnchanged } from '../../../files/entry-kind.ts'
import { pathRefused, shownPath } from '../../../files/explain-failure.ts'
import { hashOfFile, hasOtherNames, headOf, type Interruptible } from './file-bytes.ts'
import { changed } from './file-state.ts'
import type { OpenFile } from '../../../files/open-folder.ts'
import type { Place } from '../../../files/place.ts'
import { replaceFile, type Writing } from './replace-file.ts'
import { textForm } from './text-form.ts'

const fsync = promisify(fsyncWithCallback)

export interface Appending extends Writing {
  /** The bytes are UTF-8. */
  readonly isText: boolean
}

/** Somebody who makes and removes the same file again and again is not waited for. */
const MOST_TRIES = 10

/** Adds to the end of a file, or makes it. Gives whether there was no file before. */
export async function appendFile(place: Place, appending: Appending): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await appendOnce(place, appending)
    } catch (error) {
      // Another writer made the file between the look and the making: then it is there to be added to.
      if (!(isToolError(error) && error.code === 'conflict') || appending.ifHash !== undefined || tries === MOST_TRIES) throw error
    }
  }
}

async function appendOnce(place: Place, appending: Appending): Promise<boolean> {
  const file = place.open(constants.O_RDWR | constants.O_APPEND)
  if (file === undefined) return replaceFile(place, appending, true)
  try {
    await checkAppendable(file, place.path, appending)
    addAtOnce(file.descriptor, appending)
    await fsync(file.descriptor)
    return false
  } finally {
    closeSync(file.descriptor)
  }
}

async function checkAppendable({ descriptor, stats }: OpenFile, path: string, { isText, ifHash, signal }: Appending): Promise<void> {
  await refuseAliased(descriptor, path)
  if (isText && textForm(await headOf(descriptor, 4)).encoding !== 'utf8') {
    throw new ToolError(`The file ${shownPath(path)} is UTF-16, and the content would be added as UTF-8.`, {
      code: 'not_text',
      outcome: 'not_started',
      hint: 'Read the file and overwrite it with the whole text, or append bytes with encoding base64.',
    })
  }
  if (ifHash === undefined) return
  const found = await hashOfFile(descriptor, signal)
  if (found !== ifHash || !isUnchanged(stats, fstatSync(descriptor, { bigint: true }))) throw changed(path, ifHash, found)
}

/** A write in place changes the file under all its names. */
async function refuseAliased(descriptor: number, path: string): Promise<void> {
  if (!(await hasOtherNames(descriptor))) return
  throw pathRefused(
    path,
    "the file has another name (a hard link), which may lie outside the root folder. mode: 'overwrite' leaves that one alone.",
  )
}

/** In one call of the system, with nothing awaited since the signal was asked: it is added whole or, where the disk fills up, not at all. */
function addAtOnce(descriptor: number, { bytes, signal }: { readonly bytes: Uint8Array; readonly signal: Interruptible }): void {
  signal.throwIfAborted()
  const before = fstatSync(descriptor).size
  const written = writeSync(descriptor, bytes)
  if (written === bytes.length) return
  if (fstatSync(descriptor).size === before + written) ftruncateSync(descriptor, before)
  throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' })
}
