import type { Blob } from './view.ts'

const FEWEST_CHARACTERS = 200
const LONGEST_DECODED = 200_000
const CODE_OF = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=') CODE_OF[character.charCodeAt(0)] = 1

/** Runs of base64 in a text, and the text with a short description instead of each. */
export function takeOutBlobs(text: string): { readonly text: string; readonly blobs: readonly Blob[] } {
  const blobs: Blob[] = []
  let shown = ''
  let from = 0
  for (const { at, length } of runsOf(text)) {
    const blob = blobOf(text.slice(at, at + length), { number: blobs.length + 1, at, length })
    if (blob === undefined) continue
    blobs.push(blob)
    shown += text.slice(from, at) + (isJsonText(blob.text) ? JSON.stringify(blob.text).slice(1, -1) : describeBlob(blob))
    from = at + length
  }
  return { text: blobs.length === 0 ? text : shown + text.slice(from), blobs }
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

/** One pass by character codes: an expression would look at every start again. */
function* runsOf(text: string): Generator<{ readonly at: number; readonly length: number }> {
  let start = -1
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code < 128 && CODE_OF[code] === 1) {
      if (start < 0) start = at
    } else if (start >= 0) {
      const isLong = at - start >= (JSON_IN_BASE64.test(text.slice(start, start + 3)) ? FEWEST_OF_JSON : FEWEST_CHARACTERS)
      if (isLong) yield { at: start, length: at - start }
      start = -1
    }
  }
}

function blobOf(run: string, place: Pick<Blob, 'number' | 'at' | 'length'>): Blob | undefined {
  if (!looksEncoded(run) && !JSON_IN_BASE64.test(run.slice(0, 3))) return undefined
  const bytes = Math.floor((run.replace(/=+$/, '').length * 3) / 4)
  const head = Buffer.from(run.slice(0, 64), 'base64')
  const known = MAGIC.find(({ sign }) => sign.every((byte, index) => byte === undefined || head[index] === byte))
  if (known !== undefined) {
    const dimensions =
      known.mediaType === 'image/png' && head.length >= 24 ? `${head.readUInt32BE(16)}x${head.readUInt32BE(20)}` : undefined
    return { ...place, mediaType: known.mediaType, bytes, ...(dimensions === undefined ? {} : { dimensions }) }
  }
  const text = textOf(Buffer.from(run.slice(0, LONGEST_DECODED), 'base64'))
  if (run.length < FEWEST_CHARACTERS && !isJsonText(text)) return undefined
  return {
    ...place,
    mediaType: text === undefined ? 'application/octet-stream' : 'text/plain',
    bytes,
    ...(text === undefined ? {} : { text }),
  }
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
