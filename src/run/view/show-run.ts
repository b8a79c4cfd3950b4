import type { InboxItem } from '../../review/inbox.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { settledStep } from '../../tool/outcome-question.ts'
import { isResultRecord, revivedResult } from '../../tool/result/result-codec.ts'
import type { Usage } from '../../tool/result/result.ts'
import type { RunsContext } from '../runs-context.ts'
import { type Opened, openedRun } from './opened-run.ts'
import { LARGEST, storedRun } from './stored-run.ts'
import { isFinal } from '../state/run-state.ts'
import { groupEnds, withStanding } from './group-ends.ts'
import { lostTimes } from './lost-time.ts'
import { infoOf } from './run-info.ts'
import type { RunRecord, RunSleep, RunStage, RunStarter } from './run-record.ts'
import { runSteps, stepPath } from './run-steps.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** How a run is shown. */
export interface ShowOptions {
  /** Shows true values. Without it, secrets are masked: fields that are secret by name or by the schema of a tool that is known here, and those of the provider. */
  readonly includeSecrets?: boolean | undefined
}

const NAMES = optionNames<ShowOptions>({ includeSecrets: true })

export function checkShowOptions(options: ShowOptions, called: string): void {
  checkOptionNames(options, NAMES, `The options of ${called}`)
}

/** Everything that a run has left behind so far. Values of more than a megabyte stand as `{ artifact, bytes }`; an export has them. */
export async function showRun(context: RunsContext, id: string, options: ShowOptions = {}): Promise<RunRecord> {
  checkShowOptions(options, 'runs.show')
  const { includeSecrets } = options
  const stored = await storedRun(context, id, LARGEST)
  const run = await openedRun(context, stored, includeSecrets)
  const history = run.events.flatMap(stageOf)
  const lost = lostTimes(history, run.entries, stored.hasLivingWorker)
  const decisions = run.entries.flatMap(({ kind, path, begunAt: at, data: value }) => (kind === 'decision' ? [{ path, value, at }] : []))
  const questions = run.approvals.filter(({ request }) => request.about === 'outcome')
  const begun = runSteps(run.entries, { lost, asked: stepsAsked(questions) })
  const open = stepsAsked(questions.filter(({ status }) => status === 'open'))
  const steps = withStanding(begun, groupEnds(begun, decisions), isFinal(stored.row.status)).map((step) =>
    open.has(step.path) ? { ...step, standing: 'unknown' as const } : step,
  )
  return {
    ...infoOf(stored.row, context.values),
    ...(run.why === undefined ? {} : { why: run.why }),
    input: run.input,
    ...starterIn(run.options),
    options: run.options,
    ...(run.result === undefined ? {} : { result: shownResult(run.result) }),
    steps,
    decisions,
    sleeps: run.entries.flatMap((entry) => (entry.kind === 'sleep' ? [sleepOf(entry)] : [])),
    approvals: run.approvals,
    artifacts: stored.artifacts,
    history,
    lost,
    events: run.events.length + run.entries.reduce((sum, each) => sum + eventsOf(each), 0),
    usage: totalOf(steps.map(({ usage }) => usage ?? {})),
  }
}

/** Of all that was said at the start, the caller. */
function starterIn(options: unknown): Pick<RunRecord, 'starter'> {
  const { principal, session, agent, task } = isRecord(options) ? (options as RunStarter) : {}
  const starter = { principal, session, agent, task }
  const said = Object.fromEntries(Object.entries(starter).filter(([, value]) => value !== undefined)) as RunStarter
  return Object.keys(said).length === 0 ? {} : { starter: said }
}

function stepsAsked(questions: readonly InboxItem[]): ReadonlySet<string> {
  return new Set(questions.map(({ request }) => stepPath(settledStep(request.path))))
}

/** It was recorded a little after it began, and may have been over by then. */
function sleepOf({ path, begunAt, data }: Opened['entries'][number]): RunSleep {
  const until = data as number
  return { path, from: Math.min(begunAt, until), until }
}

function stageOf({ type, at, data }: Opened['events'][number]): readonly RunStage[] {
  return type === 'status' ? [{ ...(data as Omit<RunStage, 'at'>), at }] : []
}

/** As `events()` tells them: what began, and of calls and reviews also what ended. */
function eventsOf({ kind, endedAt }: Opened['entries'][number]): number {
  if (kind === 'sleep') return 1
  return kind === 'decision' ? 0 : endedAt === undefined ? 1 : 2
}

function totalOf(used: readonly Usage[]): Usage {
  const sum = (pick: (usage: Usage) => number | undefined): number => used.reduce((total, each) => total + (pick(each) ?? 0), 0)
  return { tokens: sum(({ tokens }) => tokens), costUsd: sum(({ costUsd }) => costUsd) }
}

/** As plain data. One that is too large to be read is named. */
function shownResult(result: unknown): NonNullable<RunRecord['result']> {
  return (isResultRecord(result) ? revivedResult(result, 'in the row of the run').toJSON() : result) as NonNullable<RunRecord['result']>
}
