export type { AdmitOptions, AdmittedOutput, CompileContextOptions, ConversationOptions, RoutedConversation } from './routed-conversation.ts'
export type { CompiledContext, ContextItem } from './compile-context.ts'
export type { CompileAction, CompileStep, ContextLedger, LedgerEntry, LedgerKind } from './ledger.ts'
export type { MediaPart } from './media-tokens.ts'
export { projection } from './encode/projection.ts'
export { tableText } from './encode/table-text.ts'
export {
  contextMemory,
  type ContextMemory,
  type ContextMemoryOptions,
  type MemoryEntry,
  type MemoryLayer,
  type MemoryStore,
  type Recalled,
  type Remembered,
} from './memory/memory.ts'
export type { RecalledText, RecallInput, RememberInput } from './memory/memory-tools.ts'
export { type ContextBudget, outputRouter, type OutputRouter, type OutputRouterOptions, type RouterWeights } from './output-router.ts'
export { postgresContext, type PostgresContext, type PostgresContextOptions } from './postgres-context.ts'
export { type BlockFacts, ProvenanceFrame, type ReadBlock } from './provenance-block.ts'
export type { Aggregate } from './read/aggregate.ts'
export type { Condition } from './read/conditions.ts'
export type { ReadOutputInput } from './read/read-output.ts'
export type { CompressionLevel, Criticality, Destination, RoutingChoice, RoutingRule } from './routing-rules.ts'
export { memoryOutputs, type MemoryOutputsOptions, type OutputOwner, type OutputStore, type StoredOutput } from './stored-outputs.ts'
export { type CountTokens, estimateTokens, gptTokens } from './tokens.ts'
