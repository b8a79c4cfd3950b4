import { isRecord, type JsonSchema } from '../json-schema.ts'
import { nameWords } from './name-words.ts'
import type { RepairChange } from './reading.ts'
import { NodeReader, takes } from './schema-node.ts'

/** An input that a tool has refused, and the words of its error. */
export interface FailedSearch {
  readonly input: unknown
  readonly message: string
}

/** Another input for a search, with every change. */
export interface OtherSearch {
  readonly input: Readonly<Record<string, unknown>>
  readonly changes: readonly RepairChange[]
}

const POSITION = /^(?:page|page number|page no|page index|offset|skip|start index|start)$/
/** Positions that count from 0 unless the schema says otherwise. */
const FROM_ZERO = /^(?:page index|offset|skip|start index|start)$/
const CURSOR = /^(?:(?:page |next |start )?cursor|(?:next )?page token|next token|continuation(?: token)?|starting after)$/

const LIMITS =
  /\b(?:beyond|past|exceeds?|exceeded|too (?:large|high|big|far|deep)|out of (?:range|bounds)|outside|greater than|does ?n[o']t exist|not exist|no such|there (?:is|are) only|last page|invalid|not found|empty)\b/
const ABOUT_PAGES = /\b(?:page|pages|offset|skip|start index|pagination)\b/
const ABOUT_CURSORS = /\b(?:cursor|page token|next token|continuation)\b/
const STALE = /\b(?:expired|stale|invalid|unknown|no longer|not valid|malformed|not found)\b/

/**
 * The first page, where the error says that the page is beyond the end or its cursor no longer holds. Only fields that the schema declares
 * are changed; undefined if all of them are at the first page already.
 */
export function firstPage(schema: JsonSchema, { input, message }: FailedSearch): OtherSearch | undefined {
  // The size of a page is not its number.
  const says = message.toLowerCase().replace(/\bpage[ _]?(?:size|limit)\b|\bper[ _]?page\b/g, '')
  const isPage = ABOUT_PAGES.test(says) && LIMITS.test(says)
  const isCursor = ABOUT_CURSORS.test(says) && STALE.test(says)
  if (!isRecord(input) || !(isPage || isCursor)) return undefined
  const reader = new NodeReader(schema)
  const { properties, required } = reader.read(schema)
  const next: Record<string, unknown> = { ...input }
  const changes: RepairChange[] = []
  for (const path of Object.keys(properties)) {
    const from = input[path]
    const node = reader.read(properties[path] ?? {})
    const name = nameWords(path).join(' ')
    if (isPage && typeof from === 'number' && POSITION.test(name) && takes(node, 'integer')) {
      const { minimum, default: start } = node.schema
      const to = typeof start === 'number' ? start : typeof minimum === 'number' ? minimum : FROM_ZERO.test(name) ? 0 : 1
      if (from <= to) continue
      next[path] = to
      changes.push({ path, from, to, rule: 'first page', cost: 5 })
    } else if (isCursor && from !== undefined && CURSOR.test(name) && !required.has(path)) {
      delete next[path]
      changes.push({ path, from, to: undefined, rule: 'cursor dropped', cost: 5 })
    }
  }
  return changes.length === 0 ? undefined : { input: next, changes }
}
