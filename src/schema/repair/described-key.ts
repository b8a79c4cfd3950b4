import { isNote, isQualifier } from './droppable-field.ts'
import { textWords } from './field-kind.ts'
import type { JsonSchema } from '../json-schema.ts'
import { nameWords, singular } from './name-words.ts'
import type { SchemaNode } from './schema-node.ts'

/** Words that so many fields share that they point to none. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'id name value text string number code key type kind date time list data item content info field param parameter the a an of to for in on and or ' +
    'is be new default optional required current max min maximum minimum count total first last start end begin from source target until'
  ).split(' '),
)

/** Where the noun at the beginning of a description ends: `Message text (markdown)`, `Absolute path of the file`. */
const HEAD_END = /[(,;:.[]|\s(?:of|to|for|in|on|that|which|such|with|as|by|at|from|used|e\.g|where|when|whose|if|is|must|will|should)\s/

/** A head that says nothing by itself: the noun behind it counts, as in `Name of the city`. */
const EMPTY_HEAD =
  /^(?:the |an? )?(?:full |unique )?(?:name|id|identifier|code|number|title|text|value|content|body|list)s? of (?:the |an? |all )?/

/**
 * The required fields that unknown keys stand for because a field that is missing is described by just these words: `message` for the `text` whose
 * description is `Message text`, `file_path` for the `path` that is the `Absolute path of the file`. One key for one field, and no other field
 * that has the words in its name.
 */
export function describedKeys(unknown: readonly string[], given: ReadonlySet<string>, node: SchemaNode): ReadonlyMap<string, string> {
  const missing = [...node.required].filter((name) => !given.has(name) && node.properties[name]?.['default'] === undefined)
  if (missing.length === 0 || missing.length > MOST || unknown.length === 0 || unknown.length > MOST) return NONE
  const found = new Map<string, string>()
  const taken = new Set<string>()
  for (const key of unknown) {
    const words = nameWords(key).map(singular)
    if (words.length === 0 || isQualifier(words) || isNote(key)) continue
    const [name, ...more] = missing.filter((each) => isDescribed(words, each, node))
    if (name === undefined || more.length > 0 || isNamedElsewhere(words, name, node)) continue
    if (taken.has(name)) return NONE
    taken.add(name)
    found.set(key, name)
  }
  return found
}

const MOST = 20
const NONE: ReadonlyMap<string, string> = new Map()

function isDescribed(words: readonly string[], name: string, { properties }: SchemaNode): boolean {
  const told = toldOf(properties[name] ?? {})
  if (told === '') return false
  const own = new Set(nameWords(name).map(singular))
  const head = headWords(told)
  const isAll = (set: ReadonlySet<string>): boolean => words.every((word) => set.has(word) || own.has(word))
  // A key with the whole name of the field may have any further word of its description.
  if ([...own].every((word) => words.includes(word)))
    return isAll(new Set(textWords(told).map(singular))) && !someCommon(words, own, properties[name] ?? {})
  return isAll(head) && words.some((word) => head.has(word) && !COMMON.has(word))
}

const LONGEST = 300

/** Words beside the name that may turn its meaning round. */
function someCommon(words: readonly string[], own: ReadonlySet<string>, { format }: JsonSchema): boolean {
  const isTime = format === 'date' || format === 'date-time'
  return words.some((word) => !own.has(word) && COMMON.has(word) && !(isTime && (word === 'date' || word === 'time')))
}

function toldOf({ title, description }: JsonSchema): string {
  return [title, description]
    .filter((each) => typeof each === 'string')
    .join('. ')
    .slice(0, LONGEST)
    .toLowerCase()
}

function headWords(told: string): ReadonlySet<string> {
  return new Set(textWords(headOf(told)).map(singular))
}

function headOf(told: string): string {
  const bare = told.replace(EMPTY_HEAD, '')
  const end = HEAD_END.exec(bare)?.index
  return end === undefined ? bare : bare.slice(0, end)
}

/** Whether another field has the telling words of the key in its name, or is described by them too. */
function isNamedElsewhere(words: readonly string[], name: string, { properties }: SchemaNode): boolean {
  const telling = words.filter((word) => !COMMON.has(word))
  return Object.keys(properties).some((other) => {
    if (other === name) return false
    const names = nameWords(other).map(singular)
    const head = headWords(toldOf(properties[other] ?? {}))
    return telling.some((word) => names.includes(word)) || (telling.length > 0 && telling.every((word) => head.has(word)))
  })
}
