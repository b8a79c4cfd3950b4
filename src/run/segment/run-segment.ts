import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { ConfigurationError, isConfigurationError } from '../../tool/errors/configuration-error.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import { decode } from '../../tool/journal/codec.ts'
import type { JournalEntry } from '../../tool/journal/journal.ts'
import { KnownSecrets } from '../../tool/secrets/known-secrets.ts'
import { maskText, secretsIn } from '../../tool/secrets/mask.ts'
import { effectsNotUndone } from '../../tool/engine/unvisited-effects.ts'
import { stepsNotUndone } from './not-undone.ts'
import { Fenced, type JournalWriter } from '../journal/journal-writer.ts'
import { checkPlan } from './plan-change.ts'
import { planPrint } from './plan-print.ts'
import { inRun } from '../journal/place.ts'
import { readJournal } from '../journal/read-journal.ts'
import type { RunReason } from '../state/run-state.ts'
import type { RunsContext } from '../runs-context.ts'
import { withoutStarter } from '../starter.ts'
import { retriesOf, type SharedOptions } from '../step-rules.ts'
import type { JournalRow } from '../store/journal-store.ts'
import type { PutBack, RunEnding } from '../store/run-changes.ts'
import type { ClaimedRun } from '../store/run-queue.ts'
import { type Ended, endingOf, endingOfRefusal, endingOfStandstill, endingOfStop, reasonOf, reasonOfCancel } from './run-ending.ts'
import { refusedRecord, Segment, type SegmentParts } from './segment.ts'

export interface SegmentTask {
  readonly context: RunsContext
  readonly run: ClaimedRun
  readonly tools: () => Promise<ReadonlyMap<string, AgentTool>>
  readonly shared: SharedOptions
  readonly writer: JournalWriter
  readonly worker: string
  readonly lingerMs: number
  readonly holdsLease: SegmentParts['holdsLease']
  /** Hears why this worker leaves the run to others that may go on with it. */
  readonly onUnable: (why: string) => void
}

/** A worker may be unable to go on with a run that another one can: it has another version of the program, or another key. */
export const LEFT_TO_OTHERS: readonly string[] = ['unknown_tool', 'plan_changed', 'replay_diverged', 'missing_encryption_key']

const STEP_DEADLINE_MS = 60_000
/** A run that brings down its worker so often in a row, without progress, is in a crash loop. */
const MOST_DEATHS = 20

/** Carries a run on until it ends or stands still. Gives when it goes on by itself, if soon. Throws `Fenced` where somebody else has the run. */
export async function runSegment(task: SegmentTask, onStart: (segment: Segment) => void): Promise<number | undefined> {
  const { context, run, tools, writer, lingerMs, holdsLease } = task
  const tool = (await tools()).get(run.tool)
  if (tool === undefined) {
    const message = `No worker knows the tool '${run.tool}'. The run goes on as soon as one that knows it is started.`
    await standStill(task, { code: 'unknown_tool', message }, endOf(task))
    return undefined
  }
  let segment: Segment
  let entries: readonly JournalEntry[] = []
  try {
    context.values.checkWritable(inRun(run.id, 'result'))
    entries = await context.patiently(() => entriesOf(task))
    checkCrashLoop(run, entries)
    await takePlan(context, { run, tool, entries })
    segment = new Segment({ context, run, tool, entries, writer, lingerMs, holdsLease, ...optionsFor(task, tool) })
  } catch (error) {
    if (!isConfigurationError(error)) throw error
    await standStill(task, reasonOf(error), {
      ...endOf(task, tool),
      notUndone: stepsNotUndone(entries),
      unreached: effectsNotUndone(entries, entries, tool),
    })
    return undefined
  }
  onStart(segment)
  const end = await segment.start()
  const atEnd = endOf(task, tool)
  const { secrets } = segment
  const ended = {
    ...atEnd,
    ...(secrets === undefined ? {} : { maskText: (text: string) => secrets.maskText(atEnd.maskText(text)), made: secrets.made }),
    isCancelled: segment.isCancelled,
    reason: segment.cancelReason,
    notUndone: segment.notUndone,
    unreached: segment.unreached,
  }
  switch (end.end) {
    case 'parked':
      return end.wakeAt
    case 'result':
      await finishWithLast(task, { segment, ending: endingOf(end.result, ended), last: end.last }, ended)
      return undefined
    case 'rejected':
      if (isExitEarly(end.error)) await finish(task, endingOfStop(end.error, ended), ended)
      else await standStill(task, reasonOf(end.error), { ...ended, unreached: segment.recorded })
      return undefined
    case 'again':
      await putBack(task)
      return undefined
    case 'lost':
      throw takenElsewhere(run)
  }
}

/** If the claim no longer counts, the job may be the one by which the run was claimed again: it must stay. */
async function putBack({ context: { store, patiently }, run }: SegmentTask, options?: PutBack): Promise<void> {
  if (!(await patiently(() => store.putBack(run, options)))) throw takenElsewhere(run)
}

function takenElsewhere({ id }: ClaimedRun): Fenced {
  return new Fenced(`The run '${id}' was taken up elsewhere.`)
}

/** A run that this worker cannot go on with is left to one that may; where there is none, it is blocked. */
async function standStill(task: SegmentTask, why: RunReason, ended: Ended): Promise<void> {
  const { context, run, worker } = task
  const { store, patiently } = context
  if (LEFT_TO_OTHERS.includes(why.code) && (await patiently(() => store.othersMayGoOn(run.id, worker)))) {
    await putBack(task, { unable: worker })
    task.onUnable(ended.maskText(why.message))
  } else await finish(task, endingOfStandstill(why, ended), ended)
}

interface Planned {
  readonly run: ClaimedRun
  readonly tool: AgentTool
  readonly entries: readonly JournalEntry[]
}

/** Goes on under the plan of the tool as it is now, where it may; from here on that is the plan of the run. */
async function takePlan({ store, patiently }: RunsContext, { run, tool, entries }: Planned): Promise<void> {
  const plan = planPrint(tool)
  if (plan === run.plan) return
  checkPlan({ run: run.id, before: run.plan, tool, paths: entries.map(({ path }) => path) })
  await patiently(() => store.takePlan(run, plan))
}

async function entriesOf({ context, run }: SegmentTask): Promise<readonly JournalEntry[]> {
  if (run.epoch === 1) return []
  const entries = await readJournal(context, run.id)
  // The first death blames nobody. Whoever makes progress in each life is not suspected, however short its lives are.
  if (run.deaths > 1 && entries.length !== run.entriesSeen) await context.store.noteProgress(run, entries.length)
  return entries
}

function checkCrashLoop({ id, deaths, entriesSeen: seen }: ClaimedRun, entries: readonly JournalEntry[]): void {
  if (deaths <= MOST_DEATHS || entries.length !== seen) return
  throw new ConfigurationError(
    'run_keeps_dying',
    `The run '${id}' was taken up ${deaths} times in a row, and each time its worker ended before a step was done. Find out what brings the worker down (memory, process.exit, a native crash), then take the run up again.`,
  )
}

/** The time of a run is counted over all its segments; a single step has the usual time of a call. */
function optionsFor({ context, run, shared }: SegmentTask, tool: AgentTool): Pick<SegmentParts, 'options' | 'retries' | 'asksOutcome'> {
  const said = decode(context.values.unseal(run.options, inRun(run.id, 'options'))) as SharedOptions
  const {
    deadline,
    review: _review,
    retryReads,
    unknownOutcome,
    ...options
  } = { ...withoutStarter(shared), ...said, deadline: shared.deadline }
  const stepDeadline = shared.stepDeadline ?? (deadline === undefined || deadline instanceof Date ? STEP_DEADLINE_MS : deadline)
  const isLeaf = tool.plan().order === 'leaf'
  return {
    options: { ...options, stepDeadline, deadline: run.timeLeftMs ?? (isLeaf ? stepDeadline : Infinity) },
    retries: retriesOf({ retryReads }),
    asksOutcome: unknownOutcome === 'ask',
  }
}

function endOf({ context: { values, store }, run }: SegmentTask, tool?: AgentTool): Ended {
  const maskWhy = (text: string): string => maskText(text, secretsOf(run, { values, tool }))
  const reason = whereItOpens(() => (run.cancel === null ? undefined : reasonOfCancel(values, run.id, run.cancel)))
  return { run: run.id, tool: run.tool, now: store.clock.now(), values, isCancelled: run.cancel !== null, reason, maskText: maskWhy }
}

/** A reason that cannot be opened here must not keep the run from being left to others. */
function whereItOpens(open: () => string | undefined): string | undefined {
  try {
    return open()
  } catch (error) {
    if (isConfigurationError(error)) return undefined
    throw error
  }
}

interface Known {
  readonly values: RunsContext['values']
  /** Undefined where this worker has not got it: then names alone tell what is secret. */
  readonly tool: AgentTool | undefined
}

function secretsOf({ id, input }: ClaimedRun, { values, tool }: Known): KnownSecrets {
  try {
    return new KnownSecrets(
      secretsIn(decode(values.unseal(input, inRun(id, 'input'))), tool === undefined ? {} : behaviourOf(tool).input.schema),
    )
  } catch {
    // An input that cannot be opened here was not read by anything that could repeat it.
    return new KnownSecrets()
  }
}

interface EndingWithLast {
  readonly segment: Segment
  readonly ending: RunEnding
  /** Undefined where everything is recorded. */
  readonly last: JournalRow | undefined
}

/** If the database refuses the end together with the last entry, each goes by itself: then it is known which of them was refused. */
async function finishWithLast(task: SegmentTask, { segment, ending, last }: EndingWithLast, ended: Ended): Promise<void> {
  if (last === undefined) return finish(task, ending, ended)
  const { store, patiently } = task.context
  try {
    await recordEnd(task, { ...ending, last })
  } catch (error) {
    if (!isRefusal(task, error)) throw error
    try {
      await patiently(() => store.write([last]))
    } catch (refused) {
      if (!isRefusal(task, refused)) throw refused
      return standStill(task, reasonOf(refusedRecord(refused as Error)), { ...ended, unreached: segment.recorded })
    }
    return finish(task, ending, ended)
  }
}

async function finish(task: SegmentTask, ending: RunEnding, ended: Ended): Promise<void> {
  try {
    await recordEnd(task, ending)
  } catch (error) {
    if (!isRefusal(task, error)) throw error
    await recordEnd(task, endingOfRefusal(error as Error, ended))
  }
}

async function recordEnd({ context, run }: SegmentTask, ending: RunEnding): Promise<void> {
  const { reach, patiently, store } = context
  reach('run.ending')
  if (!(await patiently(() => store.end(run, ending)))) throw takenElsewhere(run)
  reach('run.ended')
}

/** The database would refuse it again. While it is away, nothing is refused. */
function isRefusal({ context }: SegmentTask, error: unknown): boolean {
  return !(error instanceof Fenced) && !context.store.isPassing(error)
}
