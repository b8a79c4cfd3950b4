import { visible } from '../visible-text.ts'

/** As much of a node of the parsed page as is needed. */
export interface PageNode {
  readonly nodeType: number
  readonly localName?: string | undefined
  readonly textContent: string | null
  readonly childNodes: Iterable<PageNode>
  readonly getAttribute?: (name: string) => string | null
}

const ELEMENT = 1
const TEXT = 3
const BLOCKS: ReadonlySet<string> = new Set(
  'p div section article main header footer aside nav figure figcaption form fieldset address details summary dl dt dd body center'.split(
    ' ',
  ),
)
const SKIPPED: ReadonlySet<string> = new Set(
  'script style template noscript svg math iframe object canvas button input select textarea head title'.split(' '),
)

/** Writes a parsed page as text: headings with `#`, lists, links with their full address, tables with bars, code as it is. */
export class PageMarkdown {
  readonly #base: string
  /** The links in the order of the page. */
  readonly links: { readonly text: string; readonly url: string }[] = []

  constructor(base: string) {
    this.#base = base
  }

  write(node: PageNode): string {
    return this.#blocks(node)
      .replaceAll(/[ \t]+\n/g, '\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  }

  #blocks(node: PageNode): string {
    let text = ''
    for (const child of node.childNodes) text += this.#one(child)
    return text
  }

  #one(node: PageNode): string {
    if (node.nodeType === TEXT) return visible(node.textContent ?? '').replaceAll(/\s+/g, ' ')
    const name = node.localName?.toLowerCase() ?? ''
    if (node.nodeType !== ELEMENT || SKIPPED.has(name) || isHidden(node)) return ''
    if (/^h[1-6]$/.test(name)) {
      const heading = oneLine(this.#blocks(node))
      return heading === '' ? '' : block(`${'#'.repeat(Number(name[1]))} ${heading}`)
    }
    switch (name) {
      case 'br':
        return '\n'
      case 'hr':
        return '\n\n---\n\n'
      case 'a':
        return this.#link(node)
      case 'img':
        return this.#image(node)
      case 'pre':
        return block(`\`\`\`\n${visible(node.textContent ?? '').replaceAll(/^\n+|\s+$/g, '')}\n\`\`\``)
      case 'code':
        return `\`${oneLine(this.#blocks(node))}\``
      case 'ul':
      case 'ol':
        return block(this.#list(node, name === 'ol'))
      case 'blockquote':
        return block(prefixed(this.#inner(node), '> '))
      case 'table':
        return block(this.#table(node))
      case 'li':
        return block(this.#inner(node))
      default:
        return BLOCKS.has(name) ? block(this.#blocks(node)) : this.#blocks(node)
    }
  }

  #inner(node: PageNode): string {
    return this.#blocks(node)
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  }

  #link(node: PageNode): string {
    const text = oneLine(this.#blocks(node))
    const url = this.#address(node.getAttribute?.('href'))
    if (text === '' || url === undefined) return text
    this.links.push({ text, url })
    return `[${text}](${url})`
  }

  #image(node: PageNode): string {
    const text = oneLine(visible(node.getAttribute?.('alt') ?? ''))
    const url = this.#address(node.getAttribute?.('src'))
    return text === '' || url === undefined ? '' : `![${text}](${url})`
  }

  #list(node: PageNode, isOrdered: boolean): string {
    const lines: string[] = []
    for (const item of node.childNodes) {
      const text = item.localName?.toLowerCase() === 'li' ? this.#inner(item) : this.#one(item).trim()
      if (text === '') continue
      const mark = isOrdered ? `${lines.length + 1}. ` : '- '
      lines.push(`${mark}${prefixed(text.replaceAll(/\n\n+/g, '\n'), ' '.repeat(mark.length)).trimStart()}`)
    }
    return lines.join('\n')
  }

  /** A table with one cell a row is a means of layout. Text outside the cells stands before the table, as in a browser. */
  #table(node: PageNode): string {
    const { rows: found, beside } = rowsOf(node)
    const before = beside.map((each) => this.#one(each)).join('')
    const rows = found.map((row) => cellsOf(row).map((cell) => oneLine(this.#blocks(cell)).replaceAll('|', String.raw`\|`)))
    const width = Math.max(0, ...rows.map((row) => row.length))
    if (width < 2) return [before, ...rows.flat()].join('\n\n')
    const [head = [], ...rest] = rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => '')])
    return `${before}\n\n${[head, head.map(() => '---'), ...rest].map((row) => `| ${row.join(' | ')} |`).join('\n')}`
  }

  #address(href: string | null | undefined): string | undefined {
    if (href === null || href === undefined || href.startsWith('#')) return undefined
    const url = URL.parse(href, this.#base)
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined
    return url.href.replaceAll('(', '%28').replaceAll(')', '%29')
  }
}

const GROUPS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot'])

/** The rows of a table, and the nodes that are in none of them. */
function rowsOf(node: PageNode): { readonly rows: PageNode[]; readonly beside: PageNode[] } {
  const [rows, beside]: [PageNode[], PageNode[]] = [[], []]
  for (const child of node.childNodes) {
    const name = child.localName?.toLowerCase() ?? ''
    if (name === 'tr') {
      rows.push(child)
      beside.push(...[...child.childNodes].filter((each) => !isCell(each)))
    } else if (GROUPS.has(name)) {
      const inner = rowsOf(child)
      rows.push(...inner.rows)
      beside.push(...inner.beside)
    } else beside.push(child)
  }
  return { rows, beside }
}

function isCell({ localName }: PageNode): boolean {
  return localName?.toLowerCase() === 'td' || localName?.toLowerCase() === 'th'
}

function cellsOf(row: PageNode): PageNode[] {
  return [...row.childNodes].filter(isCell)
}

/** Text that no reader of the page sees is often meant for a machine alone. */
function isHidden(node: PageNode): boolean {
  if (node.getAttribute === undefined) return false
  const style = node.getAttribute('style') ?? ''
  if (/display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])/i.test(style)) return true
  return node.getAttribute('hidden') !== null || node.getAttribute('aria-hidden') === 'true'
}

function block(text: string): string {
  return text.trim() === '' ? '' : `\n\n${text.trim()}\n\n`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function prefixed(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => `${prefix}${line}`)
    .join('\n')
}
