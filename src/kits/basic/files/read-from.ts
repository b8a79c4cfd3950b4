import { closeSync, constants } from 'node:fs'
import type { FromJsonSchema } from '../../../schema/schema-types.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { counted } from '../counted.ts'
import { bytesOf, hashOfBytes, hasOtherNames, headOf, type Interruptible } from './file-bytes.ts'
import { notText } from './not-text.ts'
import type { OpenFile } from './open-folder.ts'
import { pathRefused, shownPath } from './path-refused.ts'
import type { Place } from './place.ts'
import type { READ_OUTPUT, readInput } from './read-schema.ts'
import { readLines, readTextFrom, type TextRead } from './read-text.ts'
import { type TextEncodingName, textForm } from './text-encoding.ts'

export type ReadRequest = FromJsonSchema<ReturnType<typeof readInput>, 'output'>
export type FileContent = FromJsonSchema<typeof READ_OUTPUT, 'output'>

export interface ReadLimits {
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
    mostBytes: maxBytes,
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
  for await (const piece of bytesOf(descriptor, fromByte, limits.signal)) {
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
