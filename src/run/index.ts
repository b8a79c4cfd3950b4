export type { RunStatus, RunTransition } from './state/run-state.ts'
export type { ApprovalRow, ApprovalStore, FoundRequest, NewDecision, NewRequest, NewVote, RequestFilter } from './store/approval-store.ts'
export type { Artifact, EntryRow, JournalRow, JournalStore, WrittenClaims } from './store/journal-store.ts'
export type { Parked, Parking, Pruning, PutBack, RecordedDecision, RunChanges, RunEnding } from './store/run-changes.ts'
export type { Claim, ClaimedRun, Claiming, Claims, FetchedJob, NewRun, RunQueue, Started, TakenRun, WorkerInfo } from './store/run-queue.ts'
export type {
  ArtifactRow,
  EventRow,
  FullEntryRow,
  FullRunRow,
  HappenedRow,
  OpenKey,
  OpenRun,
  RunFilter,
  RunNews,
  RunReading,
  RunRow,
  WholeRun,
} from './store/run-reading.ts'
export type { RunKeys } from './store/run-keys.ts'
export type { NoticeKind, NoticeListener, OpeningRunStore, RunDatabase, RunNotices, RunStore, SharedBoards } from './store/run-store.ts'
export type { BreakerBoard, BreakerListener, BreakerNews, BreakerTally } from '../tool/ports/breaker-board.ts'
export type { CostChange, LimitAsk, LimitBoard, LimitGrant, LimitListener, LimitNews } from '../tool/ports/limit-board.ts'
export type { App } from '../store/app-options.ts'
export { drawRun, type DrawRunOptions } from './view/run-timeline.ts'
export type { WorkerTimings } from './worker/worker-options.ts'
