import { bareValue } from './line-tokens.ts'
import { JsonTables } from './json-tables.ts'
import type { FoundView } from './view.ts'

const LONGEST_LINE = 2000
const FEWEST_LINES = 24
/** So many of the lines are paths with values. */
const LIKE_SHARE = 0.85
/** So many paths have a last name that others have too: of records, not of settings that stand alone. */
const SHARED = 0.6
const FEWEST_SHARING = 4
const MAX_DEPTH = 20
const LINE = /^\s*([\p{L}\d_$@*-]{1,80}(?:(?:\.|\/|::|\[)[^\s=:[\]]{0,80}\]?){1,20})\s*(?:=|:=|:\s)\s*(.*?)\s*;?$/u

/** Values by their whole paths, one on each line, as settings, registers and flattened data are printed: `shop.12.city=Delft`. */
export function pathLines(lines: readonly string[]): FoundView | undefined {
  const told = lines.filter((line) => line.trim() !== '' && !/^\s*[#!;]/.test(line))
  if (told.length < FEWEST_LINES) return undefined
  const isLike = (all: readonly string[]): boolean =>
    all.filter((line) => LINE.test(line.slice(0, LONGEST_LINE))).length >= LIKE_SHARE * all.length
  if (!isLike(told.slice(0, FEWEST_LINES)) || !isLike(told)) return undefined
  const pairs = told.flatMap((line) => {
    const [, path, value] = LINE.exec(line.slice(0, LONGEST_LINE)) ?? []
    return path === undefined || value === undefined ? [] : [{ names: namesOf(path), value: bareValue(value) }]
  })
  if (!areRecords(pairs.map(({ names }) => names))) return undefined
  const root: Record<string, unknown> = {}
  for (const { names, value } of pairs) assign(root, names.slice(0, MAX_DEPTH), value)
  const { tables, scalars, sentences } = new JsonTables(root)
  return { shape: 'mixed', tables, scalars, sentences, document: root }
}

function namesOf(path: string): readonly string[] {
  return path.split(/\.|\/|::|\[|\]/).flatMap((name) => (name === '' ? [] : [name.replace(/^["']|["']$/g, '')]))
}

/** Most paths end with a name that several others end with. */
function areRecords(paths: readonly (readonly string[])[]): boolean {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(path.at(-1) ?? '', (counts.get(path.at(-1) ?? '') ?? 0) + 1)
  const shared = paths.filter((path) => path.length > 1 && (counts.get(path.at(-1) ?? '') ?? 0) >= FEWEST_SHARING).length
  return shared >= SHARED * paths.length
}

/** A path that goes on below a value keeps both: the value stands under an empty name. */
function assign(root: Record<string, unknown>, names: readonly string[], value: string): void {
  let owner = root
  const set = (key: string, each: unknown): void => {
    Object.defineProperty(owner, key, { value: each, enumerable: true, configurable: true, writable: true })
  }
  for (const name of names.slice(0, -1)) {
    const known = Object.hasOwn(owner, name) ? owner[name] : undefined
    const next: Record<string, unknown> = typeof known === 'object' && known !== null ? (known as Record<string, unknown>) : {}
    if (next !== known) {
      if (known !== undefined) Object.defineProperty(next, '', { value: known, enumerable: true, configurable: true, writable: true })
      set(name, next)
    }
    owner = next
  }
  const last = names.at(-1) ?? ''
  const known = Object.hasOwn(owner, last) ? owner[last] : undefined
  if (typeof known === 'object' && known !== null) owner = known as Record<string, unknown>
  set(typeof known === 'object' && known !== null ? '' : last, value)
}
