import { parseJmespath } from '../../json/jmespath/parse-jmespath.ts'
import { searchJson } from '../../json/jmespath/search-json.ts'
import type { SyntaxTree } from '../../json/jmespath/syntax-tree.ts'
import type { Json } from '../../json/json.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { toJsonText } from '../../schema/quote.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { factsOf, profilesOf } from '../facts/facts-of.ts'
import type { TableProfile } from '../facts/table-profile.ts'
import { TaskWords } from '../facts/task-words.ts'
import { fillBudget } from '../fill-budget.ts'
import type { CountTokens } from '../tokens.ts'
import { type ViewedOutput, viewOf } from '../view/view-of.ts'
import type { Table } from '../view/table.ts'
import type { OutputView } from '../view/view.ts'
import { type Aggregate, aggregate } from './aggregate.ts'
import { comparesWithName, pathsOtherwise } from './path-otherwise.ts'
import { cutTo, search } from './search.ts'
import { type Unit, unitsOf } from './units-of.ts'

/** One way to read a stored output. */
export type ReadQuery =
  | { readonly query: string }
  | { readonly path: string }
  | { readonly at: number }
  | { readonly range: readonly [from: number, to: number] }
  | { readonly aggregate: Aggregate }

export interface ReadOptions {
  readonly maxTokens: number
  readonly count: CountTokens
}

export interface ReadAnswer {
  readonly text: string
  /** Where to read on: the next `at`. */
  readonly next?: number | undefined
}

/** Reads an output by search, path, range and page. It is looked at once, when it is first needed. */
export class OutputReader {
  readonly output: ViewedOutput
  #view: OutputView | undefined
  #profiles: readonly TableProfile[] | undefined
  #units: readonly Unit[] | undefined
  readonly #starts: number[] = [0]

  constructor(output: ViewedOutput) {
    this.output = output
  }

  get view(): OutputView {
    return (this.#view ??= viewOf(this.output))
  }

  get profiles(): readonly TableProfile[] {
    return (this.#profiles ??= profilesOf(this.view.tables))
  }

  get #allUnits(): readonly Unit[] {
    return (this.#units ??= unitsOf(this.view))
  }

  async read(query: ReadQuery, options: ReadOptions): Promise<ReadAnswer> {
    if ('query' in query) return { text: search(this.view, query.query, { ...options, units: this.#allUnits }) }
    if ('path' in query) return { text: await this.#path(query.path, options) }
    if ('range' in query) return this.#range(query.range, options)
    if ('aggregate' in query) return { text: fitted(aggregate(this.view, query.aggregate), options) }
    return this.#page(query.at, options)
  }

  /** Where a page begins in the text, from page 1; undefined after the last. */
  startOfPage(page: number, pageTokens: number, count: CountTokens): number | undefined {
    while (this.#starts.length < page) {
      const { next } = this.#page(this.#starts.at(-1) ?? 0, { maxTokens: pageTokens, count })
      if (next === undefined) return undefined
      this.#starts.push(next)
    }
    return this.#starts[page - 1]
  }

  pages(pageTokens: number, count: CountTokens): number {
    this.startOfPage(Number.MAX_SAFE_INTEGER, pageTokens, count)
    return this.#starts.length
  }

  /** As it is written; where that finds nothing or is no path, as it may be meant. */
  async #path(path: string, options: ReadOptions): Promise<string> {
    const { document } = this.view
    const isWrong = comparesWithName(path, document)
    const first = isWrong ? undefined : await this.#foundAt(path)
    if (first !== undefined && !isNothing(first)) return told(first, options)
    const others = pathsOtherwise(path, document)
    const rows = isWrong ? undefined : await this.#rowsAt(path, options)
    if (rows !== undefined) return rows
    for (const other of others) {
      const found = await this.#foundAt(other)
      if (!isNothing(found)) return fitted(`Read as ${other}:\n${told(found, options)}`, options)
    }
    for (const other of others) {
      const inRows = await this.#rowsAt(other, options)
      if (inRows !== undefined) return inRows
    }
    const found = first ?? (await this.#foundAt(path))
    return found instanceof Error ? fitted(found.message, options) : this.#nothingAt(found)
  }

  /** In the value, or in what stands for a text; else in its lines. What is wrong with the path is an error. */
  async #foundAt(path: string): Promise<Json | Error> {
    const { document, shape, lines, text } = this.view
    try {
      const tree = await parseJmespath(path)
      const found = foundIn(document, tree, text.length)
      if (shape === 'json' || !isNothing(found) || !/^lines\b/.test(path)) return found
      return foundIn({ lines }, tree, text.length)
    } catch (error) {
      if (isToolError(error)) return error
      throw error
    }
  }

  /** What a path finds in the rows of a table that was read out of a text, whatever it calls the table. */
  async #rowsAt(path: string, { maxTokens, count }: ReadOptions): Promise<string | undefined> {
    const { shape, tables, text } = this.view
    if (shape === 'json' || tables.length === 0) return undefined
    const below = path.trim().replace(/^[A-Za-z_]\w*(?=\[)/, '')
    const trees = (await Promise.all([...new Set([path, below, path.slice(Math.max(0, path.indexOf('[?')))])].map(parsed))).filter(
      (tree) => tree !== undefined,
    )
    // The kinds of messages of a log are no rows of it.
    const own = tables.filter(({ name }) => shape !== 'log' || name !== 'messages')
    for (const table of own.toSorted((a, b) => b.rows - a.rows).slice(0, MOST_TABLES))
      for (const tree of trees) {
        const found = foundIn(recordsOf(table), tree, text.length)
        if (isNothing(found)) continue
        const said = typeof found === 'string' ? found : toJsonText(found)
        return fitted(`In the rows of ${table.name}:\n${said}`, { maxTokens, count })
      }
    return undefined
  }

  #nothingAt(found: Json): string {
    if (found !== null) return toJsonText(found)
    const { document } = this.view
    const names = isRecord(document) ? Object.keys(document).slice(0, MOST_NAMES) : []
    const known = Array.isArray(document) ? ' It is a list.' : names.length === 0 ? '' : ` It has: ${names.join(', ')}.`
    return `null: the path names nothing in this output.${known}`
  }

  /** Lines of a text, records of data. */
  #range([from, to]: readonly [number, number], options: ReadOptions): ReadAnswer {
    const isData = this.view.shape === 'json' || this.view.shape === 'xml'
    const all = isData ? this.#allUnits.map(({ text, place }) => `${place}: ${text}`) : this.view.lines
    const first = Math.max(1, Math.floor(from))
    const chosen = all.slice(first - 1, Math.max(first, Math.floor(to)))
    if (chosen.length === 0) return { text: `There are ${all.length} ${isData ? 'records' : 'lines'}.` }
    return { text: fitted(chosen.join('\n'), options) }
  }

  #page(at: number, { maxTokens, count }: ReadOptions): ReadAnswer {
    const { text } = this.view
    const from = Math.max(0, Math.min(Math.floor(at), text.length))
    const page = cutTo(text.slice(from, from + 12 * maxTokens), maxTokens, count)
    const next = from + page.length
    return next < text.length ? { text: page, next } : { text: page }
  }
}

function isNothing(found: Json | Error): found is Error | null | [] {
  return found instanceof Error || found === null || (Array.isArray(found) && found.length === 0)
}

/** Undefined if it is no path. */
async function parsed(path: string): Promise<SyntaxTree | undefined> {
  try {
    return await parseJmespath(path)
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}

function told(found: Json, options: ReadOptions): string {
  const text = typeof found === 'string' ? found : toJsonText(found)
  if (text.length < 12 * options.maxTokens && options.count(text) <= options.maxTokens) return text
  return outlined(found, text, options)
}

/** What a path finds in a value, or why it does not hold for this one. */
function foundIn(value: unknown, tree: SyntaxTree, size: number): Json | Error {
  try {
    return searchJson(tree, (value ?? null) as Json, size)
  } catch (error) {
    if (isToolError(error)) return error
    throw error
  }
}

const MOST_TABLES = 8
const MOST_NAMES = 30

/** The rows of a table; what is written as a number is one. */
function recordsOf({ refs, columns }: Table): unknown[] {
  return refs.map((_ref, row) =>
    Object.fromEntries(
      [...columns].flatMap(([name, cells]) =>
        cells[row] === undefined ? [] : [[name, PLAIN.test(String(cells[row])) ? Number(cells[row]) : cells[row]]],
      ),
    ),
  )
}

const PLAIN = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/

function outlined(found: Json, text: string, { maxTokens, count }: ReadOptions): string {
  const view = viewOf({ text, value: found })
  const length = Array.isArray(found) ? `${found.length} items` : `${text.length} characters`
  const head = `${length}, too much for one answer; an outline:`
  const facts = factsOf(view, profilesOf(view.tables), new TaskWords())
  return `${head}\n${fillBudget(facts, { budget: maxTokens - count(head) - 2, count, leastWorth: 0 }).text}`
}

function fitted(text: string, { maxTokens, count }: ReadOptions): string {
  if (text.length < 12 * maxTokens && count(text) <= maxTokens) return text
  const mark = '\n… cut: ask for less.'
  return cutTo(text, maxTokens - count(mark), count) + mark
}
