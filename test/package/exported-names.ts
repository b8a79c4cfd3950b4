import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

export interface ExportedName {
  readonly name: string
  /** It exists for the compiler only. */
  readonly type: boolean
}

/** The names that a module exports, sorted. */
export function exportedNames(file: string): readonly ExportedName[] {
  return parseSync(file, readFileSync(file, 'utf8'))
    .module.staticExports.flatMap(({ entries }) => entries)
    .map(({ exportName, moduleRequest, isType }) => {
      if (exportName.name === null) throw new Error(`${file} exports everything of ${moduleRequest?.value}. List the names instead.`)
      return { name: exportName.name, type: isType }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
