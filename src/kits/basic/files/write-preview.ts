import { closeSync, constants, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as diff from 'diff'
import { isToolError } from '../../../tool/errors/tool-error.ts'
import { UNPRINTABLE } from '../../../tool/printable.ts'
import { counted } from './counted.ts'
import { shownPath } from '../../../files/explain-failure.ts'
import { hashOfBytes } from './file-bytes.ts'
import { ABSENT } from './file-state.ts'
import type { RootedFolder } from '../../../files/rooted-folder.ts'
import { strictDecoder, textForm } from './text-form.ts'
import type { WriteMode, WriteRequest } from './write-request.ts'

const MOST_COMPARED = 256 * 1024

const VERBS: Readonly<Record<WriteMode, string>> = { create: 'Creates', overwrite: 'Overwrites', append: 'Appends to' }

/** The text for the person who must approve a write. It shows the change to the file in the state that the request names, and to no other. */
export function writePreview(root: RootedFolder, request: WriteRequest): string {
  const { path, content, encoding, mode } = request
  const bytes = Buffer.from(content, encoding)
  const before = contentBefore(root, request)
  const after = mode === 'append' && before instanceof Uint8Array ? Buffer.concat([before, bytes]) : bytes
  const verb = mode === 'overwrite' && before === undefined ? VERBS.create : VERBS[mode]
  return `${verb} ${shownPath(path)}, ${counted(bytes.length, 'byte')}.\n${diffPreview({ path, before, after })}`
}

/** The content that the change starts from, undefined for no file, or a sentence why it cannot be shown. */
function contentBefore(root: RootedFolder, { path, ifHash }: WriteRequest): Uint8Array | string | undefined {
  try {
    const bytes = readWhole(root, path)
    if (typeof bytes === 'string' || ifHash === undefined) return bytes
    if ((bytes === undefined ? ABSENT : hashOfBytes(bytes)) === ifHash) return bytes
    return 'The file is changing just now; if it is not as expected when this is approved, nothing is written.'
  } catch (error) {
    return `The present content cannot be shown${isToolError(error) ? `: ${error.message}` : '.'}`
  }
}

function readWhole(root: RootedFolder, path: string): Uint8Array | string | undefined {
  const place = root.find(path)
  if (place === undefined) return undefined
  try {
    const file = place.open(constants.O_RDONLY)
    if (file === undefined) return undefined
    try {
      const size = Number(file.stats.size)
      if (size > MOST_COMPARED) return `The present content, ${size} bytes, is too long to show.`
      const buffer = Buffer.alloc(size)
      return buffer.subarray(0, readSync(file.descriptor, buffer, 0, size, 0))
    } finally {
      closeSync(file.descriptor)
    }
  } finally {
    place.close()
  }
}

type Diff = typeof diff

const require = createRequire(import.meta.url)
let loaded: Diff | undefined

/** Loaded at the first preview: most writes need none. */
function diffModule(): Diff {
  return (loaded ??= require('diff') as Diff)
}

const MOST_CHARACTERS = 8000
/** Beyond that the two have too little in common for a diff to help, and it would take long. */
const MOST_EDITS = 3000

interface Change {
  readonly path: string
  /** Undefined where there is no file yet; a sentence where its content cannot be shown. */
  readonly before: Uint8Array | string | undefined
  readonly after: Uint8Array
}

/** The change of a write, for the person who must approve it: a unified diff where both sides are text, bounded, with nothing in it that could mislead a terminal. */
export function diffPreview({ path, before, after }: Change): string {
  const now = textIn(after)
  if (typeof before === 'string')
    return `${before}\n${now === undefined ? `The new content is not text: ${counted(after.length, 'byte')}.` : whole(now)}`
  const old = before === undefined ? '' : textIn(before)
  if (old === undefined || now === undefined) {
    const size = before?.length ?? 0
    return `Not text: ${counted(size, 'byte')} ${size === 1 ? 'becomes' : 'become'} ${counted(after.length, 'byte')}.`
  }
  if (old === now && before !== undefined) return 'The content stays the same.'
  const { createTwoFilesPatch, FILE_HEADERS_ONLY: headerOptions } = diffModule()
  const options = { context: 3, maxEditLength: MOST_EDITS, headerOptions }
  const patch = createTwoFilesPatch(before === undefined ? '/dev/null' : `a/${path}`, `b/${path}`, old, now, undefined, undefined, options)
  return patch === undefined ? `Nearly all of it changes. ${whole(now)}` : bounded(patch)
}

function whole(text: string): string {
  return `The new content:\n${bounded(text)}`
}

/** The text of bytes that are one. */
function textIn(bytes: Uint8Array): string | undefined {
  const { encoding, mark } = textForm(bytes)
  try {
    const text = strictDecoder(encoding).decode(bytes.subarray(mark))
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function bounded(text: string): string {
  const visible = text.replace(UNPRINTABLE, escaped)
  if (visible.length <= MOST_CHARACTERS) return visible
  const shown = visible.slice(0, Math.max(visible.lastIndexOf('\n', MOST_CHARACTERS), MOST_CHARACTERS / 2)).toWellFormed()
  const left = visible.length - shown.length
  const missing = `${counted(left, 'character')} ${left === 1 ? 'is' : 'are'} left out.`
  return `(Only a part is shown; ${missing})\n${shown}\n(${missing})`
}

/** Line feeds and tabs are what a diff is made of. */
function escaped(character: string): string {
  if (character === '\n' || character === '\t') return character
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
