import type { Blob } from './view.ts'

const FEWEST_CHARACTERS = 200
/** Fewer than these do not say anything, or say it by chance. */
const FEWEST_OF_A_TEXT = 24
const LONGEST_DECODED = 200_000
const LONGEST_INLINE = 300
const CODE_OF = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=') CODE_OF[character.charCodeAt(0)] = 1

/** Runs of base64 in a text, and the text with a short description instead of each, in as many lines as before. */
export function takeOutBlobs(text: string): { readonly text: string; readonly blobs: readonly Blob[] } {
  const blobs: Blob[] = []
  let shown = ''
  let from = 0
  const hasMarks = MARKED.test(text)
  for (const { at, length, breaks } of runsOf(text)) {
    const blob = blobOf(text, { number: blobs.length + 1, at, length, isWrapped: breaks > 0, hasMarks })
    if (blob === undefined) continue
    const isShort = isReadable(blob.text) && blob.text.length <= LONGEST_INLINE && !/[\n\r]/.test(blob.text)
    const isInline = isShort || (breaks === 0 && isJsonText(blob.text))
    blobs.push({ ...blob, ...(isInline ? { isInline } : {}) })
    const said =
      breaks === 0 && isJsonText(blob.text) ? inQuotes(blob.text) : isShort ? `<decoded: ${inQuotes(blob.text)}>` : describeBlob(blob)
    shown += text.slice(from, at) + said + '\n'.repeat(breaks)
    from = at + length
  }
  return { text: blobs.length === 0 ? text : shown + text.slice(from), blobs }
}

function inQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** `{"` and `[{`, as base64 writes them. */
const JSON_IN_BASE64 = /^(?:eyJ|W3s)$/
const FEWEST_OF_JSON = 12

function isJsonText(text: string | undefined): text is string {
  if (text === undefined || !/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function describeBlob({ number, mediaType, dimensions, bytes }: Blob): string {
  return `<blob${number} ${mediaType}${dimensions === undefined ? '' : ` ${dimensions}`} ${bytes} bytes>`
}

interface Run {
  readonly at: number
  readonly length: number
  /** How many line breaks of the text are in it. */
  readonly breaks: number
}

/** One pass by character codes: an expression would look at every start again. */
function* runsOf(text: string): Generator<Run> {
  for (let at = 0; at < text.length; at++) {
    if (!isCode(text, at)) continue
    const start = at
    at = endOfRun(text, start)
    const { end, breaks } = endOfLines(text, start, at)
    const isLong = end - start >= (JSON_IN_BASE64.test(text.slice(start, start + 3)) ? FEWEST_OF_JSON : FEWEST_OF_A_TEXT)
    if (isLong) yield { at: start, length: end - start, breaks }
    at = end
  }
}

function isCode(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && CODE_OF[code] === 1
}

function endOfRun(text: string, from: number): number {
  let at = from
  while (at < text.length && isCode(text, at)) at++
  return at
}

/** How mails and keys are broken into lines. */
const WIDTHS: ReadonlySet<number> = new Set([60, 64, 72, 76])
const LAST_LINE = /^[A-Za-z\d+/]+={0,2}$/
/** A line break, or one as JSON writes it, with what stands before the next line. */
const BREAK = /(?:\r?\n|(?:\\r)?\\n)[ \t]{0,40}/y

/** The end of the last line, where a run is the first of several lines. */
function endOfLines(text: string, start: number, end: number): { readonly end: number; readonly breaks: number } {
  const width = end - start
  let to = end
  let breaks = 0
  while (WIDTHS.has(width)) {
    const gap = breakAt(text, to)
    const from = to + gap.length
    const next = gap === '' ? from : endOfRun(text, from)
    const length = next - from
    if (length === 0 || length > width || length % 4 !== 0 || !LAST_LINE.test(text.slice(from, next))) break
    if (next < text.length && breakAt(text, next) === '' && text[next] !== '"') break
    to = next
    if (gap.includes('\n')) breaks++
    if (length < width || text[next - 1] === '=') break
  }
  return { end: to, breaks }
}

function breakAt(text: string, at: number): string {
  BREAK.lastIndex = at
  return BREAK.exec(text)?.[0] ?? ''
}

const MARK_BEFORE = 1500
/** Headers of a mail between the mark and the data. */
const MARK_JUST_BEFORE = 200
const MARKED = /encoding:\s*base64|;base64,|-----BEGIN /i
const BREAKS = /\\r|\\n|\s+/g

interface RunPlace extends Pick<Blob, 'number' | 'at' | 'length'> {
  readonly isWrapped: boolean
  /** Somewhere in the text it is said that data follow. */
  readonly hasMarks: boolean
}

function blobOf(text: string, { isWrapped, hasMarks, ...place }: RunPlace): Blob | undefined {
  const { at, length } = place
  const run = text.slice(at, at + length).replace(BREAKS, '')
  const isJson = JSON_IN_BASE64.test(run.slice(0, 3))
  // A word of a mail's header is decoded where it stands.
  if (text.slice(at - 3, at).toLowerCase() === '?b?') return undefined
  const isMarked = hasMarks && MARKED.test(text.slice(Math.max(0, at - (isWrapped ? MARK_BEFORE : MARK_JUST_BEFORE)), at))
  const isLong = run.length >= FEWEST_CHARACTERS || isMarked
  if (!isLong && !isJson && !beginsReadable(run)) return undefined
  if (!looksEncoded(run) && !isJson) return undefined
  const bytes = Math.floor((run.replace(/=+$/, '').length * 3) / 4)
  const head = Buffer.from(run.slice(0, 64), 'base64')
  const known = MAGIC.find(({ sign }) => sign.every((byte, index) => byte === undefined || head[index] === byte))
  if (known !== undefined) {
    if (!isLong) return undefined
    const dimensions =
      known.mediaType === 'image/png' && head.length >= 24 ? `${head.readUInt32BE(16)}x${head.readUInt32BE(20)}` : undefined
    return { ...place, mediaType: known.mediaType, bytes, ...(dimensions === undefined ? {} : { dimensions }) }
  }
  const said = textOf(Buffer.from(run.slice(0, LONGEST_DECODED), 'base64'))
  if (!isLong && !isJsonText(said) && !isReadable(said)) return undefined
  // Lines of one length may be a list of names.
  if (said === undefined && isWrapped && !isMarked) return undefined
  const name = said === undefined ? undefined : nameBefore(text.slice(Math.max(0, at - NAME_BEFORE), at))
  return {
    ...place,
    mediaType: said === undefined ? 'application/octet-stream' : 'text/plain',
    bytes,
    ...(said === undefined ? {} : { text: said }),
    ...(name === undefined ? {} : { name }),
  }
}

const NAME_BEFORE = 600
const NAMED = /\b(?:file_?)?name"?\s*[:=]\s*"?([^"\r\n;,]{1,60})/gi

/** What the data are called by what stands before them. */
function nameBefore(text: string): string | undefined {
  return [...text.matchAll(NAMED)].at(-1)?.[1]?.trim()
}

/** A quick look: the first bytes of a text can be printed. */
function beginsReadable(run: string): boolean {
  if (run.length % 4 !== 0) return false
  const head = Buffer.from(run.slice(0, FEWEST_OF_A_TEXT), 'base64')
  return head.every((byte) => byte >= 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)
}

/** Every character can be printed, and there are words: no accident. */
function isReadable(text: string | undefined): text is string {
  return (
    text !== undefined && /^[\t\n\r\x20-\x7e\u00a0-\u024f\u2010-\u203a\u20ac]+$/.test(text) && /\p{L}{2}[,.:;]?\s|\s\p{L}{2}/u.test(text)
  )
}

/** Capitals, small letters and digits, mixed as chance does it: no long word, no path, no list of numbers. */
function looksEncoded(run: string): boolean {
  const sample = run.slice(0, 2000)
  const capitals = sample.replace(/[^A-Z]/g, '').length / sample.length
  const small = sample.replace(/[^a-z]/g, '').length / sample.length
  const digits = sample.replace(/[^0-9]/g, '').length / sample.length
  return capitals > 0.12 && small > 0.12 && digits > 0.02 && !/[-_]{3}/.test(sample)
}
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  const odd = text.replace(/[\t\n\r\x20-\x7e\u00a0-\ud7ff]/g, '').length
  return odd <= text.length * 0.01 ? text : undefined
}

const MAGIC: readonly { readonly mediaType: string; readonly sign: readonly (number | undefined)[] }[] = [
  { mediaType: 'image/png', sign: [0x89, 0x50, 0x4e, 0x47] },
  { mediaType: 'image/jpeg', sign: [0xff, 0xd8, 0xff] },
  { mediaType: 'image/gif', sign: [0x47, 0x49, 0x46, 0x38] },
  { mediaType: 'image/webp', sign: [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50] },
  { mediaType: 'application/pdf', sign: [0x25, 0x50, 0x44, 0x46] },
  { mediaType: 'application/zip', sign: [0x50, 0x4b, 0x03, 0x04] },
  { mediaType: 'application/gzip', sign: [0x1f, 0x8b] },
  { mediaType: 'audio/mpeg', sign: [0x49, 0x44, 0x33] },
  { mediaType: 'audio/ogg', sign: [0x4f, 0x67, 0x67, 0x53] },
  { mediaType: 'audio/wav', sign: [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x41, 0x56, 0x45] },
]
