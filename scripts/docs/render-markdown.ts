import markdownIt from 'markdown-it'
import { escapeHtml } from './escape-html.ts'
import { highlight, type NameLink } from './highlight.ts'
import { anchorsOfPage } from './anchors-of-page.ts'

export interface Heading {
  readonly level: number
  readonly text: string
  readonly anchor: string
}

/** The text below one heading, for the search. */
interface TextSection {
  readonly heading: string
  readonly anchor: string
  text: string
}

export interface RenderedMarkdown {
  readonly html: string
  readonly title: string
  readonly headings: readonly Heading[]
  readonly sections: readonly TextSection[]
  readonly hasDiagram: boolean
}

export interface MarkdownLinks {
  /** Where a link of the text leads on the site. */
  readonly linkOf: (href: string) => string
  /** Where a name in the text or in code leads, if it is a public one. */
  readonly nameLink: NameLink
}

type Token = ReturnType<ReturnType<typeof markdownIt>['parse']>[number]

/** A name alone, or a call of it. */
const NAME = /^([\p{L}_$][\w$]*)(\(.*\))?$/u

/** Makes HTML of Markdown. Its own HTML is shown as text. */
export function renderMarkdown(text: string, links: MarkdownLinks): RenderedMarkdown {
  const markdown = markdownIt({ html: false, linkify: false })
  const headings: Heading[] = []
  const sections: TextSection[] = [{ heading: '', anchor: '', text: '' }]
  let hasDiagram = false
  const rules = markdown.renderer.rules
  rules['table_open'] = () => '<div class="table"><table>\n'
  rules['table_close'] = () => '</table></div>\n'
  rules['fence'] = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    const [language = '', ...note] = info.trim().split(/\s+/)
    hasDiagram ||= language === 'mermaid'
    return fenceHtml(content, language, note.join(' '), links.nameLink)
  }
  rules['code_inline'] = (tokens, index) => {
    const token = tokens[index]
    const code = `<code>${escapeHtml(token?.content ?? '')}</code>`
    const link = attribute(token, 'href')
    return link === '' ? code : `<a class="name" href="${escapeHtml(link)}">${code}</a>`
  }
  rules['heading_open'] = (tokens, index) => `<${tokens[index]?.tag} id="${escapeHtml(attribute(tokens[index], 'id'))}">`
  rules['heading_close'] = (tokens, index) => {
    const open = tokens[index - 2]
    return ` <a class="anchor" href="#${escapeHtml(attribute(open, 'id'))}" aria-label="Link to this section">#</a></${open?.tag}>\n`
  }
  const tokens = markdown.parse(text, {})
  const anchorOf = anchorsOfPage()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = plainText(tokens[index + 1])
      const anchor = anchorOf(heading)
      token.attrSet('id', anchor)
      headings.push({ level: Number(token.tag.slice(1)), text: heading, anchor })
      sections.push({ heading, anchor, text: '' })
    }
    if (token.type === 'inline') {
      resolveInline(token, links)
      const section = sections.at(-1)
      if (section !== undefined && tokens[index - 1]?.type !== 'heading_open') section.text += `${plainText(token)} `
    }
  }
  const html = markdown.renderer.render(tokens, markdown.options, {})
  return {
    html,
    title: headings[0]?.text ?? '',
    headings,
    sections: sections.filter((each) => each.heading !== '' || each.text !== ''),
    hasDiagram,
  }
}

/** A block of code, or a diagram that a script draws later; until then its text is shown. */
export function fenceHtml(code: string, language: string, note: string, nameLink: NameLink): string {
  if (language === 'mermaid') return `<figure class="diagram"><pre class="mermaid">${escapeHtml(code.trim())}</pre></figure>\n`
  const remark = note === '' ? '' : `<figcaption>${escapeHtml(caption(note))}</figcaption>`
  return `<figure class="code">${remark}<pre tabindex="0"><code>${highlight(code.trimEnd(), language, nameLink)}</code></pre></figure>\n`
}

/** The words behind the language of a fence, for a reader: test/docs/ts-blocks.ts says what they mean. */
function caption(note: string): string {
  return note.replace(/^peer/, 'code of the other library').replace(/^no-run:/, 'not run:')
}

function resolveInline(token: Token, { linkOf, nameLink }: MarkdownLinks): void {
  let inLink = false
  for (const child of token.children ?? []) {
    if (child.type === 'link_open') {
      inLink = true
      child.attrSet('href', linkOf(attribute(child, 'href')))
    } else if (child.type === 'link_close') inLink = false
    else if (child.type === 'image') child.attrSet('src', linkOf(attribute(child, 'src')))
    else if (child.type === 'code_inline' && !inLink) {
      const [, name, call] = NAME.exec(child.content) ?? []
      const link = name === undefined ? undefined : nameLink(name, call !== undefined)
      if (link !== undefined) child.attrSet('href', link)
    }
  }
}

function attribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? '')
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
}
