import { JsonTables } from './json-tables.ts'
import type { FoundView, Sentence } from './view.ts'

const LOOKED_AT = 400
const LONGEST_LINE = 2000
const FEWEST_LISTS = 2
const LIKE_SHARE = 0.8
const COMMENT = /^\s*#/
const LIST = /^\s*\[\[\s*([\w.'"@/ -]{1,200}?)\s*\]\]\s*(?:#.*)?$/
const SECTION = /^\s*\[\s*([\w.'"@/ :-]{1,200}?)\s*\]\s*(?:#.*)?$/
const ENTRY = /^\s*("[^"]{1,200}"|'[^']{1,200}'|[\w.-]{1,200})\s*=\s*(.*)$/
const MOST_LINES_OF_A_VALUE = 5000
const DEEPEST = 40

type Section = Record<string, unknown>

/** Lists of sections, `[[package]]`, with their keys and the sections in them, as TOML writes them; undefined for anything else. */
export function tomlView(lines: readonly string[]): FoundView | undefined {
  const told = lines.filter((line) => line.trim() !== '' && !COMMENT.test(line)).slice(0, LOOKED_AT)
  if (told.filter((line) => LIST.test(line.slice(0, LONGEST_LINE))).length < FEWEST_LISTS) return undefined
  const like = told.filter((line) =>
    [LIST, SECTION, ENTRY, /^\s*(?:[\]}{["'\d]|true|false)/].some((kind) => kind.test(line.slice(0, LONGEST_LINE))),
  )
  if (like.length < LIKE_SHARE * told.length) return undefined
  const root = newSection()
  const marks: Sentence[] = []
  let own = root
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').slice(0, LONGEST_LINE)
    const list = LIST.exec(line)?.[1]
    const name = list ?? SECTION.exec(line)?.[1]
    if (name !== undefined) {
      own = sectionAt(root, namesOf(name), list !== undefined)
      if (list !== undefined) marks.push({ text: list, line: at + 1 })
      continue
    }
    const [, key, begin] = COMMENT.test(line) ? [] : (ENTRY.exec(line) ?? [])
    if (key === undefined || begin === undefined) continue
    const text = valueFrom(begin, lines.slice(at + 1, at + MOST_LINES_OF_A_VALUE))
    at += text.length - 1
    const names = namesOf(key)
    put(sectionAt(own, names.slice(0, -1), false), names.at(-1) ?? key, new ValueReader(text.join('\n')).read())
  }
  const named = marks.map((mark) => ({ ...mark, text: `${mark.text} ${nameBelow(lines, mark.line)}`.trim() }))
  const { tables, scalars, sentences } = new JsonTables(root)
  return { shape: 'mixed', tables, scalars, sentences, marks: named, document: root }
}

/** Keys may be any words: no name is taken. */
function newSection(): Section {
  return Object.create(null) as Section
}

function put(section: Section, key: string, value: unknown): void {
  Object.defineProperty(section, key, { value, enumerable: true, configurable: true, writable: true })
}

/** `tool."a.b".c` is three names. */
function namesOf(path: string): readonly string[] {
  return (path.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? []).map((name) => name.replace(/^["']|["']$/g, ''))
}

/** The section with these names, in the last one of each list on the way; a new one at the end of a list. */
function sectionAt(root: Section, names: readonly string[], isList: boolean): Section {
  let section = root
  names.slice(0, DEEPEST).forEach((name, depth) => {
    const isLast = depth === names.length - 1
    const known = Object.hasOwn(section, name) ? section[name] : undefined
    const below = Array.isArray(known) && !(isLast && isList) ? (known as unknown[]).at(-1) : known
    if (isLast && isList) {
      const own = newSection()
      if (Array.isArray(known)) known.push(own)
      else put(section, name, [own])
      section = own
    } else if (typeof below === 'object' && below !== null && !Array.isArray(below)) section = below as Section
    else {
      const own = newSection()
      put(section, name, own)
      section = own
    }
  })
  return section
}

function nameBelow(lines: readonly string[], line: number): string {
  const [, name = ''] = /^\s*(?:name|id|title)\s*=\s*"?([^"]{1,80})"?\s*$/.exec(lines[line] ?? '') ?? []
  return name
}

/** The lines of a value: a list, a record or a text may go over several. Each line is looked at once. */
function valueFrom(begin: string, below: readonly string[]): readonly string[] {
  const value = [begin]
  let isText = isFenced(begin)
  let open = isText ? 0 : opened(begin)
  for (const line of below) {
    if (!isText && open <= 0) break
    value.push(line)
    if (isFenced(line)) isText = !isText
    else if (!isText) open += opened(line)
  }
  return value
}

function isFenced(line: string): boolean {
  return (line.match(/"""|'''/g)?.length ?? 0) % 2 === 1
}

/** How many brackets a line opens that it does not close. */
function opened(line: string): number {
  const bare = line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '').replace(/#.*$/, '')
  return (bare.match(/[[{]/g)?.length ?? 0) - (bare.match(/[\]}]/g)?.length ?? 0)
}

/** Reads one value; what it does not know stays a text. */
class ValueReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(depth = 0): unknown {
    this.#skip()
    const rest = this.#text.slice(this.#at)
    const long = /^("""|''')\n?([\s\S]*?)\1/.exec(rest)
    if (long !== null) return this.#take(long[0], long[2])
    const text = /^"((?:[^"\\\n]|\\.)*)"/.exec(rest) ?? /^'([^'\n]*)'/.exec(rest)
    if (text !== null) return this.#take(text[0], text[1]?.replace(/\\(["\\])/g, '$1'))
    if (depth < DEEPEST && rest.startsWith('[')) return this.#list(depth)
    if (depth < DEEPEST && rest.startsWith('{')) return this.#record(depth)
    const bare = /^[^,\]}\n#]+/.exec(rest)?.[0] ?? rest.slice(0, 1)
    const word = bare.trim()
    const number = word.replaceAll('_', '')
    const isNumber = /^[-+]?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(number)
    return this.#take(bare, word === 'true' ? true : word === 'false' ? false : isNumber ? Number(number) : word)
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = []
    this.#at++
    for (this.#skip(); this.#at < this.#text.length && this.#text[this.#at] !== ']'; this.#skip()) list.push(this.read(depth + 1))
    this.#at++
    return list
  }

  #record(depth: number): Section {
    const record = newSection()
    this.#at++
    for (this.#skip(); this.#at < this.#text.length && this.#text[this.#at] !== '}'; this.#skip()) {
      const found = /^\s*("[^"\n]*"|'[^'\n]*'|[\w.-]+)\s*=/.exec(this.#text.slice(this.#at, this.#at + LONGEST_LINE))
      if (found === null) {
        this.#at++
        continue
      }
      this.#at += found[0].length
      put(record, (found[1] ?? '').replace(/^["']|["']$/g, ''), this.read(depth + 1))
    }
    this.#at++
    return record
  }

  #take(text: string, value: unknown): unknown {
    this.#at += text.length
    return value
  }

  /** Room, commas and comments. */
  #skip(): void {
    const found = /^(?:[\s,]|#[^\n]*)+/.exec(this.#text.slice(this.#at, this.#at + LONGEST_LINE))
    this.#at += found?.[0].length ?? 0
  }
}
