import type { AgentTool } from '../tool/agent-tool.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { type Logger, silentLogger } from '../tool/ports/logger.ts'
import type { Model } from '../tool/ports/model.ts'
import { Conversation, DEFAULT_COST, FRAME_TOKENS, type RouterParts } from './conversation.ts'
import type { ConversationOptions, RoutedConversation } from './routed-conversation.ts'
import type { ContextMemory } from './memory/memory.ts'
import { checkRules, type RoutingRule } from './routing-rules.ts'
import { memoryTools } from './memory/memory-tools.ts'
import { readOutput } from './read/read-output.ts'
import { StoredReaders } from './read/stored-readers.ts'
import { memoryOutputs, outputOwner, type OutputStore } from './stored-outputs.ts'
import { type CountTokens, estimateTokens } from './tokens.ts'

/** The tokens of a context. */
export interface ContextBudget {
  /** The context window of the model. */
  readonly window: number
  /** Kept free for the model's answer; an eighth of the window, at most 4,096, by default. */
  readonly generationReserve?: number | undefined
  /** For one output at most; a quarter of the window by default. */
  readonly maxOutput?: number | undefined
}

/** What a loss of everything, and what a thousand tokens weigh; 1 and 0.05 by default. */
export interface RouterWeights {
  readonly loss?: number | undefined
  readonly cost?: number | undefined
}

/** The options of `outputRouter`. */
export interface OutputRouterOptions {
  /** The tokens of the context, or a number: so many for outputs, in all. */
  readonly budget: number | ContextBudget
  readonly rules?: readonly RoutingRule[] | undefined
  /** Writes summaries and key facts, where a rule asks for them by its level. */
  readonly model?: Model | undefined
  /** Where outputs are kept that do not fit; the memory of the process by default. */
  readonly store?: OutputStore | undefined
  /** What is remembered between turns and conversations. Without one, nothing is. */
  readonly memory?: ContextMemory | undefined
  readonly weights?: RouterWeights | undefined
  /** Such as `await gptTokens()`; an estimate on the safe side by default. */
  readonly countTokens?: CountTokens | undefined
  readonly log?: Logger | undefined
}

/** Decides what of each output a model reads. */
export interface OutputRouter {
  /** `read_output`, and with a memory `remember` and `recall`, for every caller: who calls them reads what is theirs. */
  readonly tools: readonly AgentTool[]
  /** Begins a conversation: its own budget, delimiters and pointers. */
  readonly conversation: (options?: ConversationOptions) => RoutedConversation
  /** Writes summaries and key facts, where a rule asks for them. */
  readonly model: Model | undefined
  readonly countTokens: CountTokens
}

const NAMES = optionNames<OutputRouterOptions>({
  budget: true,
  rules: true,
  model: true,
  store: true,
  memory: true,
  weights: true,
  countTokens: true,
  log: true,
})
const BUDGET_NAMES = optionNames<ContextBudget>({ window: true, generationReserve: true, maxOutput: true })
const CONVERSATION_NAMES = optionNames<ConversationOptions>({ principal: true, session: true, system: true, task: true, delimiter: true })
const WEIGHT_NAMES = optionNames<RouterWeights>({ loss: true, cost: true })
const MOST_RESERVED = 4096

/**
 * Makes a router of outputs: large ones enter a context as facts with a pointer, and are read back by search, path and page.
 * @example
 * const router = outputRouter({ budget: { window: 16_000 } })
 * const chat = router.conversation({ task: 'Which orders are late?' })
 */
export function outputRouter(options: OutputRouterOptions): OutputRouter {
  checkOptionNames(options, NAMES, 'The options of outputRouter')
  const { rules = [], model, store = memoryOutputs(), memory, weights = {}, countTokens = estimateTokens, log = silentLogger } = options
  checkOptionNames(weights, WEIGHT_NAMES, 'The weights of outputRouter')
  checkRules(rules)
  const parts: RouterParts = {
    ...budgetOf(options.budget),
    rules,
    model,
    readers: new StoredReaders(store),
    memory,
    weights: { loss: weights.loss ?? 1, cost: weights.cost ?? DEFAULT_COST },
    count: countTokens,
    log,
  }
  const reading = readOutput({
    reader: (pointer, caller) => parts.readers.get(pointer, outputOwner(caller)),
    count: countTokens,
    maxTokens: () => parts.maxOutput - FRAME_TOKENS,
  })
  return {
    tools: memory === undefined ? [reading] : [reading, ...memoryTools(memory, outputOwner)],
    conversation: (own = {}) => {
      checkOptionNames(own, CONVERSATION_NAMES, 'The options of a conversation')
      return new Conversation(parts, own)
    },
    model,
    countTokens,
  }
}

function budgetOf(budget: number | ContextBudget): Pick<RouterParts, 'window' | 'generationReserve' | 'maxOutput'> {
  if (typeof budget === 'number') return { window: checked(budget, 'budget'), generationReserve: 0, maxOutput: budget }
  checkOptionNames(budget, BUDGET_NAMES, 'The budget of outputRouter')
  const window = checked(budget.window, 'budget.window')
  return {
    window,
    generationReserve: checked(budget.generationReserve ?? Math.min(MOST_RESERVED, Math.floor(window / 8)), 'budget.generationReserve'),
    maxOutput: checked(budget.maxOutput ?? Math.floor(window / 4), 'budget.maxOutput'),
  }
}

function checked(tokens: number, what: string): number {
  if (Number.isFinite(tokens) && tokens >= 0) return tokens
  throw new ConfigurationError('invalid_option', `The ${what} of outputRouter is a number of tokens, 0 or more, not ${String(tokens)}.`)
}
