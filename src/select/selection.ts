import type { AgentTool } from '../tool/agent-tool.ts'
import type { CountTokens } from '../context/tokens.ts'
import type { Principal } from '../tool/principal.ts'
import type { Embedder } from './embedder.ts'
import type { TraceStore } from './trace-store.ts'
import type { TextVectors } from './word-vectors.ts'

/** The options of a catalog. */
export interface CatalogOptions {
  /**
   * Compares meanings with the word vectors of the package, about 2 MB, with your own, or with an embedding model: `embedder(model)`. True
   * unless said otherwise. Without them only words count.
   */
  readonly vectors?: boolean | TextVectors | Embedder | undefined
  /** Counts the tokens of a schema; an estimate unless given. */
  readonly countTokens?: CountTokens | undefined
  /** From 0 to 1: if no tool is as relevant as this, nothing fits. 0.25 unless given. */
  readonly threshold?: number | undefined
  /** If the caller may see more tools than this, the categories of the tools that were found count a little in their ranks; 50 unless given. */
  readonly categoriesFrom?: number | undefined
  /** Where processes share what they learn from, such as `postgresTraces(pool)`. Without it, traces are in this catalog alone. */
  readonly store?: TraceStore | undefined
  /**
   * The path of a file with the words and vectors of the tools, which makes a start faster. It is written when it lacks a tool that the catalog
   * is made of, and by `saveIndex`; a file that is damaged or out of date is made anew. Not with vectors of your own.
   */
  readonly index?: string | undefined
  /** Told of each request that no tool fits, so that gaps of the catalog are found. */
  readonly onGap?: ((gap: Gap) => void) | undefined
}

/** A request that no tool fits. */
export interface Gap {
  /** The request, up to 500 characters. */
  readonly request: string
  /** Who asked. */
  readonly principal: string | undefined
  /** The nearest tool that the caller may see, which is not relevant enough; undefined if none is near at all. */
  readonly nearest: { readonly tool: string; readonly relevance: number } | undefined
  /** In milliseconds since the epoch. */
  readonly at: number
}

/** The options of `add` of a catalog. */
export interface AddOptions {
  /** Where the tools come from: they are found by it too, and can be replaced or removed together. */
  readonly server?: string | undefined
}

/** The options of `select` of a catalog. */
export interface SelectOptions {
  /** Tools in the answer at the most; 10 unless given. */
  readonly k?: number | undefined
  /** Tools that the principal may not call are in no answer and no count. */
  readonly principal?: Principal | undefined
  /** What the schemas of the answer may cost together. */
  readonly tokens?: number | undefined
  /** A rule of your own, asked before anything is ranked: a tool that it does not allow does not exist for this request. */
  readonly allows?: ((tool: AgentTool) => boolean) | undefined
}

/** A tool of an answer. */
export interface SelectedTool {
  readonly tool: AgentTool
  readonly server: string | undefined
  /** How well it fits, from 0 to 1. */
  readonly relevance: number
  /** What put it at its rank; higher is better. Comparable within one answer only. */
  readonly score: number
  /** Why it is here, in words. */
  readonly reasons: readonly string[]
  /** What its specification costs a model. */
  readonly schemaTokens: number
}

/** The tools that a catalog found for a request. */
export interface Selection {
  /** The best first. Empty if nothing fits. */
  readonly tools: readonly SelectedTool[]
  /** No tool is relevant enough: a gap in the catalog. */
  readonly nothingFits: boolean
  /** What the schemas of the answer cost together. */
  readonly tokens: number
  /** With an embedding model: whether it compared meanings, or the vectors of the package, since the model failed or was late. */
  readonly vectors?: 'model' | 'own' | undefined
  /** Tools left out because their schemas did not fit `tokens`. */
  readonly leftOut: number
}

/** Who looks at a catalog: what they may not see does not exist for them. */
export type Viewer = Pick<SelectOptions, 'principal' | 'allows'>
