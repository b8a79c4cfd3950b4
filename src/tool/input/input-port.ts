import type { Excess } from '../../schema/excess.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ModelArguments } from './arguments.ts'

/** How a tool takes its input. An input that does not fit is thrown as a ToolError that lists every problem. */
export interface InputPort {
  /** The parameters for the model: always an object at the root. */
  readonly parameters: JsonSchema
  /** The schema of the input itself, for masking and for checking edges. */
  readonly schema: JsonSchema
  /** The schema of the value of `accept`, after defaults and transforms. */
  readonly parsed: JsonSchema
  /** Rules of the input that its schema does not show, if known. */
  readonly excess?: readonly Excess[] | undefined
  /** Guarantees of the value of `accept` that its schema does not show. */
  readonly promised?: readonly Excess[] | undefined
  /** The value of `accept` shares no object with the given input, so that nobody who holds the input can change it. */
  readonly isPrivate: boolean
  /** The input from the arguments of a model or a peer, not yet validated. */
  readonly unwrap: (given: ModelArguments, toolName: string) => unknown
  /** Validates an input and returns the value for the tool. */
  readonly accept: (input: unknown, toolName: string) => unknown
}
