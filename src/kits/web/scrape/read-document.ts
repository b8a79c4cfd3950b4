import { boundedHtml } from './bounded-html.ts'
import type { ContentKind } from './content-kind.ts'
import { decodeText } from './decode-text.ts'
import { loadLinkedom, loadReadability, loadUnpdf } from './load-page-packages.ts'
import { visible } from '../visible-text.ts'
import { PageMarkdown, type PageNode } from './page-markdown.ts'

/** A document to read, as it is sent to the worker. */
export interface DocumentToRead {
  readonly kind: ContentKind
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly url: string
  /** `article`: the main part of a page, where one is found. `page`: all of it. */
  readonly extent: 'article' | 'page'
}

/** What is known of a document, and its text. */
export interface ReadDocument {
  readonly content: string
  readonly title?: string | undefined
  readonly language?: string | undefined
  readonly author?: string | undefined
  readonly published?: string | undefined
  readonly description?: string | undefined
  readonly siteName?: string | undefined
  readonly charset?: string | undefined
  readonly links?: readonly { readonly text: string; readonly url: string }[] | undefined
  /** `article` or `page` for a page, `pages` for a PDF. */
  readonly extent?: 'article' | 'page' | undefined
  readonly pages?: number | undefined
  readonly simplified?: boolean | undefined
}

const DEEPEST = 80
const MOST_ELEMENTS = 30_000
/** An article with less text than this is more likely a mistake. */
const SHORTEST_ARTICLE = 200
const MOST_ENTRIES = 100

/** Reads a document of any kind. It may take long and need much memory: call it in a worker. */
export async function readDocument(document: DocumentToRead): Promise<ReadDocument> {
  if (document.kind === 'pdf') return readPdf(document)
  const { text, charset } = decodeText(document.bytes, document.contentType)
  if (document.kind === 'html') return { charset, ...(await readPage(text, document)) }
  if (document.kind === 'feed') return { charset, ...(await readFeed(text, document)) }
  return { charset, content: visible(text) }
}

async function readPage(text: string, { url, extent }: DocumentToRead): Promise<ReadDocument> {
  const { parseHTML } = await loadLinkedom()
  const { html, simplified } = boundedHtml(text, { depth: DEEPEST, elements: MOST_ELEMENTS })
  // The parser loses what stands outside of the body, and pages often leave out its tags: all of a page is put into one.
  const inner = html.replaceAll(/<\/?(?:html|head|body)(?=[\s/>])[^>]*>/gi, ' ')
  const parse = (): Page => parseHTML(`<html><head></head><body>${inner}</body></html>`).document as unknown as Page
  const page = parse()
  const base = URL.parse(page.querySelector('base')?.getAttribute('href') ?? '', url)?.href ?? url
  const about = { ...aboutPage(page), ...languageOf(html) }
  const article = extent === 'page' ? undefined : await articleOf(parse, base)
  const whole = new PageMarkdown(base)
  if (article !== undefined) return { ...about, ...article, simplified, extent: 'article' }
  return { ...about, content: whole.write(page.body ?? page.documentElement), links: whole.links, simplified, extent: 'page' }
}

/** As much of a parsed document as is needed. */
interface Page {
  readonly documentElement: PageNode
  readonly body: PageNode | null
  readonly querySelector: (selector: string) => Required<PageNode> | null
  readonly querySelectorAll: (selector: string) => Iterable<Required<PageNode>>
}

function aboutPage(page: Page): Partial<ReadDocument> {
  const meta = (...names: readonly string[]): string | undefined =>
    names
      .map((name) => page.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute('content'))
      .map((each) => line(each))
      .find((each) => each !== undefined)
  return {
    title: line(page.querySelector('title')?.textContent) ?? meta('og:title') ?? line(page.querySelector('h1')?.textContent),
    language: meta('og:locale', 'language'),
    author: meta('author', 'article:author'),
    published:
      meta('article:published_time', 'date', 'dc.date', 'pubdate') ?? line(page.querySelector('time[datetime]')?.getAttribute('datetime')),
    description: meta('description', 'og:description'),
    siteName: meta('og:site_name', 'application-name'),
  }
}

function languageOf(html: string): Pick<ReadDocument, 'language'> {
  const language = /<html\s[^>]{0,1000}?\blang\s*=\s*["']?([\w-]{2,35})/i.exec(html)?.[1]
  return language === undefined ? {} : { language }
}

/** The main part of a page. Its tables, headings and links stay. */
async function articleOf(parse: () => Page, base: string): Promise<Pick<ReadDocument, 'content' | 'links'> | undefined> {
  const { Readability } = await loadReadability()
  try {
    const reader = new Readability<PageNode>(parse() as never, {
      charThreshold: SHORTEST_ARTICLE,
      disableJSONLD: true,
      maxElemsToParse: MOST_ELEMENTS,
      serializer: (node) => node as unknown as PageNode,
    })
    const found = reader.parse()?.content
    if (found === null || found === undefined) return undefined
    const markdown = new PageMarkdown(base)
    const content = markdown.write(found)
    return content.length < SHORTEST_ARTICLE ? undefined : { content, links: markdown.links }
  } catch {
    // It cannot read some pages. All of the page is better than nothing.
    return undefined
  }
}

async function readFeed(text: string, { url }: DocumentToRead): Promise<ReadDocument> {
  const { DOMParser } = await loadLinkedom()
  const { html, simplified } = boundedHtml(withoutCdata(text), { depth: DEEPEST, elements: MOST_ELEMENTS })
  const feed = new DOMParser().parseFromString(html, 'text/xml') as unknown as Page
  const entries = [...feed.querySelectorAll('item, entry')]
  const links: { text: string; url: string }[] = []
  const parts = entries.slice(0, MOST_ENTRIES).map((entry) => {
    const title = line(childText(entry, 'title')) ?? 'Untitled'
    const address = entryAddress(entry, url)
    if (address !== undefined) links.push({ text: title, url: address })
    const date = line(
      childText(entry, 'pubDate') ?? childText(entry, 'published') ?? childText(entry, 'updated') ?? childText(entry, 'dc:date'),
    )
    const summary = line(withoutTags(childText(entry, 'description') ?? childText(entry, 'summary') ?? childText(entry, 'content') ?? ''))
    return [
      `## ${address === undefined ? title : `[${title}](${address})`}`,
      ...(date === undefined ? [] : [date]),
      ...(summary === undefined ? [] : [summary]),
    ].join('\n')
  })
  if (entries.length > MOST_ENTRIES) parts.push(`[${entries.length - MOST_ENTRIES} more entries are left out.]`)
  const channel = feed.querySelector('channel') ?? feed.querySelector('feed')
  return {
    title: line(channel === null ? undefined : childText(channel, 'title')),
    language: line(channel === null ? undefined : (childText(channel, 'language') ?? channel.getAttribute('xml:lang'))),
    description: line(channel === null ? undefined : (childText(channel, 'description') ?? childText(channel, 'subtitle'))),
    content: parts.join('\n\n'),
    links,
    simplified,
  }
}

function childText(node: PageNode, name: string): string | undefined {
  for (const child of node.childNodes) if (child.localName?.toLowerCase() === name.toLowerCase()) return child.textContent ?? undefined
  return undefined
}

/** The address of an entry: the text of a link in RSS, an attribute in Atom. */
function entryAddress(entry: PageNode, base: string): string | undefined {
  const links = [...entry.childNodes].filter(({ localName }) => localName?.toLowerCase() === 'link')
  const page = links.find((each) => ['alternate', null, undefined, ''].includes(each.getAttribute?.('rel'))) ?? links[0]
  const address = line(page?.getAttribute?.('href')) ?? line(page?.textContent)
  const url = address === undefined ? null : URL.parse(address, base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** The content of `<![CDATA[...]]>` as a text like any other. It reads the text once, also where none of them ends. */
function withoutCdata(text: string): string {
  const [first = '', ...rest] = text.split('<![CDATA[')
  let kept = first
  let isOpen = false
  for (const part of rest) {
    const end = part.indexOf(']]>')
    // Inside of one, the beginning of another is a text too.
    const content = `${isOpen ? '<![CDATA[' : ''}${end < 0 ? part : part.slice(0, end)}`
    kept += content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    if (end >= 0) kept += part.slice(end + 3)
    isOpen = end < 0
  }
  return kept
}

function withoutTags(text: string): string {
  return text.replaceAll(/<[^<>]{0,2000}>/g, ' ')
}

async function readPdf({ bytes }: DocumentToRead): Promise<ReadDocument> {
  const { extractText, getDocumentProxy, getMeta } = await loadUnpdf()
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { text, totalPages } = await extractText(pdf, { mergePages: false })
  const { info } = await getMeta(pdf)
  const pages = text.map((page, index) => `## Page ${index + 1}\n\n${visible(page).trim()}`)
  return { title: line(info['Title']), author: line(info['Author']), content: pages.join('\n\n'), pages: totalPages }
}

const LONGEST_LINE = 500

/** A short text on one line; undefined if there is none. */
function line(value: unknown): string | undefined {
  const text = typeof value === 'string' ? visible(value).replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_LINE) : ''
  return text === '' ? undefined : text
}
