import { didYouMean } from '../schema/did-you-mean.ts'
import { nearestNames } from '../schema/nearest-names.ts'
import { failure, success } from '../tool/result/returned.ts'
import type { Catalog } from './catalog.ts'
import type { Viewer } from './selection.ts'

/** Pages that can be asked for. */
export const MAX_PAGE = 20
/** Tools or categories on a page. */
const PAGE = 40
/** Categories that a hint names. */
const MAX_NAMED = 20
/** Asks for the categories themselves. */
const ALL = '*'

/** The output for one who looks around: the categories, or the names of the tools of one. */
export interface BrowsedOutput {
  readonly categories?: readonly { readonly name: string; readonly tools: number }[]
  readonly names?: readonly string[]
  readonly more?: boolean
}

/** The categories of a catalog, or a line for each tool of one. */
export async function browseCategory(
  catalog: Catalog,
  category: string,
  { viewer, page }: { readonly viewer: Viewer; readonly page: number },
): Promise<unknown> {
  const { categories } = await catalog.tree(viewer)
  const all = categories.flatMap((each) => (each.categories.length === 0 ? [each] : each.categories))
  if (category === ALL) {
    const { shown, more, text } = pageOf(all, page, ({ name, tools }) => `${name}: ${tools} ${tools === 1 ? 'tool' : 'tools'}`)
    return success({ categories: shown.map(({ name, tools }) => ({ name, tools })), more } satisfies BrowsedOutput, { text })
  }
  const found = await catalog.browse(category, viewer)
  if (found === undefined) {
    const names = all.map(({ name }) => name)
    const hint = didYouMean(nearestNames(category, names), `The categories are: ${names.slice(0, MAX_NAMED).join(', ')}.`)
    return failure(`There is no category '${category.slice(0, 64).toWellFormed()}'. ${hint}`, { code: 'not_found', hint })
  }
  const { shown, more, text } = pageOf(found.cards, page, ({ card }) => card)
  return success({ names: shown.map(({ name }) => name), more } satisfies BrowsedOutput, { text })
}

function pageOf<T>(all: readonly T[], page: number, lineOf: (item: T) => string): { shown: readonly T[]; more: boolean; text: string } {
  const shown = all.slice((page - 1) * PAGE, page * PAGE)
  const more = all.length > page * PAGE && page < MAX_PAGE
  const lines = [...shown.map(lineOf), ...(more ? [`There are more: ask for page ${page + 1}.`] : [])]
  return { shown, more, text: lines.length === 0 ? 'There are no more.' : lines.join('\n') }
}
