import type { LogRecord } from './log-records.ts'
import { Table } from './table.ts'

const MAX_TOKENS = 40
const MAX_TEMPLATES = 400
/** Templates whose words agree so far are one. */
const SAME_SHARE = 0.65
const SLOT = '*'

/** Messages that differ only in their values. */
export interface LogTemplate {
  /** The words, with `*` where values differ. */
  readonly text: string
  readonly level: string | undefined
  readonly records: readonly LogRecord[]
}

interface Draft {
  words: string[]
  readonly level: string | undefined
  readonly records: LogRecord[]
}

/** The templates of a log, by how often they come. */
export function logTemplates(records: readonly LogRecord[]): LogTemplate[] {
  const exact = new Map<string, Draft>()
  for (const record of records) {
    const words = maskedWords(record.message)
    const key = `${record.level ?? ''}\n${words.join(' ')}`
    const draft = exact.get(key)
    if (draft === undefined) exact.set(key, { words, level: record.level, records: [record] })
    else draft.records.push(record)
  }
  return merged([...exact.values()])
    .map(({ words, level, records: own }) => ({ text: words.join(' '), level, records: own.toSorted((a, b) => a.line - b.line) }))
    .toSorted((a, b) => b.records.length - a.records.length)
}

function merged(drafts: readonly Draft[]): Draft[] {
  const kept = new Map<string, Draft[]>()
  for (const draft of drafts.toSorted((a, b) => b.records.length - a.records.length)) {
    const group = `${draft.level ?? ''} ${draft.words.length}`
    const others = kept.get(group) ?? []
    const like = others.length > MAX_TEMPLATES ? undefined : others.find((other) => agreement(other.words, draft.words) >= SAME_SHARE)
    if (like === undefined) others.push(draft)
    else {
      like.words = like.words.map((word, at) => (word === draft.words[at] ? word : SLOT))
      like.records.push(...draft.records)
    }
    kept.set(group, others)
  }
  return [...kept.values()].flat()
}

function agreement(a: readonly string[], b: readonly string[]): number {
  if (a.length < 3) return a.join(' ') === b.join(' ') ? 1 : 0
  let same = 0
  let words = 0
  for (let at = 0; at < a.length; at++) {
    if (a[at] === SLOT && b[at] === SLOT) continue
    words++
    if (a[at] === b[at]) same++
  }
  return words < 2 ? 0 : same / words
}

function maskedWords(message: string): string[] {
  return message.split(/\s+/, MAX_TOKENS).map((word) => (/\d|^["'].*["']$|^[0-9a-f-]{16,}$/i.test(word) ? SLOT : word))
}

/** The values of a template: a column for each slot, named by the words before it. */
export function templateTable(template: LogTemplate, name: string): Table | undefined {
  const words = template.text.split(' ')
  const slots = words.flatMap((word, at) => (word === SLOT ? [at] : []))
  if (slots.length === 0) return undefined
  const table = new Table(name)
  table.weight = 0.5
  const names = slots.map((at) => unitOf(template.records, at) ?? slotName(words, at))
  for (const record of template.records) {
    const row = table.addRow({ ref: record.line })
    const own = record.message.split(/\s+/, MAX_TOKENS)
    if (record.time !== undefined) table.set(row, 'time', record.time)
    if (record.component !== undefined) table.set(row, 'component', record.component)
    slots.forEach((at, index) => {
      const cell = trimmed(own[at] ?? '')
      if (cell !== '')
        table.set(row, names.indexOf(names[index] ?? '') === index ? (names[index] ?? '') : `${names[index]} ${index + 1}`, cell)
    })
  }
  return table
}

/** `key=value` gives the value; marks around a value are not of it. */
function trimmed(word: string): string {
  return word.replace(/^[A-Za-z_][\w.-]{0,40}=/, '').replace(/^["'([{<]+|["')\]}>,;:]+$/g, '')
}

const UNIT = /^\d[\d.,]*([a-zA-Z]{1,3})$/

/** `12ms`, `4kB`: the unit that all values of a slot end with is its name. */
function unitOf(records: readonly LogRecord[], at: number): string | undefined {
  const units = new Set(records.slice(0, 50).map(({ message }) => UNIT.exec(trimmed(message.split(/\s+/, MAX_TOKENS)[at] ?? ''))?.[1]))
  const [unit] = units
  return units.size === 1 ? unit : undefined
}

function slotName(words: readonly string[], at: number): string {
  const before: string[] = []
  for (let index = at - 1; index >= 0 && before.length < 2; index--) {
    const word = words[index] ?? ''
    if (word === SLOT) break
    before.unshift(word.replace(/[^\w.-]+/g, ''))
  }
  const own = before.filter((word) => word !== '').join(' ')
  return own === '' ? `value ${at + 1}` : own
}
