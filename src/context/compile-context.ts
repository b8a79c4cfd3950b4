import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { TaskWords } from './facts/task-words.ts'
import type { CompileAction, CompileStep } from './ledger.ts'
import type { CountTokens } from './tokens.ts'

/** A part of a context that is about to be sent. */
export interface ContextItem {
  readonly id: string
  readonly kind: 'system' | 'history' | 'memory' | 'output' | 'schema'
  readonly text: string
  /** Of an output: where the whole is. */
  readonly pointer?: string | undefined
  /** Of a schema: in which turn the tool was last called. */
  readonly lastUsed?: number | undefined
  /** It stays as it is. */
  readonly isPinned?: boolean | undefined
}

/** A context that was made to fit its budget, as far as possible. */
export interface CompiledContext {
  readonly items: readonly ContextItem[]
  readonly tokens: number
  readonly steps: readonly CompileStep[]
  /** False if everything was done and it is still too long. */
  readonly fits: boolean
}

export interface CompileOptions {
  readonly budget: number
  readonly count: CountTokens
  readonly task?: string | undefined
  /** An output in so many tokens at most. */
  readonly shorten: (item: ContextItem, maxTokens: number) => Promise<string>
  /** Old turns in so many tokens at most. */
  readonly summarise: (text: string, maxTokens: number) => Promise<string>
}

const ITEM_NAMES = optionNames<ContextItem>({ id: true, kind: true, text: true, pointer: true, lastUsed: true, isPinned: true })

/** The last outputs and turns are what the model works on. */
const RECENT_OUTPUTS = 2
const RECENT_TURNS = 4
const FEWEST_SCHEMAS = 1
const SHARE_OF_A_SUMMARY = 0.1

/**
 * Makes a context fit: old results become pointers, then outputs are shortened further, then schemas are left out, then old turns are
 * summarised. Each step goes only as far as it must, and is the same for the same items.
 */
export async function compileContext(items: readonly ContextItem[], options: CompileOptions): Promise<CompiledContext> {
  for (const item of items) checkOptionNames(item, ITEM_NAMES, 'The fields of an item of a context')
  const compiler = new Compiler(items, options)
  await compiler.pruneResults()
  await compiler.raiseCompression()
  compiler.leaveOutSchemas()
  await compiler.summariseHistory()
  return compiler.compiled()
}

class Compiler {
  readonly #options: CompileOptions
  readonly #tokens = new Map<string, number>()
  readonly #steps: CompileStep[] = []
  #items: ContextItem[]
  #total = 0

  constructor(items: readonly ContextItem[], options: CompileOptions) {
    this.#options = options
    this.#items = [...items]
    for (const { id, text } of items) this.#tokens.set(id, options.count(text))
    this.#total = this.#sum()
  }

  compiled(): CompiledContext {
    return { items: this.#items, tokens: this.#total, steps: this.#steps, fits: this.#fits }
  }

  get #fits(): boolean {
    return this.#total <= this.#options.budget
  }

  /** The oldest first; the last two stay. */
  async pruneResults(): Promise<void> {
    for (const item of this.#outputs().slice(0, -RECENT_OUTPUTS)) {
      if (this.#fits) return
      if (item.pointer !== undefined) this.#replace(item, `[stored output: ${item.pointer}]`, 'results pruned')
    }
  }

  async raiseCompression(): Promise<void> {
    for (const share of [0.5, 0.25, 0.1]) {
      for (const item of this.#outputs()) {
        if (this.#fits) return
        const before = this.#tokens.get(item.id) ?? 0
        const text = await this.#options.shorten(item, Math.floor(before * share))
        if (this.#options.count(text) < before) this.#replace(item, text, 'compression raised')
      }
    }
  }

  /** Those that the task does not name and that were not used lately go first. */
  leaveOutSchemas(): void {
    const task = new TaskWords(this.#options.task)
    const schemas = this.#items.filter(({ kind, isPinned }) => kind === 'schema' && isPinned !== true)
    const ranked = schemas
      .map((item, at) => ({ item, at, used: item.lastUsed ?? -1, hits: task.hits(item.text) }))
      .toSorted((a, b) => a.used - b.used || a.hits - b.hits || b.at - a.at)
    for (const { item } of ranked.slice(0, Math.max(0, schemas.length - FEWEST_SCHEMAS))) {
      if (this.#fits) return
      this.#steps.push({ action: 'schemas left out', id: item.id, tokensBefore: this.#tokens.get(item.id) ?? 0, tokensAfter: 0 })
      this.#items = this.#items.filter((each) => each !== item)
      this.#total = this.#sum()
    }
  }

  async summariseHistory(): Promise<void> {
    if (this.#fits) return
    const turns = this.#items.filter(({ kind, isPinned }) => kind === 'history' && isPinned !== true)
    const old = turns.slice(0, -RECENT_TURNS)
    const [first] = old
    if (first === undefined || old.length < 2) return
    const before = old.reduce((sum, { id }) => sum + (this.#tokens.get(id) ?? 0), 0)
    const room = Math.max(0, this.#options.budget - (this.#total - before))
    const most = Math.min(room, Math.ceil(before * SHARE_OF_A_SUMMARY))
    const text = most === 0 ? '' : await this.#options.summarise(old.map((item) => item.text).join('\n'), most)
    const after = text === '' ? 0 : this.#options.count(text)
    if (after >= before) return
    const summary: ContextItem = { id: `summary of ${first.id}`, kind: 'history', text }
    this.#tokens.set(summary.id, after)
    this.#items = this.#items.flatMap((item) => (item === first ? (text === '' ? [] : [summary]) : old.includes(item) ? [] : [item]))
    this.#total = this.#sum()
    this.#steps.push({ action: 'history summarised', id: summary.id, tokensBefore: before, tokensAfter: after })
  }

  #outputs(): ContextItem[] {
    return this.#items.filter(({ kind, isPinned }) => kind === 'output' && isPinned !== true)
  }

  #replace(item: ContextItem, text: string, action: CompileAction): void {
    const before = this.#tokens.get(item.id) ?? 0
    const after = this.#options.count(text)
    if (after >= before) return
    this.#tokens.set(item.id, after)
    this.#items = this.#items.map((each) => (each === item ? { ...item, text } : each))
    this.#total = this.#sum()
    this.#steps.push({ action, id: item.id, tokensBefore: before, tokensAfter: after })
  }

  #sum(): number {
    return this.#items.reduce((sum, { id }) => sum + (this.#tokens.get(id) ?? 0), 0)
  }
}
