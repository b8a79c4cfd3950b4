import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { root } from '../run-program.ts'
import { escapeHtml } from './escape-html.ts'
import { highlight } from './highlight.ts'
import type { LinkBook } from './link-book.ts'
import type { SitePage } from './page-frame.ts'
import { sitePath } from './site-path.ts'

/** Folders that are made, not written. */
const MADE = new Set(['node_modules', 'dist', '.cache', 'site'])

/** A file of the repository as it is, or the list of a folder. */
export function sourcePage(file: string, book: LinkBook): SitePage {
  const isFolder = statSync(join(root, file)).isDirectory()
  const html = `<h1><code>${escapeHtml(file)}</code></h1>\n${isFolder ? folderHtml(file, book) : fileHtml(file)}`
  return { path: sitePath(file), title: file, html, headings: [], hasDiagram: false }
}

function fileHtml(file: string): string {
  const text = readFileSync(join(root, file), 'utf8').trimEnd()
  const numbers = text.split('\n').map((_, index) => `<a id="L${index + 1}" href="#L${index + 1}">${index + 1}</a>`)
  const code = highlight(
    text,
    extname(file)
      .slice(1)
      .replace(/^[cm]ts$/, 'ts'),
  )
  return `<div class="source" tabindex="0"><pre class="lines" aria-hidden="true">${numbers.join('\n')}</pre><pre><code>${code}</code></pre></div>`
}

function folderHtml(folder: string, book: LinkBook): string {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(({ name }) => !MADE.has(name))
  const items = entries
    .map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .toSorted()
    .map((name) => `<li><a href="${escapeHtml(book.linkOf(`${folder}/`, name))}"><code>${escapeHtml(name)}</code></a></li>`)
  return `<ul>\n${items.join('\n')}\n</ul>`
}
