import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { TaskWords } from './facts/task-words.ts'
import type { CompileAction, CompileStep } from './ledger.ts'
import type { CountTokens } from './tokens.ts'

/** A part of a context that is about to be sent. */
export interface ContextItem {
  readonly id: string
  readonly kind: 'system' | 'history' | 'memory' | 'output' | 'schema'
  readonly text: string
  /** Tokens beside those of the text, such as those of images. They go with the text. */
  readonly extraTokens?: number | undefined
  /** Of an output: where the whole is. */
  readonly pointer?: string | undefined
  /** Of an output that is not stored: its result, so that it can be stored when it must make room. */
  readonly result?: ToolResult<unknown> | undefined
  /** Turns and outputs with the same word belong together: a summary takes in all of them. */
  readonly turn?: string | undefined
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
  /** The pointer of an output, which is stored if it was not yet; undefined if that cannot be. */
  readonly store: (item: ContextItem) => Promise<string | undefined>
  /** An output in so many tokens at most. */
  readonly shorten: (item: ContextItem, maxTokens: number) => Promise<string>
  /** Old turns in so many tokens at most. */
  readonly summarise: (text: string, maxTokens: number) => Promise<string>
}

const ITEM_NAMES = optionNames<ContextItem>({
  id: true,
  kind: true,
  text: true,
  extraTokens: true,
  pointer: true,
  result: true,
  turn: true,
  lastUsed: true,
  isPinned: true,
})

/** How many of the last outputs and turns stay: the model works on them. Where that is too much, on the second round, fewer. */
const ROUNDS = [
  { outputs: 2, turns: 4 },
  { outputs: 0, turns: 1 },
] as const
const FEWEST_SCHEMAS = 1
const SHARE_OF_A_SUMMARY = 0.1

/**
 * Makes a context fit: old results become pointers, then outputs are shortened further, then schemas are left out, then old turns are
 * summarised. Each step goes only as far as it must, and is the same for the same items. If that is not enough, the latest results and turns
 * follow in the same order.
 */
export async function compileContext(items: readonly ContextItem[], options: CompileOptions): Promise<CompiledContext> {
  for (const item of items) checkOptionNames(item, ITEM_NAMES, 'The fields of an item of a context')
  const compiler = new Compiler(items, options)
  for (const recent of ROUNDS) {
    await compiler.pruneResults(recent.outputs)
    await compiler.raiseCompression()
    compiler.leaveOutSchemas()
    await compiler.summariseHistory(recent.turns)
  }
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
    for (const { id, text, extraTokens = 0 } of items) this.#tokens.set(id, options.count(text) + extraTokens)
    this.#total = this.#sum()
  }

  compiled(): CompiledContext {
    return { items: this.#items, tokens: this.#total, steps: this.#steps, fits: this.#fits }
  }

  get #fits(): boolean {
    return this.#total <= this.#options.budget
  }

  /** The oldest first. */
  async pruneResults(recent: number): Promise<void> {
    const outputs = this.#outputs()
    for (const item of outputs.slice(0, outputs.length - recent)) {
      if (this.#fits) return
      // A pointer is longer than a result of a few words.
      if (this.#tokensOf(item) <= TOKENS_OF_A_POINTER) continue
      const pointer = await this.#options.store(item)
      if (pointer !== undefined) this.#replace({ ...item, pointer }, `[stored output: ${pointer}]`, 'results pruned')
    }
  }

  async raiseCompression(): Promise<void> {
    for (const share of [0.5, 0.25, 0.1]) {
      for (const item of this.#outputs()) {
        if (this.#fits) return
        const before = this.#tokensOf(item)
        if (before <= TOKENS_OF_A_POINTER) continue
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
      this.#steps.push({ action: 'schemas left out', id: item.id, tokensBefore: this.#tokensOf(item), tokensAfter: 0 })
      this.#items = this.#items.filter((each) => each !== item)
      this.#total = this.#sum()
    }
  }

  /** With the outputs of the same turns. The pointers of stored ones stay, as far as they fit. */
  async summariseHistory(recent: number): Promise<void> {
    if (this.#fits) return
    const turns = this.#items.filter(({ kind, isPinned }) => kind === 'history' && isPinned !== true)
    const words = new Set(turns.slice(0, turns.length - recent).flatMap(({ turn }) => turn ?? []))
    const history = turns.slice(0, turns.length - recent)
    const old = this.#items.filter(
      (item) => history.includes(item) || (item.isPinned !== true && item.turn !== undefined && words.has(item.turn)),
    )
    const [first] = old
    if (first === undefined || history.length < 2) return
    const before = old.reduce((sum, item) => sum + this.#tokensOf(item), 0)
    const room = Math.max(0, this.#options.budget - (this.#total - before))
    const most = Math.min(room, Math.ceil(before * SHARE_OF_A_SUMMARY))
    const pointers = this.#pointers(old, Math.max(most, Math.min(room, TOKENS_OF_A_POINTER)))
    const left = most - (pointers === '' ? 0 : this.#options.count(pointers))
    const said = left <= 0 ? '' : await this.#options.summarise(old.map((item) => item.text).join('\n'), left)
    const text = [said, pointers].filter((each) => each !== '').join('\n')
    const after = text === '' ? 0 : this.#options.count(text)
    if (after >= before || after > room) return
    const summary: ContextItem = { id: `summary of ${first.id}`, kind: 'history', text }
    this.#tokens.set(summary.id, after)
    this.#items = this.#items.flatMap((item) => (item === first ? (text === '' ? [] : [summary]) : old.includes(item) ? [] : [item]))
    this.#total = this.#sum()
    this.#steps.push({ action: 'history summarised', id: summary.id, tokensBefore: before, tokensAfter: after })
  }

  /** The latest ones, as many as fit. */
  #pointers(items: readonly ContextItem[], most: number): string {
    let said = ''
    const kept: string[] = []
    for (const { pointer } of items.toReversed()) {
      if (pointer === undefined) continue
      const next = `Stored outputs: ${[pointer, ...kept].join(', ')}`
      if (this.#options.count(next) > most) break
      kept.unshift(pointer)
      said = next
    }
    return said
  }

  #outputs(): ContextItem[] {
    return this.#items.filter(({ kind, isPinned }) => kind === 'output' && isPinned !== true)
  }

  #replace(item: ContextItem, text: string, action: CompileAction): void {
    const before = this.#tokensOf(item)
    const after = this.#options.count(text)
    if (after >= before) return
    this.#tokens.set(item.id, after)
    const { extraTokens: _gone, ...rest } = item
    this.#items = this.#items.map((each) => (each.id === item.id ? { ...rest, text } : each))
    this.#total = this.#sum()
    this.#steps.push({ action, id: item.id, tokensBefore: before, tokensAfter: after })
  }

  #tokensOf({ id }: ContextItem): number {
    return this.#tokens.get(id) ?? 0
  }

  #sum(): number {
    return this.#items.reduce((sum, item) => sum + this.#tokensOf(item), 0)
  }
}

const TOKENS_OF_A_POINTER = 20
