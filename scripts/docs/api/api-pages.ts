import { escapeHtml } from '../escape-html.ts'
import { highlight, type NameLink } from '../highlight.ts'
import type { LinkBook } from '../link-book.ts'
import { nameLinks } from '../name-links.ts'
import type { SitePage } from '../page-frame.ts'
import { fenceHtml, renderMarkdown } from '../render-markdown.ts'
import { apiPath, relativeLink } from '../site-path.ts'
import { type ApiEntry, type ApiModule, isType } from './read-api.ts'

/** A guide that uses a name. */
export interface Usage {
  readonly title: string
  readonly path: string
}

export interface ApiSurroundings {
  readonly book: LinkBook
  /** The guides that import a name, by `module#name`. */
  readonly usages: ReadonlyMap<string, readonly Usage[]>
}

/** The pages of the reference: one for each subpath of the package, and the list of them. */
export function apiPages(api: readonly ApiModule[], surroundings: ApiSurroundings): readonly SitePage[] {
  return [indexPage(api), ...api.map((module) => modulePage(module, api, surroundings))]
}

function indexPage(api: readonly ApiModule[]): SitePage {
  const path = 'api/index.html'
  const rows = api.map(({ name, entries }) => {
    const values = entries.filter((entry) => !isType(entry))
    const names = values.map(
      (entry) => `<a class="name" href="${relativeLink(path, `${apiPath(name)}#${entry.name}`)}"><code>${entry.name}</code></a>`,
    )
    return `<h2 id="${name}"><a href="${relativeLink(path, apiPath(name))}"><code>${name}</code></a></h2>\n<p>${names.join(' ')}</p>\n<p class="meta">${values.length} values, ${entries.length - values.length} types</p>`
  })
  return {
    path,
    title: 'API',
    html: `<h1 id="api">API</h1>\n<p>Every public name, read from the sources: what it is, its declaration, an example that the tests run, and the guides that use it.</p>\n${rows.join('\n')}`,
    headings: api.map(({ name }) => ({ level: 2, text: name, anchor: name })),
    hasDiagram: false,
  }
}

function modulePage(module: ApiModule, api: readonly ApiModule[], surroundings: ApiSurroundings): SitePage {
  const path = apiPath(module.name)
  const groups = [
    { title: 'Values', anchor: 'values', entries: module.entries.filter((entry) => !isType(entry)) },
    { title: 'Types', anchor: 'types', entries: module.entries.filter(isType) },
  ].filter(({ entries }) => entries.length > 0)
  const own = module.entries.map(({ name }) => ({ name, module: module.name }))
  const nameLink = nameLinks(api, path, own)
  const body = groups.map(
    ({ title, anchor, entries }) =>
      `<h2 id="${anchor}">${title}</h2>\n<p class="names">${entries.map(({ name }) => `<a class="name" href="#${name}"><code>${name}</code></a>`).join(' ')}</p>\n` +
      entries.map((entry) => entryHtml(entry, module.name, { ...surroundings, nameLink, path })).join('\n'),
  )
  return {
    path,
    title: module.name,
    html: `<h1 id="top"><code>${module.name}</code></h1>\n${fenceHtml(`import { ... } from '${module.name}'`, 'ts', '', () => undefined)}${body.join('\n')}`,
    headings: groups.map(({ title, anchor }) => ({ level: 2, text: title, anchor })),
    hasDiagram: false,
  }
}

interface EntrySurroundings extends ApiSurroundings {
  readonly nameLink: NameLink
  readonly path: string
}

function entryHtml(entry: ApiEntry, module: string, { book, usages, nameLink, path }: EntrySurroundings): string {
  const linkElsewhere: NameLink = (name, isCall) => (name === entry.name ? undefined : nameLink(name, isCall))
  const description = renderMarkdown(linksAsCode(entry.description), { linkOf: (href) => href, nameLink: linkElsewhere }).html
  const marks = [
    `<span class="kind">${entry.kind}</span>`,
    ...(entry.experimental ? ['<span class="kind warn">experimental</span>'] : []),
    ...(entry.deprecated === undefined ? [] : ['<span class="kind warn">deprecated</span>']),
  ]
  const guides = (usages.get(`${module}#${entry.name}`) ?? []).map(
    (guide) => `<a href="${relativeLink(path, guide.path)}">${escapeHtml(guide.title)}</a>`,
  )
  // Pages of the reference are made, not written: their links to sources are noted as if the page lay in docs/api.
  const source = book.linkOf('docs/api/page.md', `../../${entry.file}#L${entry.line}`)
  return [
    `<section class="entry"><h3 id="${entry.name}"><code>${entry.name}</code> ${marks.join(' ')} <a class="anchor" href="#${entry.name}" aria-label="Link to ${entry.name}">#</a></h3>`,
    description,
    `<figure class="code signature"><pre tabindex="0"><code>${highlight(entry.signature, 'ts', linkElsewhere)}</code></pre></figure>`,
    ...entry.examples.map((code) => `<p class="meta">Example</p>${fenceHtml(code, 'ts', '', linkElsewhere)}`),
    `<p class="meta">${guides.length === 0 ? '' : `Guides: ${guides.join(', ')} · `}<a href="${escapeHtml(source)}">Source</a></p></section>`,
  ].join('\n')
}

/** `{@link name}` of JSDoc as a name in code, which is linked as everywhere. */
function linksAsCode(description: string): string {
  return description.replaceAll(/\{@link ([\w$]+)[^}]*\}/g, '`$1()`').replaceAll('()`', '`')
}
