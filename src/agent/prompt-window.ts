import type { CompiledContext, ContextItem } from '../context/compile-context.ts'
import type { RoutedConversation } from '../context/routed-conversation.ts'
import type { CompileStep, LedgerEntry, LedgerKind } from '../context/ledger.ts'
import { mediaTokens } from '../context/media-tokens.ts'
import type { CountTokens } from '../context/tokens.ts'
import type { ToolContext } from '../tool/context.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { OfferedFunction } from './language-model.ts'
import { type AgentMessage, type AgentToolOutput, textOfOutput, userMessage } from './messages.ts'

/** Where a text of a message comes from: the result that it was, and where the whole is stored. */
export interface Origin {
  readonly result: ToolResult
  readonly pointer: string | undefined
}

/** What is sent to a model. */
export interface Prompt {
  readonly messages: readonly AgentMessage[]
  /** Tools that the model is not told of. */
  readonly without: readonly string[]
}

/** Where the tokens of the last prompt went, and what was done to make prompts fit. */
export interface AgentContext {
  readonly window: number
  readonly tokens: Readonly<Partial<Record<LedgerKind, number>>>
  readonly steps: readonly CompileStep[]
}

export interface PromptWindowOptions {
  readonly context: ToolContext
  readonly conversation: RoutedConversation
  readonly count: CountTokens
  readonly functions: readonly OfferedFunction[]
  /** Tools that the model is always told of. */
  readonly pinned: ReadonlySet<string>
  /** The form of the answer, as it is sent. */
  readonly format: string
}

interface Kept {
  readonly id: string
  /** A reply and its results belong together. */
  readonly turn: string | undefined
  readonly message: AgentMessage
  /** By the number of the part. */
  readonly origins: ReadonlyMap<number, Origin>
  /** Tokens of its texts and files, and of what stands around them. */
  readonly tokens: number
  readonly around: number
}

interface SentSchema {
  readonly text: string
  readonly tokens: number
}

type Bare = Omit<Kept, 'tokens' | 'around'>

/** A compiled context as data: what stays in its order, with the texts that are new. */
interface Fitted {
  readonly items: readonly { readonly id: string; readonly text?: string; readonly pointer?: string }[]
  readonly without: readonly string[]
  readonly steps: readonly CompileStep[]
}

/** What providers put around a message. */
const TOKENS_OF_A_MESSAGE = 4
/** What stands around a summary of earlier turns, as a message of its own. */
const TOKENS_OF_A_SUMMARY = 20
const NO_ORIGINS: ReadonlyMap<number, Origin> = new Map()

/** The messages of a run as its model gets them: never more than the window of the router, as its tokens are counted. */
export class PromptWindow {
  readonly #options: PromptWindowOptions
  readonly #budget: number
  /** Of the tools that the model always has, and with those that it has found. */
  readonly #always: ReadonlyMap<string, SentSchema>
  #schemas: ReadonlyMap<string, SentSchema> = new Map()
  readonly #formTokens: number
  readonly #lastUsed = new Map<string, number>()
  #kept: Kept[] = []
  #without: readonly string[] = []
  #numbers = 0
  #sentSchemas = true

  constructor(options: PromptWindowOptions) {
    const { conversation, functions, count, format } = options
    this.#options = options
    this.#budget = conversation.ledger.window - (conversation.ledger.totals().reserve ?? 0)
    this.#always = new Map(functions.map((each) => this.#schemaOf(each)))
    this.#schemas = this.#always
    this.#formTokens = format === '' ? 0 : count(format)
  }

  /** The tools that the model has found, from now on. */
  offer(found: readonly OfferedFunction[]): void {
    this.#schemas = new Map([...this.#always, ...found.map((each) => this.#schemaOf(each))])
  }

  #schemaOf({ name, description, inputSchema }: OfferedFunction): readonly [string, SentSchema] {
    const text = JSON.stringify({ name, description, parameters: inputSchema })
    const known = this.#schemas.get(name)
    return [name, known?.text === text ? known : { text, tokens: this.#options.count(text) }]
  }

  /** Tokens that an output may take: what is free, or half of what could be made free for it. */
  get room(): number {
    const [system, task] = this.#kept
    const fixed = (system?.tokens ?? 0) + (task?.tokens ?? 0) + this.#schemaTokens(true)
    return Math.max(0, this.#budget - this.#total(true), Math.floor((this.#budget - fixed) / 2))
  }

  add(message: AgentMessage, origins: ReadonlyMap<number, Origin> = NO_ORIGINS): void {
    const id = `m${++this.#numbers}`
    const turn = message.role === 'assistant' ? id : message.role === 'tool' ? this.#kept.at(-1)?.turn : undefined
    this.#kept.push(this.#keep({ id, turn, message, origins }))
  }

  /** A tool that is called is told of again. */
  called(names: readonly string[], turn: number): void {
    for (const name of names) this.#lastUsed.set(name, turn)
    if (this.#without.some((name) => names.includes(name))) this.#without = this.#without.filter((name) => !names.includes(name))
  }

  /** The prompt of the next turn; undefined if it cannot be made to fit. */
  async fit(label: string, tools: boolean): Promise<Prompt | undefined> {
    this.#sentSchemas = tools
    if (this.#total(tools) > this.#budget && !(await this.#compile(label, tools))) return undefined
    return { messages: this.#kept.map(({ message }) => message), without: this.#without }
  }

  describe(): AgentContext {
    const { ledger } = this.#options.conversation
    ledger.replace(this.#entries())
    return { window: ledger.window, tokens: ledger.totals(), steps: [...ledger.steps] }
  }

  #entries(): readonly LedgerEntry[] {
    const items = this.#items(this.#sentSchemas).map(({ id, kind, text, extraTokens = 0 }) => ({
      kind: kind === 'schema' ? ('schemas' as const) : kind,
      label: id,
      tokens: this.#options.count(text) + extraTokens,
    }))
    return [...items, { kind: 'history', label: 'around messages', tokens: this.#around() }]
  }

  #schemaTokens(tools: boolean): number {
    let tokens = this.#formTokens
    if (tools) for (const [name, schema] of this.#schemas) if (!this.#without.includes(name)) tokens += schema.tokens
    return tokens
  }

  #total(tools: boolean): number {
    return this.#kept.reduce((sum, { tokens }) => sum + tokens, this.#schemaTokens(tools) + this.#around())
  }

  #around(): number {
    return this.#kept.reduce((sum, { around }) => sum + around, 0)
  }

  #keep(kept: Bare): Kept {
    const { count } = this.#options
    const tokens = itemsOf(kept).reduce((sum, { text, extraTokens = 0 }) => sum + count(text) + extraTokens, 0)
    const { message } = kept
    const named = message.role === 'tool' ? message.content.map(({ toolCallId, toolName }) => `${toolCallId} ${toolName}`) : []
    return { ...kept, tokens, around: TOKENS_OF_A_MESSAGE + named.reduce((sum, text) => sum + count(text), 0) }
  }

  #items(tools: boolean): readonly ContextItem[] {
    const { pinned, format } = this.#options
    const schemas = tools ? [...this.#schemas].filter(([name]) => !this.#without.includes(name)) : []
    return [
      ...this.#kept.flatMap(itemsOf),
      ...schemas.map(([name, { text }]): ContextItem => {
        const lastUsed = this.#lastUsed.get(name)
        return { id: `${TOOL}${name}`, kind: 'schema', text, isPinned: pinned.has(name), ...(lastUsed === undefined ? {} : { lastUsed }) }
      }),
      ...(format === '' ? [] : [{ id: 'answer', kind: 'schema', text: format, isPinned: true } satisfies ContextItem]),
    ]
  }

  /** Pointers are made by chance, and texts by the rules of this version: what was made to fit is recorded. */
  async #compile(label: string, tools: boolean): Promise<boolean> {
    const { context, conversation } = this.#options
    const items = this.#items(tools)
    let isNew = false
    const fitted = await context.decide(`${label}.fitted`, async (): Promise<Fitted> => {
      isNew = true
      const budget = this.#budget - this.#around() - TOKENS_OF_A_SUMMARY
      return changesOf(items, await conversation.compile(items, { budget, asksModel: false, signal: context.signal }))
    })
    if (!isNew) conversation.ledger.steps.push(...fitted.steps)
    this.#apply(fitted)
    return this.#total(tools) <= this.#budget
  }

  #apply({ items, without }: Fitted): void {
    this.#without = [...this.#without, ...without]
    const byMessage = new Map<string, Fitted['items'][number][]>()
    for (const item of items) {
      const [id = ''] = item.id.split('.')
      byMessage.set(id, [...(byMessage.get(id) ?? []), item])
    }
    const known = new Map(this.#kept.map((kept) => [kept.id, kept]))
    this.#kept = [...byMessage].flatMap(([id, changed]) => {
      const kept = known.get(id)
      if (kept !== undefined) return [changed.some(({ text }) => text !== undefined) ? this.#keep(withTexts(kept, changed)) : kept]
      const text = changed[0]?.text
      const own = `m${++this.#numbers}`
      return text === undefined
        ? []
        : [this.#keep({ id: own, turn: own, message: userMessage(`${SUMMARY}\n${text}`), origins: NO_ORIGINS })]
    })
  }
}

const TOOL = 'tool '
const SUMMARY = 'Earlier turns of this conversation, summarised:'

/** One item for each text of a message that can change by itself. The first two messages are the instructions and the task. */
function itemsOf({ id, turn, message, origins }: Bare): readonly ContextItem[] {
  switch (message.role) {
    case 'system':
      return [{ id, kind: 'system', text: message.content, isPinned: true }]
    case 'user': {
      if (turn !== undefined) return [{ id, kind: 'history', text: message.content.map(({ text }) => text).join('\n'), turn }]
      return message.content.map(({ text }, index) => {
        const origin = origins.get(index)
        return origin === undefined
          ? { id: `${id}.${index}`, kind: 'history', text, isPinned: true }
          : { id: `${id}.${index}`, kind: 'output', text, ...ofOrigin(origin) }
      })
    }
    case 'assistant': {
      const text = message.content
        .map((part) => (part.type === 'tool-call' ? `${part.toolCallId} ${part.toolName} ${JSON.stringify(part.input)}` : part.text))
        .join('\n')
      return [{ id, kind: 'history', text, ...(turn === undefined ? {} : { turn }) }]
    }
    case 'tool':
      return message.content.map(({ output }, index) => {
        const extra = filesOf(output).reduce((sum, { data, mediaType }) => sum + mediaTokens({ data: data.data, mimeType: mediaType }), 0)
        return {
          id: `${id}.${index}`,
          kind: 'output',
          text: textOfOutput(output),
          ...(extra === 0 ? {} : { extraTokens: extra }),
          ...(turn === undefined ? {} : { turn }),
          ...ofOrigin(origins.get(index)),
        }
      })
  }
}

function ofOrigin(origin: Origin | undefined): Pick<ContextItem, 'pointer' | 'result'> {
  if (origin === undefined) return {}
  return origin.pointer === undefined ? { result: origin.result } : origin
}

function filesOf(output: AgentToolOutput) {
  return output.type === 'content' ? output.value.filter((part) => part.type === 'file') : []
}

function changesOf(items: readonly ContextItem[], { items: compiled, steps }: CompiledContext): Fitted {
  const before = new Map(items.map((item) => [item.id, item]))
  const left = new Set(compiled.map(({ id }) => id))
  return {
    items: compiled
      .filter(({ kind }) => kind !== 'schema')
      .map(({ id, text, pointer }) => {
        const known = before.get(id)
        return {
          id,
          ...(known?.text === text ? {} : { text }),
          ...(pointer === undefined || known?.pointer === pointer ? {} : { pointer }),
        }
      }),
    without: items.flatMap(({ id, kind }) => (kind === 'schema' && !left.has(id) ? [id.slice(TOOL.length)] : [])),
    steps,
  }
}

/** With texts in place of those parts that are shorter now. */
function withTexts({ id, turn, message, origins }: Kept, changed: Fitted['items']): Bare {
  const texts = new Map(changed.flatMap(({ id: own, text }) => (text === undefined ? [] : [[Number(own.split('.')[1]), text] as const])))
  const moved = new Map(origins)
  for (const { id: own, pointer } of changed) {
    const at = Number(own.split('.')[1])
    const origin = origins.get(at)
    if (pointer !== undefined && origin !== undefined) moved.set(at, { ...origin, pointer })
  }
  if (message.role === 'user') {
    const content = message.content.map((part, index) => ({ ...part, text: texts.get(index) ?? part.text }))
    return { id, turn, message: { ...message, content }, origins: moved }
  }
  if (message.role !== 'tool') return { id, turn, message, origins }
  const content = message.content.map((part, index) => {
    const text = texts.get(index)
    if (text === undefined) return part
    return { ...part, output: { type: part.output.type === 'error-text' ? ('error-text' as const) : ('text' as const), value: text } }
  })
  return { id, turn, message: { ...message, content }, origins: moved }
}
