import type { Excess } from '../../schema/excess.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ModelArguments } from './arguments.ts'

/** How a tool takes its input. Whatever does not fit is thrown as a ToolError that lists every problem. */
export interface InputPort {
  /** What the model sees: always an object at the root. */
  readonly parameters: JsonSchema
  /** The schema of the input itself, for masking and for checking edges. */
  readonly schema: JsonSchema
  /** The schema of what `accept` gives, after defaults and transforms. */
  readonly parsed: JsonSchema
  /** What is asked of the input beyond its schema; nothing where it is not told. */
  readonly excess?: readonly Excess[] | undefined
  /** What is sure of what `accept` gives, beyond its schema. */
  readonly promised?: readonly Excess[] | undefined
  /** The input that a model or a peer meant, not yet validated. */
  readonly unwrap: (given: ModelArguments, toolName: string) => unknown
  /** Validates an input and gives what the tool runs with. */
  readonly accept: (input: unknown, toolName: string) => unknown
}
