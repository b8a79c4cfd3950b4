import type { ApiModule } from './api/read-api.ts'
import type { NameLink } from './highlight.ts'
import { apiPath, relativeLink } from './site-path.ts'

/** A name that a page imports from the package in its code. */
export interface ImportedName {
  readonly name: string
  readonly module: string
}

/** The names that the blocks of code of a page import from the package, also as types. */
export function importedNames(markdown: string): readonly ImportedName[] {
  const statements = markdown.matchAll(/^\s*import (?:type )?\{([^}]*)\} from '(toolwright(?:\/[\w/-]+)?)'/gm)
  return [...statements].flatMap(([, names = '', module = '']) =>
    names.split(',').flatMap((each) => {
      const name = each
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*$/, '')
      return name === '' ? [] : [{ name, module }]
    }),
  )
}

/** The subpaths of the package that a page names in its text. */
function namedModules(markdown: string): readonly string[] {
  return Array.from(markdown.matchAll(/`(toolwright\/[\w/-]+)`/g), ([, module = '']) => module)
}

/**
 * Finds the entry of a name in the reference. A plain word, such as `limit`, may be an option as well as a function: it is linked where it is called,
 * and where the page imports it.
 */
export function nameLinks(api: readonly ApiModule[], from: string, imported: readonly ImportedName[]): NameLink {
  const modules = new Map<string, string>()
  for (const { name: module, entries } of api) for (const { name } of entries) if (!modules.has(name)) modules.set(name, module)
  for (const { name, module } of imported) modules.set(name, module)
  const used = new Set(imported.map(({ name }) => name))
  return (name, isCall = false) => {
    const module = modules.get(name)
    if (module === undefined || (/^[a-z]+$/.test(name) && !isCall && !used.has(name))) return undefined
    return relativeLink(from, `${apiPath(module)}#${name}`)
  }
}

/** Names that a page imports, and subpaths that it names, and that do not exist. Records of decisions and changes are history. */
export function nameProblems(file: string, markdown: string, api: readonly ApiModule[]): readonly string[] {
  if (file.startsWith('docs/decisions/') || file === 'CHANGELOG.md') return []
  const modules = new Map(api.map(({ name, entries }) => [name, new Set(entries.map((entry) => entry.name))]))
  return [
    ...importedNames(markdown)
      .filter(({ name, module }) => !modules.get(module)?.has(name))
      .map(({ name, module }) => `${file}: '${module}' does not export '${name}'.`),
    ...namedModules(markdown)
      .filter((module) => !modules.has(module))
      .map((module) => `${file}: package.json exports no '${module}'.`),
  ]
}
