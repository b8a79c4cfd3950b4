export { branch, type BranchOptions } from './combinators/branch/branch.ts'
export type { Classifier, ClassifierContext, RouteConfidence, RouteDescription } from './combinators/branch/classifier.ts'
export { type ClassifiedRoute, classify, type ClassifyOptions } from './combinators/branch/classify.ts'
export { equals } from './combinators/branch/equals.ts'
export { match } from './combinators/branch/match.ts'
export { modelClassifier, type ModelClassifierOptions } from './combinators/branch/model-classifier.ts'
export type { Otherwise } from './combinators/branch/otherwise.ts'
export {
  type ReshapedRouteOptions,
  type Route,
  type RouteCase,
  type RouteMisfit,
  type RouteOptions,
  type RouteTool,
  when,
} from './combinators/branch/route.ts'
export { above, below, type Threshold } from './combinators/branch/threshold.ts'
export { breaker } from './combinators/breaker/breaker.ts'
export { memoryBreakers } from './combinators/breaker/memory-breakers.ts'
export { cache, type CacheOptions } from './combinators/cache/cache.ts'
export { corroborate, type CorroborateOptions } from './combinators/corroborate/corroborate.ts'
export type { AnyAnswer, CorroborateInput, NoSharedField, Sources } from './combinators/corroborate/source-types.ts'
export type { FieldComparison } from './combinators/corroborate/field-comparison.ts'
export {
  type ArbiterAnswer,
  type ArbiterConflict,
  type ArbiterFunction,
  type ArbiterQuestion,
  byAuthority,
  byFreshness,
  byMajority,
  type Resolution,
} from './combinators/corroborate/resolution.ts'
export { type Source, source, type SourceOptions, type SourceOutput } from './combinators/corroborate/source.ts'
export { fallback, type FallbackOptions } from './combinators/fallback/fallback.ts'
export { level, type LevelAnswer, type LevelOptions } from './combinators/fallback/level.ts'
export { idempotent, type IdempotentOptions } from './combinators/idempotent/idempotent.ts'
export { memoryIdempotency, type MemoryIdempotencyOptions } from './combinators/idempotent/memory-idempotency.ts'
export { limit, type LimitOptions } from './combinators/limit/limit.ts'
export { memoryLimits } from './combinators/limit/memory-limits.ts'
export { type CommonLoopOptions, loop, type LoopOptions } from './combinators/loop/loop.ts'
export type { MapEntry } from './combinators/map/map-entry.ts'
export { map, type MapOptions } from './combinators/map/map.ts'
export type { BranchMisfit, MergeWaits } from './combinators/parallel/branch-types.ts'
export { all, best, first, type Join, type JoinKind, partial, type PartialOptions, quorum } from './combinators/parallel/join.ts'
export { parallel, type ParallelOptions } from './combinators/parallel/parallel.ts'
export { gate, type GateOptions } from './combinators/gate/gate.ts'
export { heal, type HealOptions } from './combinators/heal/heal.ts'
export { modelRepairer, type ModelRepairerOptions } from './combinators/heal/model-repairer.ts'
export type { ProposedInput, RepairContext, Repairer, RepairRequest } from './combinators/heal/repairer.ts'
export { fill, type Filled } from './combinators/pipe/fill.ts'
export type { Adapter, Fits, Misfit } from './combinators/pipe/fits.ts'
export { into, type Into, type IntoOptions } from './combinators/pipe/into.ts'
export type { PipelineOptions } from './combinators/pipe/make-pipeline.ts'
export { pipe, type NamedPipe, type NamedPipelineOptions, type Pipe } from './combinators/pipe/pipe.ts'
export type { ErrorStrategy } from './combinators/pipe/run-pipeline.ts'
export type { DeadlineSharing } from './combinators/pipe/step-deadline.ts'
export { type PipelineBuilder, type PipelineFactory, type PipelineStart, ToolPipeline } from './combinators/pipe/tool-pipeline.ts'
export { retry, type RetryOptions } from './combinators/retry/retry.ts'
export { among, type AmongList, type AmongOptions } from './combinators/validate/among.ts'
export { type BoundsOptions, counted, within } from './combinators/validate/bounds.ts'
export { each } from './combinators/validate/each.ts'
export { ordered, type OrderedOptions } from './combinators/validate/ordered.ts'
export { rule, type Rule, type RuleGiven, type RuleOptions, type RuleSeverity } from './combinators/validate/rule.ts'
export { sums, type SumsOptions } from './combinators/validate/sums.ts'
export { validate, type ValidateOptions } from './combinators/validate/validate.ts'
export { retryCompensation } from './combinators/saga/retry-compensation.ts'
export type {
  Compensation,
  CompensationGiven,
  FittingStep,
  LabelTaken,
  NewLabel,
  OwnInput,
  SagaDefinition,
  StepInput,
  StepMisfit,
  StepOptions,
} from './combinators/saga/saga-types.ts'
export { type AddStep, saga, type SagaBuilder, type SagaOutput, type SagaStart } from './combinators/saga/saga.ts'
export { defineConfig, type ToolwrightConfig } from './runtime/define-config.ts'
export type {
  McpEndpoint,
  McpImportOptions,
  McpPins,
  McpProgram,
  McpServerEntries,
  McpServerEntry,
  McpToolChoice,
  McpToolDescription,
  McpToolMetadata,
} from './runtime/mcp-server-entry.ts'
export { humanInput, type HumanInputOptions } from './kits/basic/human-input.ts'
export { check, type CheckOptions } from './plan/check.ts'
export { explain, type Explanation, type ExplainOptions } from './plan/explain.ts'
export type { ExplainedStep } from './plan/explained-step.ts'
export { type Finding, type FindingCode, isSound, type Severity, type SoundOptions } from './plan/finding.ts'
export type { RecordedEntry, RecordedRun } from './plan/observed-calls.ts'
export type { FigureSource, PlanFigure, PlanFigures, RecordedByTool, RecordedFigures } from './plan/plan-figures.ts'
export { type FiguresRecorder, recordFigures, type RecordFiguresOptions } from './plan/record-figures.ts'
export type { ReviewInput, ReviewOutput } from './review/ask-line.ts'
export { type AutomaticDecision, autoReview } from './review/auto-review.ts'
export { consoleReview, type ConsoleReviewOptions } from './review/console-review.ts'
export { delayedReview, type DelayedReviewOptions } from './review/delayed-review.ts'
export { InboxError, type InboxErrorCode } from './review/inbox-error.ts'
export type { ApproveOptions, EditOptions, Inbox, InboxEvent, InboxFilter, InboxItem, InputChange } from './review/inbox.ts'
export type { Ballot } from './review/ballot.ts'
export { createInbox, type InboxOptions } from './review/create-inbox.ts'
export { webhookReview, type WebhookReviewOptions } from './review/webhook-review.ts'
export { signWebhookAnswer, verifyWebhookSignature, type WebhookAnswer, type WebhookMessage } from './review/verify-webhook-signature.ts'
export type { DatabaseOptions, EncryptionOptions } from './run/database-options.ts'
export type { ListOptions } from './run/view/list-runs.ts'
export type { RecordedOptions } from './run/view/recorded-runs.ts'
export type { RehearsedRun } from './run/segment/rehearse-runs.ts'
export type { ResumeOptions } from './run/store/run-changes.ts'
export type { PruneOptions } from './run/retention.ts'
export type { RunEvent } from './run/view/run-events.ts'
export type { ExportedEntry, RunExport } from './run/view/export-run.ts'
export type { EventOptions, RunHandle, WaitOptions } from './run/run-handle.ts'
export type { RunInfo } from './run/view/run-info.ts'
export type {
  LostTime,
  RunArtifact,
  RunDecision,
  RunRecord,
  RunSleep,
  RunStage,
  RunStarter,
  RunStep,
  StepAttempt,
} from './run/view/run-record.ts'
export type { RunReason, RunStatus } from './run/state/run-state.ts'
export type { Runs } from './run/runs.ts'
export type { ShowOptions } from './run/view/show-run.ts'
export type { StartOptions } from './run/start-run.ts'
export type { StepRules } from './run/step-rules.ts'
export type { ToolLimit, ToolLimits } from './run/worker/tool-limit.ts'
export type { Retention, WorkerOptions } from './run/worker/worker-options.ts'
export { createRuntime, type Runtime, type RuntimeOptions } from './runtime/create-runtime.ts'
export { durable, type DurableOptions } from './runtime/durable.ts'
export { runStatus, type RunStatusInput, type RunStatusOutput } from './runtime/run-status.ts'
export type { PendingRequest, PendingRun } from './tool/result/pending-run.ts'
export type { DialectTarget } from './schema/dialects/dialect-rules.ts'
export type { JsonSchema } from './schema/json-schema.ts'
export type { AnySchema, FromJsonSchema, SchemaInput, SchemaOutput } from './schema/schema-types.ts'
export type {
  StandardIssue,
  StandardJsonSchema,
  StandardJsonSchemaOptions,
  StandardResult,
  StandardSchema,
} from './schema/standard-schema.ts'
export type { Fit } from './schema/subsumes/fit.ts'
export { subsumes } from './schema/subsumes/subsumes.ts'
export type { App, AppOptions } from './store/app-options.ts'
export type { OpenStore, StoreLocationOptions, StoreOptions } from './store/store-options.ts'
export type { TimelineOptions } from './telemetry/draw-timeline.ts'
export type { TraceProgress, TraceReview, TraceSpan } from './telemetry/trace-span.ts'
export { createTrace, type Trace, type TraceOptions } from './telemetry/trace.ts'
export { type AgentTool, type ExecuteOptions, identityOf, isTool, type ToolSpecification } from './tool/agent-tool.ts'
export type { Alert } from './tool/alert.ts'
export type { ApprovalOptions, RequireApproval } from './tool/approval-rule.ts'
export { type CancelTimer, type Clock, systemClock } from './tool/ports/clock.ts'
export type { Adapted, DeepReadonly } from './tool/given/adapted.ts'
export type {
  FieldMisfit,
  FieldNotTaken,
  FittingMapping,
  LeadingMapping,
  Mapped,
  Mapping,
  MappingField,
  MappingMisfit,
  NoSuchField,
} from './tool/given/fitting-mapping.ts'
export type { FieldName } from './tool/given/field-name.ts'
export { pick, type Picked } from './tool/given/pick.ts'
export { type FieldPath, type From, from, type Reference } from './tool/given/reference.ts'
export type { StepGiven, StepResults, WithStep, WithValue } from './tool/given/step-given.ts'
export { compound, type CompoundDefinition } from './tool/compound.ts'
export type { AskOptions, CallOptions, Override, PartOptions, Stores, ToolContext } from './tool/context.ts'
export { jsonSchema } from './tool/contract.ts'
export { backoff, type Backoff, type BackoffOptions } from './policies/backoff.ts'
export type { BreakerOptions } from './policies/breaker.ts'
export type { CostLimit, LimiterOptions, RateLimit } from './policies/limiter.ts'
export type { Waits } from './tool/retry-rules.ts'
export {
  callTogether,
  type Together,
  type TogetherCall,
  type TogetherCalls,
  type TogetherOptions,
  type TogetherStanding,
} from './tool/seam/call-together.ts'
export { callWithRetry, type RetriedCall } from './tool/seam/call-with-retry.ts'
export { byPerson, type ByPersonOptions, type Level, type Urgency } from './tool/seam/by-person.ts'
export type { Duration } from './tool/duration.ts'
export { classifyError } from './tool/errors/classify-error.ts'
export { ConfigurationError, isConfigurationError } from './tool/errors/configuration-error.ts'
export {
  type ConfigurationCode,
  CONFIGURATION_ERRORS,
  type ErrorClass,
  type FailureCode,
  type FailureKind,
  FAILURES,
} from './tool/errors/error-codes.ts'
export { ExitEarly, isExitEarly, type StopDetails } from './tool/errors/exit-early.ts'
export { isToolError, type Outcome, ToolError, type ToolErrorOptions } from './tool/errors/tool-error.ts'
export { ToolExecutionError } from './tool/errors/tool-execution-error.ts'
export type {
  CallFinished,
  CallInfo,
  CallProgressed,
  CallRetried,
  CallStarted,
  Listener,
  MetricRecorded,
  Observer,
  Progress,
  ReviewDecided,
  ReviewRequested,
  ToolEvent,
} from './tool/event.ts'
export type { Admission, BreakerRules, BreakerState, BreakerStore, CallEnd, Pass, SharedBreaker } from './tool/ports/breaker-store.ts'
export type { Claimed, IdempotencyStore, KeyClaim } from './tool/ports/idempotency-store.ts'
export type { LimitedCall, LimitRules, LimitStore, SharedLimiter, Turn } from './tool/ports/limit-store.ts'
export type { JsonData } from './tool/journal/codec.ts'
export {
  type CallEntry,
  type DecisionEntry,
  type Journal,
  type JournalEntry,
  memoryJournal,
  type ReviewEntry,
  type SleepEntry,
} from './tool/journal/journal.ts'
export type { Logger } from './tool/ports/logger.ts'
export { MASK, mask } from './tool/secrets/mask.ts'
export type { Effect, Estimates, Idempotent, Metadata } from './tool/metadata.ts'
export type { Model, ModelPrompt, ModelReply } from './tool/ports/model.ts'
export type { PlanAdapter, PlanAsks, PlanLabels, PlanMeaning, PlanNode, PlanOrder, PlanPart, PlanRead } from './tool/plan-node.ts'
export type { Policy, PolicyCall, PolicyFunction, PolicyVerdict } from './tool/ports/policy.ts'
export type { Decider, DeciderRule, Identity, IdentityClaim, RequiredApprovals, Reviewers, ReviewVote } from './tool/deciders.ts'
export type { OutcomeWord } from './tool/outcome-question.ts'
export type { Principal } from './tool/principal.ts'
export { annotate, Tool, type ToolAnnotation } from './tool/resolve/annotate.ts'
export type { LeftOutTool } from './tool/resolve/settle-names.ts'
export {
  type PeerTools,
  resolve,
  type ResolveOptions,
  type ToolProvider,
  type GivenArguments,
  type ToolResolution,
} from './tool/resolve/resolve.ts'
export type {
  Attempt,
  CompensationOutcome,
  ConflictResolution,
  ContentPart,
  FailureDetails,
  Provenance,
  ResultDetails,
  ResultIssue,
  SagaReport,
  SagaState,
  SourceConflict,
  Step,
  ToolFailure,
  ToolResult,
  ToolSuccess,
  Usage,
  Validation,
  Verdict,
} from './tool/result/result.ts'
export { failure, type ReturnedFailure, type ReturnedSuccess, success, type SuccessOptions } from './tool/result/returned.ts'
export type {
  HandlerDeciders,
  NoDecision,
  OnTimeout,
  ReviewAnswer,
  ReviewDecision,
  Reviewed,
  ReviewedPart,
  ReviewHandler,
  ReviewQuestion,
  ReviewRefusal,
  ReviewRequest,
  ReviewWait,
  Risk,
  WithDecision,
} from './tool/review.ts'
export { environmentSecrets, type SecretsProvider } from './tool/secrets/secrets.ts'
export { type Service, service, type ServicesOf } from './tool/service.ts'
export {
  type DeclaredServices,
  type InputOf,
  type OutputOf,
  type ParsedOf,
  type Promised,
  type Returns,
  tool,
  type ToolDefinition,
  type ValueOf,
} from './tool/tool.ts'
