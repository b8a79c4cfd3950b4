import type { AgentTool } from '../tool/agent-tool.ts'
import { optionNames } from '../tool/option-names.ts'
import type { ModelPrompt } from '../tool/ports/model.ts'
import type { Principal } from '../tool/principal.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { CompiledContext, ContextItem } from './compile-context.ts'
import type { ContextLedger } from './ledger.ts'
import type { MediaPart } from './media-tokens.ts'
import type { ProvenanceFrame } from './provenance-block.ts'
import type { ReadOutputInput } from './read/read-output.ts'
import { CHOICE_NAMES, type CompressionLevel, type Destination, type RoutingChoice } from './routing-rules.ts'

/** The options of a conversation of an output router. */
export interface ConversationOptions {
  readonly principal?: Principal | undefined
  readonly session?: string | undefined
  /** Tokens of the system prompt, or the prompt itself. */
  readonly system?: number | string | undefined
  /** What the model is asked to do: outputs are shortened with a view to it. */
  readonly task?: string | undefined
  /** The random part of the delimiters, of a conversation that is continued: `delimiter` of the earlier one. Models must not have chosen it. */
  readonly delimiter?: string | undefined
}

/** The options with which a conversation takes an output in. */
export interface AdmitOptions extends RoutingChoice {
  readonly task?: string | undefined
  /** The tags of the tool, for rules. */
  readonly tags?: readonly string[] | undefined
  /** Media types that the model takes: `image/*`. Such parts of a result enter beside its text, if there is room. */
  readonly media?: readonly string[] | undefined
  /** Tokens that there is room for; by default those that the ledger has left. */
  readonly room?: number | undefined
  /** What a model has written for this output, as `writing` asked for; without it the model of the router is asked. */
  readonly written?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** What of an output enters a context. */
export interface AdmittedOutput {
  /** For the model, in its block. Empty if the output does not enter the context, or not even its pointer fits. */
  readonly text: string
  /** Of the text and the media. */
  readonly tokens: number
  /** Parts that enter as they are. */
  readonly media: readonly MediaPart[]
  readonly level: CompressionLevel | undefined
  /** Where the whole output is, if the text is not all of it. */
  readonly pointer: string | undefined
  readonly destinations: readonly Destination[]
}

/** One conversation with a model: its tokens, its outputs and the delimiters that only it knows. */
export interface RoutedConversation {
  readonly ledger: ContextLedger
  /** For the model: `read_output` reads outputs that were stored; with a memory, also `remember` and `recall`. */
  readonly tools: readonly AgentTool[]
  /** The tool `read_output`, for programs. */
  readonly readOutput: AgentTool<ReadOutputInput, string>
  readonly frame: ProvenanceFrame
  /** The random part of the delimiters, to continue the conversation elsewhere. */
  readonly delimiter: string
  /** What a model must write before this result can be admitted; undefined if nothing. For those who ask it themselves. */
  readonly writing: (result: ToolResult<unknown>, options?: AdmitOptions) => Promise<ModelPrompt | undefined>
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
  /** Tokens for the items; by default the window without what is kept for the answer. */
  readonly budget?: number | undefined
  /** False if no model may write the summary of old turns. */
  readonly asksModel?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export const ADMIT_NAMES = optionNames<AdmitOptions>({
  ...CHOICE_NAMES,
  task: true,
  tags: true,
  media: true,
  room: true,
  written: true,
  signal: true,
})
export const COMPILE_NAMES = optionNames<CompileContextOptions>({ task: true, budget: true, asksModel: true, signal: true })
