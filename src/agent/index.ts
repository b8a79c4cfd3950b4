export {
  agent,
  type Agent,
  type AgentInput,
  type AgentOptions,
  type AgentOutput,
  type AgentRunOptions,
  type AgentStream,
  type AgentToolOptions,
  type AgentValue,
} from './agent.ts'
export { type AgentAnswer, type AgentProgress, type AgentStop, unfinished } from './agent-answer.ts'
export type { AgentEvent } from './agent-feed.ts'
export type { AgentCatalog } from './tool-finder.ts'
export type { AgentLimits } from './agent-limits.ts'
export type { AgentUsage, ModelPrices } from './agent-usage.ts'
export type { AgentContext } from './prompt-window.ts'
export type {
  AgentFilePart,
  AgentMessage,
  AgentReasoningPart,
  AgentTextPart,
  AgentToolCallPart,
  AgentToolOutput,
  AgentToolResultPart,
  ProviderOptions,
  ProviderValue,
} from './messages.ts'
export type { AgentModel, LanguageModelLike } from './language-model.ts'
export type { ModelSettings } from './model-settings.ts'
export type { TemplateVariables } from './template.ts'
export type { EarlierOutput, EarlierOutputs, TaskInput } from './earlier-outputs.ts'
export { inPhases, type InPhasesOptions, type Phases, type PhasesInput, type PhasesOutput } from './in-phases.ts'
export { type AgentTaskOptions, type NeedsInput, task, type ToolTaskOptions } from './task.ts'
