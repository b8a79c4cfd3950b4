export type { ToLangChainOptions } from './bridge.ts'
export { type LangChainBridge, type LangChainTool, type LangChainTools, toLangChain } from './to-lang-chain.ts'
export type { ResumedReview, ReviewInterrupt, ReviewProgress, ReviewResume } from './review-interrupt.ts'
export type { GivenTools, ModelInput, ToolIn, ToolsAtHand } from '../named-tools.ts'
export type { BridgeOptions, Caller } from '../bridge-options.ts'
export {
  type FromLangChain,
  fromLangChain,
  type FromLangChainOptions,
  type LangChainGiven,
  langChainPeer,
  type LangChainToolLike,
} from './from-lang-chain.ts'
export type { AdoptedMetadata } from '../adopted.ts'
