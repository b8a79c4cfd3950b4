import { JsonTables } from './json-tables.ts'
import { bareValue } from './line-tokens.ts'
import type { FoundView, Sentence } from './view.ts'

const LOOKED_AT = 400
const LONGEST_LINE = 2000
const FEWEST_BLOCKS = 3
const LIKE_SHARE = 0.8
const MAX_DEPTH = 40
const COMMENT = /^\s*(?:#|\/\/)/
const OPENING = /^\s*([\w$@.*~^:/"'-][^{};]{0,300}?)\s*\{\s*$/
const SETTING = /^\s*([\w$@.-]{1,80})(?:\s*[:=]\s*|\s+)([^{}]{1,1500}?)\s*;\s*$/
const BARE = /^\s*([\w$@.-]{1,80})\s*;\s*$/
const CLOSING = /^\s*\}[;,]?\s*$/

type Block = Record<string, unknown>

/** Names of settings may be any words: no name is taken. */
function newBlock(): Block {
  return Object.create(null) as Block
}

/** Settings in blocks with braces, as servers of the web and of names are set up: a record for each block. Undefined for anything else. */
export function bracedView(lines: readonly string[]): FoundView | undefined {
  const told = lines.filter((line) => line.trim() !== '' && !COMMENT.test(line)).slice(0, LOOKED_AT)
  const like = told.filter((line) => [OPENING, SETTING, BARE, CLOSING].some((kind) => kind.test(line.slice(0, LONGEST_LINE)))).length
  const settings = told.filter((line) => SETTING.test(line.slice(0, LONGEST_LINE))).length
  if (told.filter((line) => OPENING.test(line.slice(0, LONGEST_LINE))).length < FEWEST_BLOCKS) return undefined
  if (like < LIKE_SHARE * told.length || settings < told.length / 4) return undefined
  const root = newBlock()
  const marks: Sentence[] = []
  const sentences: Sentence[] = []
  const open: { readonly block: Block; readonly path: string }[] = [{ block: root, path: '' }]
  lines.forEach((whole, at) => {
    const line = whole.slice(0, LONGEST_LINE)
    const { block, path } = open.at(-1) ?? { block: root, path: '' }
    const opened = OPENING.exec(line)?.[1]
    const [, key, value] = SETTING.exec(line) ?? BARE.exec(line) ?? []
    if (line.trim() === '' || COMMENT.test(line)) {
      if (line.trim() !== '') sentences.push({ text: line.trim(), line: at + 1, place: path || undefined })
    } else if (opened !== undefined && open.length < MAX_DEPTH) {
      const [name = '', ...rest] = opened.split(/\s+/)
      const own = newBlock()
      if (rest.length > 0) own['name'] = rest.join(' ')
      const list = block[name]
      if (Array.isArray(list)) list.push(own)
      else if (list === undefined) block[name] = [own]
      open.push({ block: own, path: path === '' ? opened : `${path} > ${opened}` })
      marks.push({ text: open.at(-1)?.path ?? '', line: at + 1 })
    } else if (CLOSING.test(line)) {
      if (open.length > 1) open.pop()
    } else if (key === undefined) sentences.push({ text: line.trim(), line: at + 1, place: path || undefined })
    else {
      const own = bareValue(value ?? 'on')
      const before = block[key]
      if (before === undefined) block[key] = own
      else if (typeof before === 'string') block[key] = `${before}, ${own}`
    }
  })
  const { tables, scalars, sentences: texts } = new JsonTables(root)
  return { shape: 'mixed', tables, scalars, sentences: [...sentences, ...texts], marks, document: root }
}
