import type { AgentTool } from '../tool/agent-tool.ts'
import { behaviourOf } from '../tool/behaviour.ts'
import type { CallOptions } from '../tool/context.ts'
import { ConfigurationError, isConfigurationError } from '../tool/errors/configuration-error.ts'
import { decode } from '../tool/journal/codec.ts'
import type { JournalEntry } from '../tool/journal/journal.ts'
import { maskText, secretsIn } from '../tool/mask.ts'
import { insertArtifact } from './artifact.ts'
import { type ClaimedRun, endRun, readArtifacts, readEntries } from './claimed-run.ts'
import { Fenced, type JournalWriter } from './journal-writer.ts'
import { endingOf, endingOfRejection, type KeptEnding, reasonOf, standstill } from './keep-result.ts'
import { checkPlan } from './plan-change.ts'
import { planPrint } from './plan-print.ts'
import { reviveEntry } from './revive-entry.ts'
import type { StartAfter } from './run-queue.ts'
import type { RunsContext } from './runs-context.ts'
import { Segment } from './segment.ts'
import { artifactId } from './values.ts'
import { lockRun, queueRun } from './wake-run.ts'

export interface SegmentTask {
  readonly context: RunsContext
  readonly run: ClaimedRun
  readonly tools: () => Promise<ReadonlyMap<string, AgentTool>>
  readonly shared: CallOptions
  readonly writer: JournalWriter
  readonly worker: string
}

const STEP_DEADLINE_MS = 60_000
const ASK_OTHERS_AFTER_SECONDS = 1
/** So often in a row a run may bring down its worker without a step forward. */
const MOST_FRUITLESS = 20

/** Carries a run on until it ends or stands still. Gives when it goes on by itself, if soon. Throws `Fenced` where somebody else has the run. */
export async function runSegment(task: SegmentTask, onStart: (segment: Segment) => void): Promise<number | undefined> {
  const { context, run, tools } = task
  const tool = (await tools()).get(run.tool)
  if (tool === undefined) {
    await withoutTool(task)
    return undefined
  }
  let segment: Segment
  try {
    const entries = await context.patiently(() => entriesOf(task))
    checkFruit(run, entries)
    await takePlan(context, { run, tool, entries })
    segment = new Segment({ context, run, tool, entries, writer: task.writer, options: optionsFor(task, tool) })
  } catch (error) {
    if (!isConfigurationError(error)) throw error
    await finish(context, run, standstill(reasonOf(error), endOf(task, tool)))
    return undefined
  }
  onStart(segment)
  const end = await segment.start()
  const ended = { ...endOf(task, tool), isCancelled: segment.isCancelled, standing: segment.standing, left: segment.left }
  switch (end.end) {
    case 'parked':
      return end.wakeAt
    case 'result':
      await finish(context, run, endingOf(end.result, ended))
      return undefined
    case 'rejected':
      await finish(context, run, endingOfRejection(end.error, ended))
      return undefined
    case 'again':
      await again(context, run)
      return undefined
    case 'lost':
      throw new Fenced(`The run '${run.id}' was taken up elsewhere.`)
  }
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
  await patiently(() => store.pool.query('UPDATE toolwright.run SET plan = $3 WHERE id = $1 AND epoch = $2', [run.id, run.epoch, plan]))
}

async function entriesOf({ context, run }: SegmentTask): Promise<readonly JournalEntry[]> {
  if (run.epoch === 1) return []
  const { store, values } = context
  const rows = await readEntries(store.pool, run.id)
  const large = rows.flatMap(({ data }) => (data === null ? [] : (artifactId(data) ?? [])))
  const artifacts = await readArtifacts(store.pool, run.id, large)
  const entries = rows.map((row) => reviveEntry(row, values, artifacts))
  if (run.fruitless > MOST_FRUITLESS / 2 && rows.length !== run.entries_seen)
    await store.pool.query('UPDATE toolwright.run SET fruitless = 1, entries_seen = $3 WHERE id = $1 AND epoch = $2', [
      run.id,
      run.epoch,
      rows.length,
    ])
  return entries
}

function checkFruit({ id, fruitless, entries_seen: seen }: ClaimedRun, entries: readonly JournalEntry[]): void {
  if (fruitless <= MOST_FRUITLESS || entries.length !== seen) return
  throw new ConfigurationError(
    'run_keeps_dying',
    `The run '${id}' was taken up ${fruitless} times in a row, and each time its worker ended before a step was done. Find out what brings the worker down (memory, process.exit, a native crash), then take the run up again.`,
  )
}

/** The time of a run is counted over all its segments; a single step has the usual time of a call. */
function optionsFor({ context, run, shared }: SegmentTask, tool: AgentTool): CallOptions {
  const { deadline, review: _review, ...kept } = shared
  const stepDeadline = shared.stepDeadline ?? (deadline === undefined || deadline instanceof Date ? STEP_DEADLINE_MS : deadline)
  const isLeaf = tool.plan().kind === 'leaf'
  return {
    ...kept,
    ...(decode(context.values.unseal(run.options)) as CallOptions),
    stepDeadline,
    deadline: run.time_left_ms ?? (isLeaf ? stepDeadline : Infinity),
  }
}

/** Another worker may know the tool; where none does, the run waits for one that does. */
async function withoutTool(task: SegmentTask): Promise<void> {
  const { context, run, worker } = task
  const { rowCount } = await context.store.pool.query(
    "SELECT 1 FROM toolwright.worker WHERE id <> $1 AND $2 = ANY(tools) AND seen_at > now() - interval '45 seconds' LIMIT 1",
    [worker, run.tool],
  )
  if (rowCount === 0) {
    const message = `No worker knows the tool '${run.tool}'. The run goes on as soon as one that knows it is started.`
    await finish(context, run, standstill({ code: 'unknown_tool', message }, endOf(task)))
    return
  }
  await again(context, run, ASK_OTHERS_AFTER_SECONDS)
}

function endOf({ context: { values }, run }: SegmentTask, tool?: AgentTool): Parameters<typeof standstill>[1] {
  const maskWhy = (text: string): string => maskText(text, secretsOf(run, { values, tool }))
  return { tool: run.tool, values, isCancelled: run.cancel !== null, maskText: maskWhy }
}

interface Known {
  readonly values: RunsContext['values']
  /** Undefined where this worker has not got it: then names alone tell what is secret. */
  readonly tool: AgentTool | undefined
}

function secretsOf({ input }: ClaimedRun, { values, tool }: Known): ReadonlySet<string> {
  try {
    return new Set(secretsIn(decode(values.unseal(input)), tool === undefined ? {} : behaviourOf(tool).input.schema))
  } catch {
    // An input that cannot be opened here was not read by anything that could repeat it.
    return new Set()
  }
}

/** Whoever puts a run back has not died of it. */
async function again(context: RunsContext, run: ClaimedRun, startAfter?: StartAfter): Promise<void> {
  await context.patiently(() =>
    context.store.transaction(async (client) => {
      const locked = await lockRun(client, run.id)
      if (locked?.epoch !== run.epoch) return
      await client.query('UPDATE toolwright.run SET fruitless = 0 WHERE id = $1', [run.id])
      await queueRun(context, client, locked, startAfter)
    }),
  )
}

async function finish(context: RunsContext, run: ClaimedRun, ending: KeptEnding): Promise<void> {
  const { store, reach, patiently } = context
  reach('run.ending')
  const { artifact } = ending
  const isMine = await patiently(async () => {
    if (artifact === undefined) return endRun(store.pool, run, ending)
    return store.transaction(async (client) => {
      await insertArtifact(client, run.id, artifact)
      return endRun(client, run, ending)
    })
  })
  if (!isMine) throw new Fenced(`The run '${run.id}' was taken up elsewhere.`)
  reach('run.ended')
}
