/** Elements whose content is no text of the page. */
const DROPPED: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'canvas',
  'noembed',
  'noframes',
])
/** Elements without an end. */
const VOID: ReadonlySet<string> = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements that the parser closes by itself: one after the other, they are no deeper. */
const SELF_CLOSING: ReadonlySet<string> = new Set(
  'p li dt dd option optgroup tr td th thead tbody tfoot colgroup rb rt rtc rp body head html'.split(' '),
)

export interface BoundedHtml {
  readonly html: string
  /** Whether tags were left out because they were nested too deeply, or too many. Their text is kept. */
  readonly simplified: boolean
}

interface Bounds {
  readonly depth: number
  readonly elements: number
}

/**
 * The same page without scripts and comments, in which no element is nested deeper than the bound: parsers of HTML need time that grows with
 * the square of the depth. It reads the text once.
 */
export function boundedHtml(html: string, { depth: deepest, elements: most }: Bounds): BoundedHtml {
  const kept: string[] = []
  // `next` searches forward only, and remembers that there is no more of something.
  const next = searcher(html)
  let [position, depth, elements, simplified] = [0, 0, 0, false]
  /** How many starts were left out whose ends are still to come, by name. */
  const left = new Map<string, number>()
  while (position < html.length) {
    const open = next('<', position)
    if (open > position) kept.push(html.slice(position, open))
    if (open >= html.length) break
    if (html.startsWith('<!--', open)) {
      position = next('-->', open) + 3
      continue
    }
    const close = next('>', open)
    const [, slash = '', given = ''] = /^<(\/?)([a-z][^\s/>]{0,60})/i.exec(html.slice(open, open + 80)) ?? []
    const name = given.toLowerCase()
    if (name === '') {
      // A lone '<', a doctype, or something that only looks like a tag.
      position = html[open + 1] === '!' || html[open + 1] === '?' ? close + 1 : open + 1
      if (position === open + 1) kept.push('&lt;')
      continue
    }
    // A tag without an end is none; it could hold the beginnings of as many others as there is room for.
    if (close >= html.length) break
    position = close + 1
    if (DROPPED.has(name)) {
      if (slash === '' && html[close - 1] !== '/') position = Math.max(position, next('>', next(`</${name}`, position)) + 1)
      continue
    }
    const isVoid = VOID.has(name)
    const isOpening = slash === ''
    if (isOpening) elements++
    if (isOpening ? depth >= deepest || elements > most : (left.get(name) ?? 0) > 0) {
      if (!isVoid) left.set(name, (left.get(name) ?? 0) + (isOpening ? 1 : -1))
      simplified = true
      kept.push(' ')
      continue
    }
    kept.push(html.slice(open, position))
    if (!isVoid && !SELF_CLOSING.has(name)) depth = Math.max(0, depth + (isOpening ? 1 : -1))
  }
  return { html: kept.join(''), simplified }
}

/** Finds a text from a position on, without regard to case; the end if there is none. */
function searcher(html: string): (text: string, from: number) => number {
  const small = html.toLowerCase().length === html.length ? html.toLowerCase() : html
  const ended = new Set<string>()
  return (text, from) => {
    if (ended.has(text)) return html.length
    const found = small.indexOf(text, from)
    if (found >= 0) return found
    ended.add(text)
    return html.length
  }
}
