import type { ModelMessage, Tool, ToolApprovalStatus, ToolExecuteFunction } from 'ai'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { GivenTools } from './named-tools.ts'
import type { ProgressOutput } from './progress-feed.ts'

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never

/** What a model sends for an input of this type: an object. Whatever is not plainly one stands under `input`. */
export type ModelInput<I> = [I] extends [never]
  ? unknown
  : unknown extends I
    ? unknown
    : [I] extends [readonly unknown[]]
      ? { readonly input: I }
      : [I] extends [object]
        ? true extends IsUnion<I>
          ? { readonly input: I }
          : I
        : { readonly input: I }

type SdkTool<I, O> = Tool<I, O, Record<string, unknown>> & { readonly execute: ToolExecuteFunction<I, O, Record<string, unknown>> }

/** One of our tools as the AI SDK sees it. With progress, an output may be a preliminary one. */
export type AiSdkTool<T, P extends boolean = false> =
  T extends AgentTool<infer I, infer O> ? SdkTool<ModelInput<I>, P extends true ? O | ProgressOutput : O> : never

/** The tool set: by the keys of a record, or by the names of the tools in a list, which types do not know. */
export type AiSdkToolSet<T extends GivenTools, P extends boolean = false> = T extends readonly AgentTool[]
  ? Record<string, AiSdkTool<T[number], P>>
  : { [K in keyof T]: AiSdkTool<T[K], P> }

/** Says of one call whether a person must approve it. */
export type AiSdkApproval = (
  input: unknown,
  call: { readonly toolCallId: string; readonly messages: readonly ModelMessage[] },
) => Promise<ToolApprovalStatus>

/** For the option `toolApproval` of `generateText` and `streamText`. Spread it to add rules for other tools. */
export type AiSdkApprovals<T extends GivenTools> = T extends readonly AgentTool[]
  ? Record<string, AiSdkApproval>
  : { [K in keyof T]: AiSdkApproval }
