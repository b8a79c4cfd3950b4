export type { ToOpenAiAgentsOptions } from './bridge.ts'
export {
  type AnyState,
  type OpenAiAgentsBridge,
  type OpenAiAgentsReviews,
  type OpenAiAgentsTool,
  type OpenAiAgentsTools,
  toOpenAiAgents,
} from './to-openai-agents.ts'
export type { AgentsOutput, AgentsOutputPart } from './tool-output.ts'
export type { GivenTools, ToolsAtHand } from '../named-tools.ts'
export type { BridgeOptions, Caller } from '../bridge-options.ts'
export type { ParkedReview, ParkedReviews, ParkedReviewsOptions } from '../parked-reviews.ts'
export {
  type FromOpenAiAgents,
  fromOpenAiAgents,
  type FromOpenAiAgentsOptions,
  type FunctionToolLike,
  type OpenAiAgentsGiven,
  openAiAgentsPeer,
} from './from-openai-agents.ts'
export type { AdoptedMetadata } from '../adopted.ts'
