import { closeSync, constants } from 'node:fs'
import type { FromJsonSchema } from '../../../schema/schema-types.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { counted } from './counted.ts'
import { pathRefused, shownPath } from '../../../files/explain-failure.ts'
import { fileBytes, hashOfBytes, hasOtherNames, headOf, type Interruptible } from './file-bytes.ts'
import type { OpenFile } from '../../../files/open-folder.ts'
import type { Place } from '../../../files/place.ts'
import { readLines, readTextFrom, type TextRead } from './read-lines.ts'
import { type TextEncodingName, textForm } from './text-form.ts'

/** The least that a call may ask for: room for any one character. */
const LEAST_BYTES = 16

/** The input schema of `file_read`. */
export function readInput(maxBytes: number) {
  return {
    type: 'object',
    properties: {
      path: { type: 'string', description: "The file, from the root folder on, with '/' between folders: 'notes/today.md'." },
      fromLine: { type: 'integer', minimum: 1, description: 'The first line to read, counted from 1.' },
      toLine: { type: 'integer', minimum: 1, description: 'The last line to read, inclusive.' },
      fromByte: {
        type: 'integer',
        minimum: 0,
        description: 'Read on from this position in the file, as a truncated answer said. Not together with lines.',
      },
      maxBytes: {
        type: 'integer',
        minimum: LEAST_BYTES,
        maximum: maxBytes,
        description: `The most to give back, in bytes; ${maxBytes} by default. More is truncated, and the answer says how to read on.`,
      },
      encoding: {
        type: 'string',
        enum: ['utf8', 'utf16le', 'latin1', 'base64'],
        description: "By default UTF-8, or UTF-16 where the file says so by its first bytes. 'base64' for files that are not text.",
      },
    },
    required: ['path'],
  } as const
}

/** The output schema of `file_read`. */
export const READ_OUTPUT = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    content: { type: 'string' },
    encoding: { type: 'string', enum: ['utf8', 'utf16le', 'utf16be', 'latin1', 'base64'] },
    lines: {
      type: 'object',
      description: 'The lines of the content; the total is there when the end of the file was reached.',
      properties: { from: { type: 'integer' }, to: { type: 'integer' }, total: { type: 'integer' } },
      required: ['from', 'to'],
    },
    bytes: { type: 'integer', description: 'The size of the whole file.' },
    truncated: { type: 'boolean', description: 'Whether less was given than was asked for.' },
    next: {
      type: 'object',
      description: 'Where to read on.',
      properties: { fromLine: { type: 'integer' }, fromByte: { type: 'integer' } },
    },
    hash: { type: 'string', description: 'SHA-256 of the whole file, when all of it was read; file_write takes it as ifHash.' },
  },
  required: ['path', 'content', 'encoding', 'bytes', 'truncated'],
} as const

export type ReadRequest = FromJsonSchema<ReturnType<typeof readInput>, 'output'>
/** The output of `file_read`. */
export type FileContent = FromJsonSchema<typeof READ_OUTPUT, 'output'>

interface ReadLimits {
  readonly maxBytes: number
  readonly hardLinks: 'refuse' | 'allow'
  readonly signal: Interruptible
}

const HEAD = 4096

/** Reads what was asked for from the file at a place. */
export async function readFrom(place: Place, request: ReadRequest, limits: ReadLimits): Promise<FileContent> {
  const file = place.open(constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if (file === undefined) throw place.missing()
  try {
    if (limits.hardLinks === 'refuse' && (await hasOtherNames(file.descriptor)))
      throw pathRefused(place.path, 'the file has another name (a hard link), which may lie outside the root folder.')
    return await contentOf(file, place.path, { request, limits })
  } finally {
    closeSync(file.descriptor)
  }
}

interface Reading {
  readonly request: ReadRequest
  readonly limits: ReadLimits
}

async function contentOf(file: OpenFile, path: string, { request, limits }: Reading): Promise<FileContent> {
  const bytes = Number(file.stats.size)
  const { fromByte } = request
  if (fromByte !== undefined && fromByte > bytes)
    throw invalid(`fromByte is ${fromByte}, but ${shownPath(path)} has ${counted(bytes, 'byte')}.`)
  const { encoding: wanted } = request
  if (wanted === 'base64') return { path, encoding: 'base64', bytes, ...(await readBytes(file.descriptor, { request, limits })) }
  const { encoding, read } = await readText(file, path, { wanted, request, limits })
  checkReached(read, path, request)
  const { content, lines, next, hash } = read
  return {
    path,
    content,
    encoding,
    bytes,
    truncated: next !== undefined,
    ...(lines === undefined ? {} : { lines }),
    ...(next === undefined ? {} : { next }),
    ...(hash === undefined ? {} : { hash }),
  }
}

async function readText(
  { descriptor, stats }: OpenFile,
  path: string,
  { wanted, request, limits }: Reading & { readonly wanted: Exclude<TextEncodingName, 'utf16be'> | undefined },
): Promise<{ readonly encoding: TextEncodingName; readonly read: TextRead }> {
  const head = await headOf(descriptor, HEAD)
  const form = textForm(head, wanted)
  const { fromByte, fromLine = 1, toLine = Infinity, maxBytes = limits.maxBytes } = request
  const mid = fromByte === undefined ? '' : ', or fromByte stands in the middle of a character'
  const common = {
    form,
    maxBytes: maxBytes,
    signal: limits.signal,
    notText: (why: string) => notText(path, { head, bytes: Number(stats.size), why: `${why}${mid}` }),
  }
  const read =
    fromByte === undefined ? await readLines(descriptor, { fromLine, toLine }, common) : await readTextFrom(descriptor, fromByte, common)
  return { encoding: form.encoding, read }
}

async function readBytes(
  descriptor: number,
  { request, limits }: Reading,
): Promise<Pick<FileContent, 'content' | 'truncated' | 'next' | 'hash'>> {
  const { fromByte = 0, maxBytes = limits.maxBytes } = request
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of fileBytes(descriptor, fromByte, limits.signal)) {
    pieces.push(Buffer.from(piece))
    length += piece.length
    if (length > maxBytes) break
  }
  const all = Buffer.concat(pieces)
  const content = all.subarray(0, maxBytes).toString('base64')
  if (all.length > maxBytes) return { content, truncated: true, next: { fromByte: fromByte + maxBytes } }
  return { content, truncated: false, ...(fromByte === 0 ? { hash: hashOfBytes(all) } : {}) }
}

/** A range beyond the end is a mistake; the beginning of an empty file is none. */
function checkReached({ lines }: TextRead, path: string, { fromLine = 1 }: ReadRequest): void {
  if (lines?.total === undefined || fromLine === 1 || fromLine <= lines.total) return
  throw invalid(`fromLine is ${fromLine}, but ${shownPath(path)} has ${counted(lines.total, 'line')}.`)
}

export function invalid(message: string): ToolError {
  return new ToolError(message, { code: 'invalid_input', hint: 'Correct the range and call again.' })
}

/** A file that cannot be read as a text. */
function notText(path: string, { head, bytes, why }: { readonly head: Buffer; readonly bytes: number; readonly why: string }): ToolError {
  return new ToolError(`The file ${shownPath(path)} is not text: ${why}. It has ${counted(bytes, 'byte')} and is ${binaryKind(head)}.`, {
    code: 'not_text',
  })
}

/** How common files begin, and what they are. */
const SIGNATURES: readonly (readonly [hex: string, kind: string])[] = [
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive, or a document in that form'],
  ['1f8b', 'a gzip archive'],
  ['28b52ffd', 'a zstd archive'],
  ['7f454c46', 'a Linux program'],
  ['4d5a', 'a Windows program'],
  ['0061736d', 'a WebAssembly module'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
]

/** The probable kind of a file that is no text. */
function binaryKind(head: Buffer): string {
  const hex = head.subarray(0, 16).toString('hex')
  return SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1] ?? 'of an unknown binary kind'
}
