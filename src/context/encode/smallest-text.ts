import { toJsonText } from '../../schema/quote.ts'
import { isPlainRecord, isRecord } from '../../schema/json-schema.ts'
import type { CountTokens } from '../tokens.ts'
import { cellOf, tableText } from './table-text.ts'
import { loadToon } from './load-toon.ts'

export interface EncodedText {
  readonly text: string
  readonly tokens: number
  readonly encoding: 'text' | 'json' | 'table' | 'toon'
}

/** A value as the text with the fewest tokens of those that keep all of it. */
export async function smallestText(value: unknown, text: string, count: CountTokens): Promise<EncodedText> {
  const candidates: Omit<EncodedText, 'tokens'>[] = [{ text, encoding: 'text' }]
  if (typeof value === 'object' && value !== null) {
    candidates.push({ text: toJsonText(value), encoding: 'json' })
    const table = tablesText(value)
    if (table !== undefined) candidates.push({ text: table, encoding: 'table' })
    const toon = isPlainData(value) ? (await loadToon())?.(value) : undefined
    if (toon !== undefined) candidates.push({ text: toon, encoding: 'toon' })
  }
  return candidates.map((each) => ({ ...each, tokens: count(each.text) })).reduce((best, each) => (each.tokens < best.tokens ? each : best))
}

const DEEPEST = 100

/** Lists, records and what JSON has beside them. An error, a map or a number with all its digits is more than TOON keeps of it. */
function isPlainData(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object') return typeof value !== 'bigint'
  if (value === null) return true
  if (depth > DEEPEST || !(Array.isArray(value) || isPlainRecord(value))) return false
  return Object.values(value).every((each) => isPlainData(each, depth + 1))
}

/** A list of records, or an object with one such list beside plain fields: these as JSON, then the name of the list, as a cell, then the list. */
function tablesText(value: object): string | undefined {
  const alone = tableText(value)
  if (alone !== undefined || !isRecord(value)) return alone
  const lists = Object.entries(value).filter(([, each]) => Array.isArray(each))
  const [list] = lists
  if (lists.length !== 1 || list === undefined) return undefined
  const table = tableText(list[1])
  if (table === undefined) return undefined
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== list[0]))
  return `${Object.keys(rest).length === 0 ? '' : `${toJsonText(rest)}\n`}${cellOf(list[0])}:\n${table}`
}
