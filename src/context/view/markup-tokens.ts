/** A piece of HTML or XML. */
export type MarkupToken =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly isClosed: boolean; readonly at: number }
  | { readonly kind: 'close'; readonly name: string; readonly at: number }

const LONGEST_TAG = 4000
/** Their content is text for a program. */
const RAW = new Set(['script', 'style', 'template', 'noscript', 'svg'])

/** The tokens of markup in one pass. A tag that is never closed is text. */
export function* markupTokens(text: string): Generator<MarkupToken> {
  let at = 0
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    if (tag < 0) {
      yield { kind: 'text', text: text.slice(at), at }
      return
    }
    if (tag > at) yield { kind: 'text', text: text.slice(at, tag), at }
    const special = skipSpecial(text, tag)
    if (special !== undefined) {
      if (special.text !== '') yield { kind: 'text', text: special.text, at: tag }
      at = special.end
      continue
    }
    const close = text.slice(tag, tag + LONGEST_TAG).indexOf('>')
    const end = tag + close
    const body = close < 0 ? '' : text.slice(tag + 1, end)
    const [, slash = '', name = ''] = /^(\/?)([A-Za-z][\w:.-]{0,80})/.exec(body) ?? []
    if (name === '') {
      yield { kind: 'text', text: '<', at: tag }
      at = tag + 1
      continue
    }
    at = end + 1
    if (slash === '/') yield { kind: 'close', name, at: tag }
    else {
      const isClosed = body.endsWith('/')
      yield { kind: 'open', name, attributes: body.slice(name.length), isClosed, at: tag }
      if (RAW.has(name.toLowerCase()) && !isClosed) at = endOfRaw(text, at, name)
    }
  }
}

/** Comments, declarations and CDATA. */
function skipSpecial(text: string, at: number): { readonly end: number; readonly text: string } | undefined {
  const until = (mark: string): number => {
    const end = text.indexOf(mark, at)
    return end < 0 ? text.length : end + mark.length
  }
  if (text.startsWith('<!--', at)) return { end: until('-->'), text: '' }
  if (text.startsWith('<![CDATA[', at)) {
    const end = until(']]>')
    return { end, text: text.slice(at + 9, text.startsWith(']]>', end - 3) ? end - 3 : end) }
  }
  if (text.startsWith('<!', at) || text.startsWith('<?', at)) return { end: until('>'), text: '' }
  return undefined
}

function endOfRaw(text: string, from: number, name: string): number {
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2)) {
    if (text.slice(at + 2, at + 2 + name.length).toLowerCase() === name.toLowerCase()) return at
  }
  return text.length
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  euro: '€',
  copy: '©',
  hellip: '…',
}

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-z]{2,8});/g, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** The attributes of a tag by their names. */
export function attributesOf(text: string): readonly (readonly [string, string])[] {
  return [...text.slice(0, 2000).matchAll(/([A-Za-z_:][\w:.-]{0,60})\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\s"'>]{1,500}))/g)].map(
    ([, name = '', double, single, bare]) => [name, decodeEntities(double ?? single ?? bare ?? '')],
  )
}
