import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import MiniSearch from 'minisearch'
import { root } from '../run-program.ts'
import { apiPages, type Usage } from './api/api-pages.ts'
import { type ApiModule, readApi } from './api/read-api.ts'
import { brokenLinks } from './broken-links.ts'
import { linkBook, type LinkBook } from './link-book.ts'
import { importedNames, nameLinks, nameProblems } from './name-links.ts'
import { navigationProblems, type NavigationSection, pagesBelow, readNavigation } from './navigation.ts'
import { type MenuSection, pageFrame, type SitePage } from './page-frame.ts'
import { type RenderedMarkdown, renderMarkdown } from './render-markdown.ts'
import { SEARCH_OPTIONS, type SearchEntry } from './search-options.ts'
import { apiPath, sitePath } from './site-path.ts'
import { sourcePage } from './source-page.ts'

/** The script that draws diagrams, copied as it is. */
const MERMAID = 'assets/mermaid.js'

/** A site, ready to be written. */
export interface Site {
  /** The text of each file, by its place on the site. */
  readonly files: ReadonlyMap<string, string>
  readonly pages: readonly SitePage[]
  /** Links, names and pages that lead nowhere. A site with any is not published. */
  readonly problems: readonly string[]
}

interface WrittenPage extends RenderedMarkdown {
  readonly file: string
  readonly path: string
  readonly markdown: string
}

/** Makes the whole site of docs, the README and the sources, in memory. */
export async function buildSite(): Promise<Site> {
  const api = readApi()
  const navigation = readNavigation()
  const book = linkBook()
  const written = writtenPages(api, book)
  const reference = apiPages(api, { book, usages: usagesOf(written) })
  const pages: SitePage[] = [...written, ...reference, ...sourcePages(book)]
  const menu = menuOf(navigation, pages, api)
  const places = placesOf(navigation, api)
  const anchors = new Map(written.map(({ file, headings }) => [file, new Set(headings.map(({ anchor }) => anchor))]))
  const files = new Map(pages.map((page) => [page.path, pageFrame(page, { menu, place: places.get(page.path) })]))
  files.set('assets/search-index.js', `globalThis.toolwrightSearchIndex=${JSON.stringify(searchIndex(written, api))}`)
  files.set('assets/site.css', readFileSync(join(import.meta.dirname, 'browser', 'site.css'), 'utf8'))
  files.set('assets/site.js', await browserScript())
  const problems = [
    ...navigationProblems(navigation),
    ...book.deadLinks((file) => anchors.get(file)),
    ...written.flatMap(({ file, markdown }) => nameProblems(file, markdown, api)),
    ...brokenLinks(new Map([...files, [MERMAID, '']])),
  ]
  return { files, pages, problems }
}

/** Writes a site into a folder, which is emptied first. */
export async function writeSite({ files }: Site, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await copyFile(join(root, 'node_modules', 'mermaid', 'dist', 'mermaid.min.js'), join(folder, MERMAID))
}

/** All Markdown of docs and of the root. */
function writtenPages(api: readonly ApiModule[], book: LinkBook): readonly WrittenPage[] {
  const files = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).toSorted()
  return files.map((file) => {
    const markdown = readFileSync(join(root, file), 'utf8')
    const path = sitePath(file)
    const nameLink = nameLinks(api, path, importedNames(markdown))
    return { ...renderMarkdown(markdown, { linkOf: (href) => book.linkOf(file, href), nameLink }), file, path, markdown }
  })
}

/** A folder that is shown points to its files, so that the list grows while it is read. */
function sourcePages(book: LinkBook): readonly SitePage[] {
  const pages: SitePage[] = []
  for (const file of book.files) if (sitePath(file).startsWith('source/') && isShowable(file)) pages.push(sourcePage(file, book))
  return pages
}

function isShowable(file: string): boolean {
  return existsSync(join(root, file)) && statSync(join(root, file)).size < 1_000_000
}

function menuOf(navigation: readonly NavigationSection[], pages: readonly SitePage[], api: readonly ApiModule[]): readonly MenuSection[] {
  const titles = new Map(pages.map(({ path, title }) => [path, title]))
  return navigation.map(({ title, pages: listed }) => ({
    title,
    links: listed.flatMap(({ page, title: named }) => {
      if (page === 'api')
        return [{ title: 'API', path: 'api/index.html' }, ...api.map(({ name }) => ({ title: name, path: apiPath(name) }))]
      const path = sitePath(page)
      return [{ title: named ?? titles.get(path) ?? page, path }]
    }),
  }))
}

/** By the path of each page, the path of the link of the menu under which it is found. */
function placesOf(navigation: readonly NavigationSection[], api: readonly ApiModule[]): ReadonlyMap<string, string> {
  const listed = navigation.flatMap(({ pages }) => pages).filter(({ page }) => page !== 'api')
  const written = listed.flatMap((each) => [each.page, ...pagesBelow(each)].map((file) => [sitePath(file), sitePath(each.page)] as const))
  return new Map([...written, ...['api/index.html', ...api.map(({ name }) => apiPath(name))].map((path) => [path, path] as const)])
}

/** The guides that import each name. */
function usagesOf(written: readonly WrittenPage[]): ReadonlyMap<string, readonly Usage[]> {
  const usages = new Map<string, Usage[]>()
  for (const { file, path, title, markdown } of written) {
    if (file !== 'README.md' && !/^docs\/(guides|coming-from)\//.test(file)) continue
    const keys = new Set(importedNames(markdown).map(({ name, module }) => `${module}#${name}`))
    for (const key of keys) usages.set(key, [...(usages.get(key) ?? []), { title: path === 'index.html' ? 'README' : title, path }])
  }
  return usages
}

function searchIndex(written: readonly WrittenPage[], api: readonly ApiModule[]): unknown {
  const ofPages = written.flatMap(({ title, path, sections }) =>
    sections.map(({ heading, anchor, text }) => ({
      page: title,
      heading: heading || title,
      text,
      link: anchor === '' ? path : `${path}#${anchor}`,
    })),
  )
  const ofNames = api.flatMap(({ name: module, entries }) =>
    entries.map(({ name, description }) => ({ page: module, heading: name, text: description, link: `${apiPath(module)}#${name}` })),
  )
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS)
  index.addAll([...ofPages, ...ofNames].map((entry, id) => ({ ...entry, id })))
  return index
}

async function browserScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'browser', 'site.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}
