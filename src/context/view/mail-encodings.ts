const HEADER_WORD = /=\?([\w-]{1,40})\?([BQ])\?([^?\s]{0,2000})\?=(?:[ \t]+(?==\?))?/gi
const QUOTED = /^content-transfer-encoding:\s*quoted-printable\s*$/i
const CHARSET = /charset="?([\w-]{1,40})/i
/** A part of a mail ends here, or a mail in an archive. */
const END_OF_A_PART = /^--\S|^From /
const HEADERS_LOOKED_AT = 12

/** Lines of a mail as their reader sees them: words of headers and bodies that were written for seven bits are decoded. There are as many lines as before. */
export function mailLines(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.includes('=?') || QUOTED.test(line))) return lines
  const shown = lines.map((line) => (line.includes('=?') ? withoutHeaderWords(line) : line))
  for (let at = 0; at < shown.length; at++) {
    if (!QUOTED.test(shown[at] ?? '')) continue
    const headers = shown.slice(Math.max(0, at - HEADERS_LOOKED_AT), at + HEADERS_LOOKED_AT)
    const body = shown.findIndex((line, below) => below > at && line.trim() === '') + 1
    if (body === 0) break
    const length = shown.slice(body).findIndex((line) => END_OF_A_PART.test(line))
    const end = length < 0 ? shown.length : body + length
    decodeBody(shown, { from: body, to: end, charset: charsetOf(headers) })
    at = end - 1
  }
  return shown
}

function withoutHeaderWords(line: string): string {
  return line.replace(HEADER_WORD, (whole, charset: string, way: string, text: string) => {
    const bytes = way.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : quotedBytes(text.replaceAll('_', ' '))
    return decoded(bytes, charset) ?? whole
  })
}

/** Lines that were broken are put together; those that become free are left empty, so that all others keep their numbers. */
function decodeBody(
  lines: string[],
  { from, to, charset }: { readonly from: number; readonly to: number; readonly charset: string },
): void {
  for (let at = from; at < to; at++) {
    let whole = lines[at] ?? ''
    let next = at + 1
    while (whole.endsWith('=') && next < to) whole = whole.slice(0, -1) + (lines[next++] ?? '')
    lines[at] = decoded(quotedBytes(whole), charset) ?? whole
    for (let empty = at + 1; empty < next; empty++) lines[empty] = ''
    at = next - 1
  }
}

function quotedBytes(text: string): Buffer {
  const parts = text.split(/((?:=[\dA-Fa-f]{2})+)/)
  return Buffer.concat(parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : Buffer.from(part.replaceAll('=', ''), 'hex'))))
}

function charsetOf(headers: readonly string[]): string {
  return headers.map((line) => CHARSET.exec(line)?.[1]).find((charset) => charset !== undefined) ?? 'utf-8'
}

function decoded(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
