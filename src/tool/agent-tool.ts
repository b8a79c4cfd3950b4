import type { JsonSchema } from '../schema/json-schema.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import type { CallOptions } from './context.ts'
import type { Effect, Estimates, Idempotent } from './metadata.ts'
import type { PlanNode } from './plan-node.ts'
import type { ToolResult } from './result/result.ts'

export const TOOL: unique symbol = Symbol.for('toolwright.tool') as never

/** The description of a tool for a model. */
export interface ToolSpecification {
  readonly name: string
  readonly description: string
  /** The parameters, always an object at the root. */
  readonly parameters: JsonSchema
  readonly outputSchema?: JsonSchema | undefined
  /** For a vendor's strict mode, where a dialect was asked for and the tool got it. */
  readonly strict?: boolean | undefined
}

/** The second argument of `execute`: options of a peer framework, or ours. */
export interface ExecuteOptions extends CallOptions {
  readonly abortSignal?: AbortSignal | undefined
  readonly toolCallId?: string | undefined
}

/**
 * A tool: a named, described, typed function that an agent can call. Plain tools and compound ones are all of this type.
 * `AgentTool` without parameters is any tool. `N` is its name, where the compiler knows it: pipelines find its result by it.
 */
export interface AgentTool<in I = never, out O = unknown, out N extends string = string> {
  readonly [TOOL]: true
  readonly name: N
  readonly version: string
  /** A short name for people. */
  readonly title: string | undefined
  readonly description: string
  readonly effect: Effect
  readonly idempotent: Idempotent
  readonly permissions: readonly string[]
  readonly estimates: Estimates
  readonly source: string | undefined
  readonly tags: readonly string[]
  /** Validates arguments in the model's shape and describes them as JSON Schema. */
  readonly inputSchema: StandardSchema
  readonly specification: ToolSpecification
  /** Calls the tool from a program. Rejects only with ConfigurationError and ExitEarly. */
  readonly call: (input: I, options?: CallOptions) => Promise<ToolResult<O>>
  /** Calls the tool as a peer framework does: takes the model's arguments, returns the value, throws on failure. The same door. */
  readonly execute: (input: I, options?: ExecuteOptions) => Promise<O>
  /** The parts of the tool. */
  readonly plan: () => PlanNode
}

/** Recognises a tool of any copy of the package. */
export function isTool(value: unknown): value is AgentTool {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[TOOL] === true
}

/** `name@version`: the key of a tool in breakers, limits and journals. */
export function identityOf({ name, version }: AgentTool): string {
  return `${name}@${version}`
}
