import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-program.ts'

/** One part of the order in which the pages are read. */
export interface NavigationSection {
  readonly title: string
  readonly pages: readonly NavigationPage[]
}

export interface NavigationPage {
  /** A file from the root of the repository, or `api` for the reference. */
  readonly page: string
  /** Its name in the menu; its heading by default. */
  readonly title?: string | undefined
  /** Pages that are reached from this one only, such as those of the error codes. */
  readonly below?: string | undefined
}

/** The order of the pages, as docs/navigation.json says it. */
export function readNavigation(): readonly NavigationSection[] {
  const { sections } = JSON.parse(readFileSync(join(root, 'docs', 'navigation.json'), 'utf8')) as {
    readonly sections: readonly { readonly title: string; readonly pages: readonly (string | NavigationPage)[] }[]
  }
  return sections.map(({ title, pages }) => ({ title, pages: pages.map((page) => (typeof page === 'string' ? { page } : page)) }))
}

/** The files that stand below a page, without the page itself. */
export function pagesBelow({ page, below }: NavigationPage): readonly string[] {
  return below === undefined
    ? []
    : globSync(below, { cwd: root })
        .filter((file) => file !== page)
        .toSorted()
}

/** What is wrong with the order: pages that it does not have, has twice, or that do not exist. */
export function navigationProblems(sections: readonly NavigationSection[]): readonly string[] {
  const listed = sections.flatMap(({ pages }) => pages).flatMap((page) => [page.page, ...pagesBelow(page)])
  const written = new Set(globSync(['README.md', 'docs/**/*.md'], { cwd: root }))
  const known = new Set([...written, ...globSync('*.md', { cwd: root }), 'api'])
  return [
    ...listed.filter((page) => !known.has(page)).map((page) => `docs/navigation.json: there is no '${page}'.`),
    ...listed.filter((page, place) => listed.indexOf(page) < place).map((page) => `docs/navigation.json: '${page}' is in it twice.`),
    ...[...written]
      .filter((page) => !listed.includes(page))
      .map((page) => `${page}: it is not in docs/navigation.json. Say there when it is read.`),
  ]
}
