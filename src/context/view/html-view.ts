import { attributesOf, decodeEntities, markupTokens } from './markup-tokens.ts'
import { repeatedElements } from './repeated-elements.ts'
import { sentencesOf } from './sentences.ts'
import { Table } from './table.ts'
import type { FoundView, Sentence } from './view.ts'

const BLOCK = new Set(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tbody td tfoot th thead tr ul title'.split(
    ' ',
  ),
)
const NOT_READ = new Set(['nav', 'head', 'script', 'style', 'noscript', 'template', 'svg', 'button', 'select'])
const MOST_TABLES = 30
const MOST_LINKS = 5000

/** Whether a text is a page, by its first characters. */
export function looksLikeHtml(text: string): boolean {
  const head = text.slice(0, 2000)
  if (/<!doctype html|<html[\s>]/i.test(head)) return true
  return (head.match(/<\/?(?:div|p|span|table|tr|td|ul|li|h[1-6]|a|body|head)[\s>]/gi)?.length ?? 0) >= 6
}

/** A page: what a person reads, its headings, its tables and links. */
export function htmlView(text: string): FoundView {
  const page = new PageReader(lineIndex(text), repeatedElements(markupTokens(text), lineIndex(text)))
  for (const token of markupTokens(text)) {
    if (token.kind === 'text') page.text(decodeEntities(token.text), token.at)
    else if (token.kind === 'open') page.open(token.name.toLowerCase(), token.attributes, token.at)
    else page.close(token.name.toLowerCase())
  }
  return page.view()
}

class PageReader {
  readonly #lineAt: (at: number) => number
  readonly #sentences: Sentence[] = []
  readonly #headings: Sentence[] = []
  readonly #tables: Table[] = []
  readonly #cards: readonly Table[]
  readonly #links = new Table('links')
  readonly #meta: (readonly [string, unknown])[] = []
  #block = ''
  /** Looked at for each piece of text: the block itself may be long. */
  #isBlank = true
  #blockAt = 0
  #heading = ''
  #hidden = 0
  #cells: string[] | undefined
  #rows: { cells: string[]; at: number; isHead: boolean }[] | undefined
  #isHeadRow = false
  #link: { href: string; text: string; at: number } | undefined

  constructor(lineAt: (at: number) => number, cards: readonly Table[]) {
    this.#lineAt = lineAt
    this.#cards = cards
  }

  text(text: string, at: number): void {
    if (this.#link !== undefined) this.#link.text += text
    if (this.#hidden > 0) return
    if (this.#isBlank && text.trim() !== '') {
      this.#blockAt = at
      this.#isBlank = false
    }
    this.#block += text
  }

  open(name: string, attributes: string, at: number): void {
    if (name === 'meta') return this.#readMeta(attributes)
    if (NOT_READ.has(name) && name !== 'head') this.#hidden++
    if (name === 'title') this.#hidden = 0
    if (BLOCK.has(name)) this.#endBlock()
    if (name === 'table' && this.#rows === undefined) this.#rows = []
    if (name === 'tr') {
      this.#cells = []
      this.#isHeadRow = false
      this.#blockAt = at
    }
    if (name === 'th') this.#isHeadRow = true
    if (name === 'a') this.#link = { href: attributesOf(attributes).find(([key]) => key.toLowerCase() === 'href')?.[1] ?? '', text: '', at }
  }

  close(name: string): void {
    if (NOT_READ.has(name) && name !== 'head') this.#hidden = Math.max(0, this.#hidden - 1)
    if ((name === 'td' || name === 'th') && this.#cells !== undefined) {
      this.#cells.push(this.#takeBlock())
      return
    }
    if (/^h[1-6]$|^title$/.test(name)) {
      const heading = this.#takeBlock()
      if (heading !== '') {
        this.#heading = heading
        this.#headings.push({ text: heading, line: this.#lineAt(this.#blockAt) })
      }
      return
    }
    if (name === 'tr' && this.#cells !== undefined) {
      if (this.#cells.length > 0) this.#rows?.push({ cells: this.#cells, at: this.#blockAt, isHead: this.#isHeadRow })
      this.#cells = undefined
    }
    if (name === 'table') this.#endTable()
    if (name === 'a') this.#endLink()
    if (BLOCK.has(name)) this.#endBlock()
  }

  view(): FoundView {
    this.#endTable()
    this.#endBlock()
    const tables = [...this.#tables, ...this.#cards, ...(this.#links.rows > 0 ? [this.#links] : [])]
    return {
      shape: 'html',
      tables,
      scalars: this.#meta,
      sentences: this.#sentences,
      headings: this.#headings,
      document: {
        headings: this.#headings.map(({ text }) => text),
        text: this.#sentences.map(({ text }) => text),
        tables: [...this.#tables, ...this.#cards].map((table) =>
          Object.fromEntries([...table.columns].map(([column, cells]) => [column, cells])),
        ),
      },
    }
  }

  #takeBlock(): string {
    const text = this.#block.replace(/\s+/g, ' ').trim()
    this.#block = ''
    this.#isBlank = true
    return text
  }

  #endBlock(): void {
    if (this.#isBlank) {
      this.#block = ''
      return
    }
    const line = this.#lineAt(this.#blockAt)
    if (this.#cells !== undefined) return
    for (const text of sentencesOf(this.#takeBlock())) this.#sentences.push({ text, line, place: this.#heading || undefined })
  }

  #endTable(): void {
    const rows = this.#rows
    this.#rows = undefined
    if (rows === undefined || rows.length < 2 || this.#tables.length >= MOST_TABLES) return
    const [first] = rows
    const names = first?.isHead === true || !first?.cells.some((cell) => /^\d/.test(cell)) ? first?.cells : undefined
    const table = new Table(this.#heading === '' ? `table ${this.#tables.length + 1}` : this.#heading.slice(0, 80))
    for (const { cells, at } of names === undefined ? rows : rows.slice(1)) {
      const row = table.addRow({ ref: this.#lineAt(at) - 1 })
      cells.forEach((cell, column) => cell !== '' && table.set(row, names?.[column] || `column ${column + 1}`, cell))
    }
    this.#tables.push(table)
  }

  #endLink(): void {
    const link = this.#link
    this.#link = undefined
    if (link === undefined || link.href === '' || this.#links.rows >= MOST_LINKS) return
    const row = this.#links.addRow({ ref: this.#lineAt(link.at) - 1 })
    this.#links.set(row, 'text', link.text.replace(/\s+/g, ' ').trim())
    this.#links.set(row, 'href', link.href)
  }

  #readMeta(attributes: string): void {
    const own = new Map(attributesOf(attributes))
    const name = own.get('name') ?? own.get('property')
    const content = own.get('content')
    if (name !== undefined && content !== undefined) this.#meta.push([name, content])
  }
}

/** The line of a place in a text, from 1; places are asked for in rising order. */
function lineIndex(text: string): (at: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  let last = 0
  return (at) => {
    if (at < last) {
      line = 1
      next = text.indexOf('\n')
    }
    last = at
    while (next >= 0 && next < at) {
      line++
      next = text.indexOf('\n', next + 1)
    }
    return line
  }
}
