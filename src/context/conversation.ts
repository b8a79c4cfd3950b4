import type { AgentTool } from '../tool/agent-tool.ts'
import { checkOptionNames } from '../tool/option-names.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { Model, ModelPrompt } from '../tool/ports/model.ts'
import type { Logger } from '../tool/ports/logger.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { type CompiledContext, compileContext, type ContextItem } from './compile-context.ts'
import { TaskWords } from './facts/task-words.ts'
import { ContextLedger } from './ledger.ts'
import {
  ADMIT_NAMES,
  type AdmitOptions,
  type AdmittedOutput,
  COMPILE_NAMES,
  type CompileContextOptions,
  type ConversationOptions,
  type RoutedConversation,
} from './routed-conversation.ts'
import type { ContextMemory } from './memory/memory.ts'
import { memoryTools } from './memory/memory-tools.ts'
import { keyFacts, type Levelled, type LevelOptions, projected, signalled, verbatim } from './levels.ts'
import { isMedia, type MediaPart, mediaTokens } from './media-tokens.ts'
import { type BlockFacts, isMark, ProvenanceFrame } from './provenance-block.ts'
import { OutputReader } from './read/output-reader.ts'
import type { StoredReaders } from './read/stored-readers.ts'
import { readOutput, type ReadOutputInput } from './read/read-output.ts'
import { chosenBy, type Criticality, type RoutingChoice, type RoutingRule } from './routing-rules.ts'
import { newPointer, outputOwner, type OutputOwner, type StoredOutput } from './stored-outputs.ts'
import { withSoundProvenance } from './sound-provenance.ts'
import type { CountTokens } from './tokens.ts'
import { outputWithout, wholeOutput } from './whole-text.ts'
import { written, type WrittenLevel, writingPrompt } from './written-levels.ts'

/** What the conversations of a router share. */
export interface RouterParts {
  readonly window: number
  readonly generationReserve: number
  readonly maxOutput: number
  readonly rules: readonly RoutingRule[]
  readonly model: Model | undefined
  readonly readers: StoredReaders
  readonly memory: ContextMemory | undefined
  readonly weights: { readonly loss: number; readonly cost: number }
  readonly count: CountTokens
  readonly log: Logger
}

const CRITICAL: Readonly<Record<Criticality, number>> = { low: 0.5, normal: 1, high: 4 }
const LEAST_WORTH = 0.01
/** From so many tokens on, the ways to read the rest are said. */
const TOKENS_OF_HELP = 600
/** Below this, the block around an output would be a large part of it. */
const MOST_FOR_A_SHORT_FRAME = 400
const HELP = ' read_output gives the rest: query, path, aggregate, range or page.'
const TOKENS_OF_A_MEMORY = 200
const TOKENS_OF_A_SHORT_OUTPUT = 100

/** A conversation of a router. */
export class Conversation implements RoutedConversation {
  readonly ledger: ContextLedger
  readonly tools: readonly AgentTool[]
  readonly readOutput: AgentTool<ReadOutputInput, string>
  readonly frame: ProvenanceFrame
  readonly #parts: RouterParts
  readonly #owner: OutputOwner
  readonly #task: string | undefined

  constructor(parts: RouterParts, { principal, session, system, task, delimiter }: ConversationOptions = {}) {
    if (delimiter !== undefined && !isMark(delimiter))
      throw new ConfigurationError('invalid_option', "The 'delimiter' of a conversation is the one that an earlier conversation has.")
    this.#parts = parts
    this.#owner = outputOwner({ principal, session })
    this.#task = task
    this.frame = new ProvenanceFrame(delimiter)
    this.ledger = new ContextLedger(parts.window)
    if (system !== undefined) this.ledger.set('system', 'prompt', typeof system === 'number' ? system : parts.count(system))
    if (parts.generationReserve > 0) this.ledger.set('reserve', 'answer', parts.generationReserve)
    this.readOutput = readOutput({
      reader: (pointer) => parts.readers.get(pointer, this.#owner),
      count: parts.count,
      maxTokens: () => Math.min(parts.maxOutput, this.ledger.remaining) - FRAME_TOKENS,
    })
    this.tools = parts.memory === undefined ? [this.readOutput] : [this.readOutput, ...memoryTools(parts.memory, () => this.#owner)]
  }

  get delimiter(): string {
    return this.frame.mark
  }

  async writing(given: ToolResult<unknown>, options: AdmitOptions = {}): Promise<ModelPrompt | undefined> {
    const result = withSoundProvenance(given)
    const { choice, task, place } = this.#placed(result, options)
    const level = this.#parts.model === undefined || !(choice.to ?? ['context']).includes('context') ? undefined : writtenLevel(choice)
    if (level === undefined || place.budget <= 0) return undefined
    const levels = this.#levels(place.reader, { task, budget: place.budget })
    return isShort(verbatim(levels)) ? undefined : writingPrompt(level, levels, task)
  }

  async admit(given: ToolResult<unknown>, options: AdmitOptions = {}): Promise<AdmittedOutput> {
    const result = withSoundProvenance(given)
    const { choice, task, place } = this.#placed(result, options)
    const { signal, written: text } = options
    const destinations = choice.to ?? ['context']
    const admitted = destinations.includes('context') ? await this.#shorten(place, choice, { task, signal, given: text }) : NOT_ADMITTED
    if (destinations.includes('memory')) await this.#remember(result, task)
    const [tool = ''] = result.provenance.tool.split('@')
    if (admitted.tokens > 0)
      this.ledger.add({ kind: 'output', label: tool, tokens: admitted.tokens, level: admitted.level, pointer: admitted.pointer })
    const { invocationId } = result.provenance
    this.#parts.log.info(
      {
        tool: result.provenance.tool,
        invocationId,
        destinations,
        level: admitted.level,
        tokens: admitted.tokens,
        characters: result.text.length,
      },
      'output routed',
    )
    return { ...admitted, destinations }
  }

  async compile(items: readonly ContextItem[], options: CompileContextOptions = {}): Promise<CompiledContext> {
    checkOptionNames(options, COMPILE_NAMES, 'The options of compile')
    const { window, generationReserve, count } = this.#parts
    const { task = this.#task, signal, budget = window - generationReserve, asksModel = true } = options
    const compiled = await compileContext(items, {
      budget,
      count,
      task,
      store: async ({ pointer, result }) => pointer ?? (result === undefined ? undefined : this.#store(result)),
      shorten: (item, maxTokens) => this.#shortened(item, { task, maxTokens }),
      summarise: async (text, maxTokens) => {
        const levels = this.#levels(new OutputReader({ text }), { task, budget: maxTokens })
        return ((asksModel ? await this.#write('summary', levels, { task, signal }) : undefined) ?? keyFacts(levels)).text
      },
    })
    this.ledger.steps.push(...compiled.steps)
    this.ledger.replace(
      compiled.items.map(({ id, kind, text, extraTokens = 0 }) => ({
        kind: kind === 'schema' ? 'schemas' : kind,
        label: id,
        tokens: count(text) + extraTokens,
      })),
    )
    return compiled
  }

  async #store(result: ToolResult<unknown>): Promise<string> {
    const pointer = newPointer()
    const output = wholeOutput(withSoundProvenance(result))
    await this.#parts.readers.put(pointer, new OutputReader(output), { output, owner: this.#owner })
    return pointer
  }

  /** An output of the context in fewer tokens, in its block. */
  async #shortened(
    { pointer, text, result }: ContextItem,
    { task, maxTokens }: { readonly task: string | undefined; readonly maxTokens: number },
  ): Promise<string> {
    const [block] = this.frame.read(text)
    const opening = block === undefined || block.from > 0 ? undefined : text.slice(0, text.indexOf('>\n') + 1)
    const frame = opening === undefined ? '' : this.frame.enclosed('', opening)
    const stored = pointer === undefined ? undefined : await this.#parts.readers.get(pointer, this.#owner)
    const reader = stored ?? new OutputReader(result === undefined ? { text: block?.text ?? text } : wholeOutput(result))
    const budget = Math.max(0, maxTokens - (frame === '' ? 0 : this.#parts.count(frame)))
    const facts = keyFacts(this.#levels(reader, { task, budget })).text
    return opening === undefined ? facts : this.frame.enclosed(facts, opening)
  }

  /** Undefined if there is no model, if it fails, or if its text is of no use. */
  async #write(
    level: WrittenLevel,
    levels: LevelOptions,
    {
      task,
      signal,
      given,
    }: { readonly task: string | undefined; readonly signal: AbortSignal | undefined; readonly given?: string | undefined },
  ): Promise<Levelled | undefined> {
    const { model, log } = this.#parts
    if (given !== undefined) return written(level, given, levels)
    if (model === undefined) return undefined
    try {
      const { text } = await model.generate({ ...(await writingPrompt(level, levels, task)), ...(signal === undefined ? {} : { signal }) })
      return written(level, text, levels)
    } catch (error) {
      if (signal?.aborted === true) throw error
      log.warn({ level, error: error instanceof Error ? error.message : String(error) }, 'the model wrote nothing; facts are used')
      return undefined
    }
  }

  #levels(reader: OutputReader, { task, budget }: { readonly task: string | undefined; readonly budget: number }): LevelOptions {
    return {
      reader,
      value: reader.output.value,
      task: new TaskWords(task),
      budget,
      count: this.#parts.count,
      safe: (text) => this.frame.safe(text),
      leastWorth: LEAST_WORTH,
    }
  }

  /** What an output says, in a few lines, with where it comes from. */
  async #remember(result: ToolResult<unknown>, task: string | undefined): Promise<void> {
    const { memory } = this.#parts
    if (memory === undefined) return
    const options = this.#levels(new OutputReader(wholeOutput(result)), { task, budget: TOKENS_OF_A_MEMORY })
    const { text } = verbatim(options) ?? keyFacts(options)
    if (text !== '') await memory.remember(text, 'session', this.#owner, result.provenance)
  }

  /** What there is of a result, and how many tokens its text may take. */
  #placed(result: ToolResult<unknown>, options: AdmitOptions): { choice: RoutingChoice; task: string | undefined; place: Place } {
    checkOptionNames(options, ADMIT_NAMES, 'The options of admit')
    const { task = this.#task, tags = [], media: types = [], room, signal: _signal, written: _written, ...call } = options
    const choice = { ...chosenBy(this.#parts.rules, { result, tags }), ...call }
    const { count, maxOutput } = this.#parts
    const most = Math.max(0, Math.min(choice.maxTokens ?? maxOutput, maxOutput, room ?? this.ledger.remaining))
    const media = this.#media(result, types, most)
    const left = most - media.reduce((sum, part) => sum + mediaTokens(part), 0)
    const reader = new OutputReader(outputWithout(result, media))
    const told: BlockFacts = {
      ...result.provenance,
      ...(result.ok && result.confidence !== undefined ? { confidence: result.confidence } : {}),
      ...(left < MOST_FOR_A_SHORT_FRAME ? { isShort: true } : {}),
    }
    const pointer = newPointer()
    const framed = (head: string): number => count(this.frame.around(head, { ...told, level: 'projection', pointer }))
    const helped = `${headOf(reader)}${HELP}`
    const head = left - framed(helped) > TOKENS_OF_HELP ? helped : headOf(reader)
    return { choice, task, place: { result, reader, media, told, pointer, head, most: left, budget: left - framed(head) } }
  }

  /** In their order, as many as leave room for a pointer. */
  #media(result: ToolResult<unknown>, types: readonly string[], most: number): readonly MediaPart[] {
    let left = most - FRAME_TOKENS
    return (result.ok ? (result.content ?? []) : []).filter((part): part is MediaPart => {
      if (!isMedia(part, types) || mediaTokens(part) > left) return false
      left -= mediaTokens(part)
      return true
    })
  }

  async #shorten(
    { result, reader, media, told, pointer, head, most, budget: first }: Place,
    choice: RoutingChoice,
    { task, signal, given }: Pick<AdmitOptions, 'task' | 'signal'> & { readonly given: string | undefined },
  ): Promise<Omit<AdmittedOutput, 'destinations'>> {
    const { count, weights, readers } = this.#parts
    const seen = media.reduce((sum, part) => sum + mediaTokens(part), 0)
    const put = (): Promise<void> => {
      const output = media.length === 0 ? (reader.output as StoredOutput) : wholeOutput(result)
      return readers.put(pointer, media.length === 0 ? reader : new OutputReader(output), { output, owner: this.#owner })
    }
    const loss = weights.loss * CRITICAL[choice.criticality ?? 'normal']
    let budget = first
    for (let attempt = 0; attempt < 3 && budget > 0; attempt++) {
      const levels = { ...this.#levels(reader, { task, budget }), leastWorth: (LEAST_WORTH * weights.cost) / (loss * DEFAULT_COST) }
      const chosen = await this.#level(levels, choice, { task, loss, signal, given })
      const text = this.#text(chosen, { told, pointer, head, most })
      const tokens = count(text)
      if (tokens <= most) {
        if (!chosen.isWhole) await put()
        return { text, tokens: tokens + seen, media, level: chosen.level, pointer: chosen.isWhole ? undefined : pointer }
      }
      budget -= tokens - most + 2
    }
    await put()
    const bare = this.frame.around('stored', { ...told, level: 'signal', pointer })
    const tokens = count(bare)
    if (tokens <= most) return { text: bare, tokens: tokens + seen, media, level: 'signal', pointer }
    return { text: '', tokens: seen, media, level: undefined, pointer }
  }

  /** The level that loses least for its tokens, or the chosen one. */
  async #level(
    options: LevelOptions,
    choice: RoutingChoice,
    {
      task,
      loss,
      signal,
      given,
    }: {
      readonly task: string | undefined
      readonly loss: number
      readonly signal: AbortSignal | undefined
      readonly given: string | undefined
    },
  ): Promise<Levelled> {
    const { weights } = this.#parts
    const facts = (): Levelled => keyFacts(options)
    const asked = writtenLevel(choice)
    if (asked !== undefined && this.#parts.model !== undefined) {
      const whole = verbatim(options)
      if (isShort(whole)) return whole
      return (await this.#write(asked, options, { task, signal, given })) ?? facts()
    }
    switch (choice.level) {
      case 'signal':
        return signalled(options)
      case 'summary':
      case 'facts':
        return facts()
      case 'verbatim':
        return verbatim(options) ?? facts()
      case 'projection':
        return (await projected(options, choice)) ?? facts()
      default: {
        const whole = verbatim(options)
        const isDeclared = choice.fields !== undefined || choice.path !== undefined
        if (isDeclared) return (await projected(options, choice)) ?? facts()
        const cost = ({ loss: lost, tokens }: Levelled): number => loss * lost + (weights.cost * tokens) / 1000
        const candidates = [whole, await projected(options, choice)].filter((each) => each !== undefined)
        // A text that costs next to nothing is not looked at further.
        if (whole !== undefined && cost(whole) < loss * LEAST_LOSS_OF_FACTS)
          return candidates.reduce((best, each) => (cost(each) < cost(best) ? each : best))
        return [...candidates, facts()].reduce((best, each) => (cost(each) < cost(best) ? each : best))
      }
    }
  }

  #text({ level, text, isWhole }: Levelled, { told, pointer, head, most }: Pick<Place, 'told' | 'pointer' | 'head' | 'most'>): string {
    if (!isWhole) return this.frame.around(`${head}\n${text}`, { ...told, level, pointer })
    const facts = { ...told, ...(level === 'verbatim' ? {} : { level }) }
    const whole = this.frame.around(text, { ...facts, isShort: false })
    return this.#parts.count(whole) <= most ? whole : this.frame.around(text, facts)
  }
}

/** A result on its way into a context. */
interface Place {
  readonly result: ToolResult<unknown>
  readonly reader: OutputReader
  readonly media: readonly MediaPart[]
  readonly told: BlockFacts
  readonly pointer: string
  /** What stands before an output that is not whole. Its tokens are taken off the budget, so it is chosen once. */
  readonly head: string
  /** Tokens of the text with its block, and of the text in it. */
  readonly most: number
  readonly budget: number
}

function writtenLevel({ level }: RoutingChoice): WrittenLevel | undefined {
  return level === 'summary' || level === 'facts' ? level : undefined
}

/** Nobody need write it shorter. */
function isShort(whole: Levelled | undefined): whole is Levelled {
  return whole !== undefined && whole.tokens <= TOKENS_OF_A_SHORT_OUTPUT
}

function headOf({ output, view }: OutputReader): string {
  return `${view.shape}, ${output.text.length} characters.`
}

const NOT_ADMITTED = { text: '', tokens: 0, media: [], level: undefined, pointer: undefined } as const
/** What the block around an output takes, at most. */
export const FRAME_TOKENS = 90
/** Of one thousand tokens, where a loss of everything is 1. */
export const DEFAULT_COST = 0.05
const LEAST_LOSS_OF_FACTS = 0.2
