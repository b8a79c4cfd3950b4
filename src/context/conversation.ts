import type { AgentTool } from '../tool/agent-tool.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { Model } from '../tool/ports/model.ts'
import type { Logger } from '../tool/ports/logger.ts'
import type { Principal } from '../tool/principal.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { type CompiledContext, compileContext, type ContextItem } from './compile-context.ts'
import { TaskWords } from './facts/task-words.ts'
import { ContextLedger } from './ledger.ts'
import type { ContextMemory } from './memory/memory.ts'
import { memoryTools } from './memory/memory-tools.ts'
import { keyFacts, type Levelled, type LevelOptions, projected, signalled, summarised, verbatim } from './levels.ts'
import { type BlockFacts, ProvenanceFrame } from './provenance-block.ts'
import { OutputReader } from './read/output-reader.ts'
import type { StoredReaders } from './read/stored-readers.ts'
import { readOutput, type ReadOutputInput } from './read/read-output.ts'
import {
  CHOICE_NAMES,
  chosenBy,
  type CompressionLevel,
  type Criticality,
  type Destination,
  type RoutingChoice,
  type RoutingRule,
} from './routing-rules.ts'
import { newPointer, outputOwner, type OutputOwner } from './stored-outputs.ts'
import type { CountTokens } from './tokens.ts'
import { wholeOutput } from './whole-text.ts'

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

/** The options of a conversation of an output router. */
export interface ConversationOptions {
  readonly principal?: Principal | undefined
  readonly session?: string | undefined
  /** Tokens of the system prompt, or the prompt itself. */
  readonly system?: number | string | undefined
  /** What the model is asked to do: outputs are shortened with a view to it. */
  readonly task?: string | undefined
}

/** The options with which a conversation takes an output in. */
export interface AdmitOptions extends RoutingChoice {
  readonly task?: string | undefined
  /** The tags of the tool, for rules. */
  readonly tags?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** What of an output enters a context. */
export interface AdmittedOutput {
  /** For the model, in its block. Empty if the output does not enter the context, or not even its pointer fits. */
  readonly text: string
  readonly tokens: number
  readonly level: CompressionLevel | undefined
  /** Where the whole output is, if the text is not all of it. */
  readonly pointer: string | undefined
  readonly destinations: readonly Destination[]
}

const CRITICAL: Readonly<Record<Criticality, number>> = { low: 0.5, normal: 1, high: 4 }
const LEAST_WORTH = 0.01
/** From so many tokens on, the ways to read the rest are said. */
const TOKENS_OF_HELP = 160
const HELP = ' read_output gives the rest: query, path, aggregate, range or page.'
const TOKENS_OF_A_MEMORY = 200

/** One conversation with a model: its tokens, its outputs and the delimiters that only it knows. */
export interface RoutedConversation {
  readonly ledger: ContextLedger
  /** For the model: `read_output` reads outputs that were stored; with a memory, also `remember` and `recall`. */
  readonly tools: readonly AgentTool[]
  /** The tool `read_output`, for programs. */
  readonly readOutput: AgentTool<ReadOutputInput, string>
  readonly frame: ProvenanceFrame
  /** Decides what of a result the model reads, stores the rest, and enters it in the ledger. */
  readonly admit: (result: ToolResult<unknown>, options?: AdmitOptions) => Promise<AdmittedOutput>
  /**
   * Makes the parts of a context fit into the window: old results become pointers, then outputs are shortened further, then schemas are left
   * out, then old turns are summarised. The ledger has the tokens of the result and each step.
   */
  readonly compile: (items: readonly ContextItem[], options?: CompileContextOptions) => Promise<CompiledContext>
}

/** What compiling a context may know. */
export interface CompileContextOptions {
  readonly task?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const ADMIT_NAMES = optionNames<AdmitOptions>({ ...CHOICE_NAMES, task: true, tags: true, signal: true })
const COMPILE_NAMES = optionNames<CompileContextOptions>({ task: true, signal: true })

/** A conversation of a router. */
export class Conversation implements RoutedConversation {
  readonly ledger: ContextLedger
  readonly tools: readonly AgentTool[]
  readonly readOutput: AgentTool<ReadOutputInput, string>
  readonly frame = new ProvenanceFrame()
  readonly #parts: RouterParts
  readonly #owner: OutputOwner
  readonly #task: string | undefined

  constructor(parts: RouterParts, { principal, session, system, task }: ConversationOptions = {}) {
    this.#parts = parts
    this.#owner = outputOwner({ principal, session })
    this.#task = task
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

  async admit(result: ToolResult<unknown>, options: AdmitOptions = {}): Promise<AdmittedOutput> {
    checkOptionNames(options, ADMIT_NAMES, 'The options of admit')
    const { task = this.#task, tags = [], signal, ...call } = options
    const choice = { ...chosenBy(this.#parts.rules, { result, tags }), ...call }
    const destinations = choice.to ?? ['context']
    const admitted = destinations.includes('context') ? await this.#shorten(result, choice, { task, signal }) : NOT_ADMITTED
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
    const { task = this.#task, signal } = options
    const { window, generationReserve, count, model } = this.#parts
    const compiled = await compileContext(items, {
      budget: window - generationReserve,
      count,
      task,
      shorten: async ({ pointer, text }, maxTokens) => {
        const reader =
          (pointer === undefined ? undefined : await this.#parts.readers.get(pointer, this.#owner)) ?? new OutputReader({ text })
        return keyFacts(this.#levels(reader, { task, budget: maxTokens })).text
      },
      summarise: async (text, maxTokens) => {
        const levels = this.#levels(new OutputReader({ text }), { task, budget: maxTokens })
        return (model === undefined ? keyFacts(levels) : await summarised(levels, model, task, signal)).text
      },
    })
    this.ledger.steps.push(...compiled.steps)
    this.ledger.replace(
      compiled.items.map(({ id, kind, text }) => ({ kind: kind === 'schema' ? 'schemas' : kind, label: id, tokens: count(text) })),
    )
    return compiled
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

  async #shorten(
    result: ToolResult<unknown>,
    choice: RoutingChoice,
    { task, signal }: Pick<AdmitOptions, 'task' | 'signal'>,
  ): Promise<Omit<AdmittedOutput, 'destinations'>> {
    const { count, maxOutput, weights, readers } = this.#parts
    const output = wholeOutput(result)
    const reader = new OutputReader(output)
    const pointer = newPointer()
    const told: BlockFacts = {
      ...result.provenance,
      ...(result.ok && result.confidence !== undefined ? { confidence: result.confidence } : {}),
    }
    const most = Math.max(0, Math.min(choice.maxTokens ?? maxOutput, maxOutput, this.ledger.remaining))
    const loss = weights.loss * CRITICAL[choice.criticality ?? 'normal']
    const frame = count(this.frame.around(`${headOf(reader)}${HELP}`, { ...told, level: 'projection', pointer }))
    let budget =
      most - (most - frame > TOKENS_OF_HELP ? frame : count(this.frame.around(headOf(reader), { ...told, level: 'projection', pointer })))
    for (let attempt = 0; attempt < 3 && budget > 0; attempt++) {
      const levels = { ...this.#levels(reader, { task, budget }), leastWorth: (LEAST_WORTH * weights.cost) / (loss * DEFAULT_COST) }
      const chosen = await this.#level(levels, choice, { task, loss, signal })
      const text = this.#text(chosen, { told, pointer, reader, budget })
      const tokens = count(text)
      if (tokens <= most) {
        if (!chosen.isWhole) await this.#parts.readers.put(pointer, reader, { output, owner: this.#owner })
        return { text, tokens, level: chosen.level, pointer: chosen.isWhole ? undefined : pointer }
      }
      budget -= tokens - most + 2
    }
    await readers.put(pointer, reader, { output, owner: this.#owner })
    const bare = this.frame.around('stored', { ...told, level: 'signal', pointer })
    const tokens = count(bare)
    return tokens <= most ? { text: bare, tokens, level: 'signal', pointer } : { text: '', tokens: 0, level: undefined, pointer }
  }

  /** The level that loses least for its tokens, or the chosen one. */
  async #level(
    options: LevelOptions,
    choice: RoutingChoice,
    { task, loss, signal }: { readonly task: string | undefined; readonly loss: number; readonly signal: AbortSignal | undefined },
  ): Promise<Levelled> {
    const { weights, model } = this.#parts
    const facts = (): Levelled => keyFacts(options)
    switch (choice.level) {
      case 'signal':
        return signalled(options)
      case 'summary':
        return model === undefined ? facts() : summarised(options, model, task, signal)
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

  #text(
    { level, text, isWhole }: Levelled,
    {
      told,
      pointer,
      reader,
      budget,
    }: { readonly told: BlockFacts; readonly pointer: string; readonly reader: OutputReader; readonly budget: number },
  ): string {
    if (isWhole) return this.frame.around(text, { ...told, ...(level === 'verbatim' ? {} : { level }) })
    return this.frame.around(`${headOf(reader)}${budget > TOKENS_OF_HELP ? HELP : ''}\n${text}`, { ...told, level, pointer })
  }
}

function headOf({ output, view }: OutputReader): string {
  return `${view.shape}, ${output.text.length} characters.`
}

const NOT_ADMITTED = { text: '', tokens: 0, level: undefined, pointer: undefined } as const
/** What the block around an output takes, at most. */
export const FRAME_TOKENS = 90
/** Of one thousand tokens, where a loss of everything is 1. */
export const DEFAULT_COST = 0.05
const LEAST_LOSS_OF_FACTS = 0.2
