export { comparable } from './replay-from-every-prefix.ts'
export { detectLostContext, type LostCall, type LostContextDetector } from './detect-lost-context.ts'
export { type FakeClock, fakeClock, settled } from './fake-clock.ts'
export { fakeIds } from './fake-ids.ts'
export { memoryRuns, type MemoryRuns, type MemoryRunsOptions } from './memory-runs.ts'
export { type ChatBody, type ChatMessage, type ChatRequest, type ChatTool, type ChatToolCall } from './model-server/chat-request.ts'
export { scriptedModelServer, type ScriptedModelServer, type ScriptedModelServerOptions } from './model-server/scripted-model-server.ts'
export {
  type ScriptedAnswer,
  type ScriptedBreakdown,
  type ScriptedRefusal,
  type ScriptedReply,
  type ScriptedToolCall,
  type ScriptedTurn,
  type ScriptedUsage,
} from './model-server/scripted-turn.ts'
export { type EventRecorder, recordEvents } from './record-events.ts'
export { type RecordingReview, recordingReview } from './recording-review.ts'
export { type ReplayOptions, type ReplayReport, replayFromEveryPrefix, type RunEnd } from './replay-from-every-prefix.ts'
export { runInSegments, type SegmentedRun, type SegmentOptions } from './run-in-segments.ts'
export { type ScriptedOptions, type ScriptedTool, scriptedTool } from './scripted-tool.ts'
