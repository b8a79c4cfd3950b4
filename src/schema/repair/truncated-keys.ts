import { nameForm } from './name-words.ts'
import type { SchemaNode } from './schema-node.ts'

/**
 * The required fields that unknown keys stand for because one of the two is the beginning of the other: `strength` and `dexterity` for `str` and `dex`. One such
 * key may be another word by chance; several of them in one object are the short and the long names of the same fields.
 */
export function truncatedKeys(
  unknown: readonly string[],
  given: ReadonlySet<string>,
  { required }: SchemaNode,
): ReadonlyMap<string, string> {
  const missing = [...required].filter((name) => !given.has(name))
  if (missing.length < LEAST || missing.length > MOST || unknown.length < LEAST || unknown.length > MOST) return NONE
  const found = new Map<string, string>()
  for (const key of unknown) {
    const [name, ...more] = missing.filter((each) => isBeginning(nameForm(key), nameForm(each)))
    if (name === undefined) continue
    if (more.length > 0 || [...found.values()].includes(name)) return NONE
    found.set(key, name)
  }
  return found.size < LEAST ? NONE : found
}

const LEAST = 2
const MOST = 20
const SHORTEST = 3
const NONE: ReadonlyMap<string, string> = new Map()

function isBeginning(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= SHORTEST && short.length < long.length && long.startsWith(short)
}
