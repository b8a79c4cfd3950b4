import { createRequire } from 'node:module'
import type * as diff from 'diff'
import { UNPRINTABLE } from '../../../tool/printable.ts'
import { counted } from '../counted.ts'
import { strictDecoder, textForm } from './text-encoding.ts'

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

export interface Change {
  readonly path: string
  /** Undefined where there is no file yet; a sentence where its content cannot be shown. */
  readonly before: Uint8Array | string | undefined
  readonly after: Uint8Array
}

/** What a write would change, for a person who must approve it: a unified diff where both sides are text, bounded, with nothing in it that could mislead a terminal. */
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
