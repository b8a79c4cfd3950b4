import type { JsonSchema } from '../../schema/json-schema.ts'
import type { Usage } from '../result/result.ts'

/** What a model is asked. */
export interface ModelPrompt {
  readonly system?: string | undefined
  readonly prompt: string
  /** When given, the reply's `value` follows it. */
  readonly schema?: JsonSchema | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a model has answered. */
export interface ModelReply {
  readonly text: string
  readonly value?: unknown
  readonly usage?: Usage | undefined
}

/** A language model as tools see it; bridges adapt a vendor's to this. */
export interface Model {
  readonly generate: (prompt: ModelPrompt) => Promise<ModelReply>
}
