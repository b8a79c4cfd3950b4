import type { JsonSchema } from '../../schema/json-schema.ts'
import type { Logger } from '../../tool/ports/logger.ts'
import type { Model } from '../../tool/ports/model.ts'
import type { Principal } from '../../tool/principal.ts'
import type { FailureDetails, Usage } from '../../tool/result/result.ts'

/** A failed call whose input may be the reason. */
export interface RepairRequest<I = unknown> {
  /** The input that failed. It may not fit the schema. */
  readonly input: I
  readonly error: Omit<FailureDetails, 'cause'>
  readonly tool: { readonly name: string; readonly description: string }
  /** The JSON Schema of the input. */
  readonly schema: JsonSchema
  /** Why the tool does not take the input that this repairer proposed before; undefined the first time. */
  readonly problem?: string | undefined
}

/** The part of the call's context that a repairer may use. */
export interface RepairContext {
  readonly model: Model | undefined
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
  readonly principal: Principal | undefined
  readonly services: Readonly<Record<string, unknown>>
  readonly log: Logger
  readonly usage: (usage: Usage) => void
}

/** Another input for the call. */
export interface ProposedInput {
  readonly input: unknown
  /** What was changed, in words, for the result. */
  readonly why?: string | undefined
}

/**
 * Proposes another input for a failed call, or undefined if it knows none. The answer is recorded, and a replay does not ask again. The tool
 * validates the input before it is used.
 * @example
 * const shorter: Repairer<{ query: string }> = ({ input, error }) =>
 *   error.class === 'not_found' ? { input: { query: input.query.split(' ').slice(0, 2).join(' ') }, why: 'a broader query' } : undefined
 */
export type Repairer<I = unknown> = (
  request: RepairRequest<I>,
  context: RepairContext,
) => ProposedInput | undefined | Promise<ProposedInput | undefined>
