/** Where the charset of a document was found. */
type CharsetSource = 'bom' | 'header' | 'document' | 'default'

export interface DecodedText {
  readonly text: string
  readonly charset: string
  readonly source: CharsetSource
}

const MARKS: readonly (readonly [hex: string, charset: string])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]
/** Documents name their charset at the very beginning. */
const HEAD = 1024

/**
 * Decodes a text by the rules of browsers: the mark at its beginning, then the header, then the document itself. Without any of them it is UTF-8
 * if it can be, else Windows-1252, which is what old pages without a charset are written in.
 */
export function decodeText(bytes: Uint8Array, contentType: string): DecodedText {
  const begin = Buffer.from(bytes.subarray(0, 3)).toString('hex')
  const mark = MARKS.find(([hex]) => begin.startsWith(hex))
  if (mark !== undefined) return { ...decoded(bytes, mark[1]), source: 'bom' }
  const named = known(/charset\s*=\s*["']?\s*([\w:-]+)/i.exec(contentType)?.[1])
  if (named !== undefined) return { ...decoded(bytes, named), source: 'header' }
  const inside = charsetInside(Buffer.from(bytes.subarray(0, HEAD)).toString('latin1'))
  if (inside !== undefined) return { ...decoded(bytes, inside), source: 'document' }
  return { ...decoded(bytes, isUtf8(bytes) ? 'utf-8' : 'windows-1252'), source: 'default' }
}

function charsetInside(head: string): string | undefined {
  const name =
    /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w:-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:-]+)/i.exec(head)?.[1]
  const charset = known(name)
  // A document that could be read as far as here is not in UTF-16.
  return charset?.startsWith('utf-16') === true ? 'utf-8' : charset
}

/** The name by which the decoder knows a charset. */
function known(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

/** The end may be cut off in the middle of a character. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function decoded(bytes: Uint8Array, charset: string): Pick<DecodedText, 'text' | 'charset'> {
  return { text: new TextDecoder(charset).decode(bytes), charset }
}
