import { quote } from '../schema/quote.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** What a model costs, in dollars for a million tokens. */
export interface ModelPrices {
  readonly inputPerMillion: number
  readonly outputPerMillion: number
  /** Of input that the provider had cached; the price of other input by default. */
  readonly cachedInputPerMillion?: number | undefined
}

/** The tokens of the model calls of a run. */
export interface AgentUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** How many of the input tokens were cached. */
  readonly cachedInputTokens: number
  /** By the prices of the agent; undefined without them. */
  readonly costUsd?: number | undefined
}

export type TokenUsage = Omit<AgentUsage, 'costUsd'>

const NAMES = optionNames<ModelPrices>({ inputPerMillion: true, outputPerMillion: true, cachedInputPerMillion: true })
const MILLION = 1_000_000

export function checkPrices(prices: ModelPrices, whose: string): void {
  checkOptionNames(prices, NAMES, `The prices of ${whose}`)
  for (const name of ['inputPerMillion', 'outputPerMillion', 'cachedInputPerMillion'] as const) {
    const price: unknown = prices[name]
    const isPrice = typeof price === 'number' && price >= 0 && price < Infinity
    if (!isPrice && !(name === 'cachedInputPerMillion' && price === undefined))
      throw new ConfigurationError(
        'invalid_option',
        `'${name}' of the prices of ${whose} must be a number of at least 0, not ${quote(price)}.`,
      )
  }
}

export function costOf(used: TokenUsage, prices: ModelPrices | undefined): number | undefined {
  if (prices === undefined) return undefined
  const cached = Math.min(used.cachedInputTokens, used.inputTokens)
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = prices
  return ((used.inputTokens - cached) * inputPerMillion + cached * cachedInputPerMillion + used.outputTokens * outputPerMillion) / MILLION
}

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  }
}

export const NOTHING_USED: TokenUsage = Object.freeze({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 })
