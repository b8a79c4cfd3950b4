import { withoutStarter } from '../starter.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Clock } from '../../tool/ports/clock.ts'
import type { CallOptions } from '../../tool/context.ts'
import { PATCHED, markRehearsal, replayOf } from '../../tool/engine/replay.ts'
import { isConfigurationError } from '../../tool/errors/configuration-error.ts'
import { decode } from '../../tool/journal/codec.ts'
import type { Journal, JournalEntry } from '../../tool/journal/journal.ts'
import { inRun } from '../journal/place.ts'
import { readJournal } from '../journal/read-journal.ts'
import type { OpenRun } from '../store/run-reading.ts'
import { never } from '../never.ts'
import type { RunsContext } from '../runs-context.ts'
import type { RunStatus } from '../state/run-state.ts'
import { checkPlan } from './plan-change.ts'
import { planPrint } from './plan-print.ts'
import { SegmentClock } from './segment-clock.ts'

/** Whether an open run could go on under the tools of this process. */
export interface RehearsedRun {
  readonly run: string
  readonly tool: string
  readonly status: RunStatus
  /** As in the findings of `check`: an `error` has a problem, a `warning` a doubt. */
  readonly severity?: 'error' | 'warning' | undefined
  /** Why it could not; absent where it could. */
  readonly problem?: { readonly code: string; readonly message: string } | undefined
  /** Why that cannot be told. */
  readonly doubt?: string | undefined
}

const PAGE = 50

interface Rehearsing {
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly shared: CallOptions
}

/** Rehearses every open run under these tools; nothing in the database changes. */
export async function rehearseRuns(context: RunsContext, rehearsing: Rehearsing): Promise<readonly RehearsedRun[]> {
  const rehearsed: RehearsedRun[] = []
  for (let after = ''; ;) {
    const rows = await context.store.readOpenRuns(after, PAGE)
    rehearsed.push(...(await Promise.all(rows.map((row) => rehearseOne(context, row, rehearsing)))))
    const last = rows.at(-1)
    if (last === undefined) return rehearsed
    after = last.id
  }
}

async function rehearseOne(context: RunsContext, row: OpenRun, { tools, shared }: Rehearsing): Promise<RehearsedRun> {
  const { id: run, tool: name, status } = row
  const tool = tools.get(name)
  if (tool === undefined)
    return { run, tool: name, status, severity: 'error', problem: { code: 'unknown_tool', message: `No tool '${name}' is known here.` } }
  const { problem, doubt } = await rehearsalOf(context, row, { tool, shared })
  return {
    run,
    tool: name,
    status,
    ...severityOf(problem, doubt),
    ...(problem === undefined ? {} : { problem: { code: problem.code, message: problem.message } }),
    ...(doubt === undefined ? {} : { doubt }),
  }
}

function severityOf(problem: unknown, doubt: unknown): Pick<RehearsedRun, 'severity'> {
  if (problem !== undefined) return { severity: 'error' }
  return doubt === undefined ? {} : { severity: 'warning' }
}

interface Tried {
  readonly tool: AgentTool
  readonly shared: CallOptions
}

async function rehearsalOf(
  context: RunsContext,
  { id, plan, input, options, cancel }: OpenRun,
  { tool, shared }: Tried,
): Promise<Rehearsed> {
  try {
    const entries = await readJournal(context, id)
    if (plan !== planPrint(tool)) checkPlan({ run: id, before: plan, tool, paths: entries.map(({ path }) => path) })
    if (entries.length === 0) return {}
    const kept = decode(context.values.unseal(options, inRun(id, 'options'))) as CallOptions
    return await rehearseRun({
      tool,
      input: decode(context.values.unseal(input, inRun(id, 'input'))),
      entries,
      options: { ...withoutStarter(shared), ...kept, idempotencyKey: id },
      isCancelled: cancel !== null,
      clock: context.store.clock,
    })
  } catch (error) {
    if (isConfigurationError(error)) return { problem: error }
    throw error
  }
}

interface Rehearsal {
  readonly tool: AgentTool
  readonly input: unknown
  readonly entries: readonly JournalEntry[]
  /** What the run was started with, and what its calls share. */
  readonly options: CallOptions
  readonly isCancelled: boolean
  readonly clock: Clock
}

/** Why a run could not go on, or why that cannot be told; empty where it could. */
interface Rehearsed {
  readonly problem?: { readonly code: string; readonly message: string } | undefined
  readonly doubt?: string | undefined
}

/**
 * Walks a program through what a run of it has recorded, and does nothing else: nothing is written, no tool runs, nobody is asked.
 */
async function rehearseRun({ tool, input, entries, options, isCancelled, clock: given }: Rehearsal): Promise<Rehearsed> {
  const latest = new Map(entries.map((entry) => [entry.path, entry]))
  // A choice between the old and the new way is made, and forgotten.
  const write: Journal['write'] = ({ path }) => (path.includes(PATCHED) ? undefined : never())
  const journal: Journal = { durable: true, read: (path) => latest.get(path), past: () => latest.values(), write }
  markRehearsal(journal)
  const clock = new SegmentClock(given, given.now() - given.tick())
  const ended = tool
    .call(input as never, {
      ...options,
      log: undefined,
      on: undefined,
      alert: undefined,
      journal,
      clock,
      deadline: Infinity,
      review: { review: () => never() },
      ...(isCancelled ? { signal: AbortSignal.abort() } : {}),
    })
    .then(
      () => ({}),
      (error: unknown): Rehearsed => (isConfigurationError(error) ? { problem: error } : {}),
    )
  const replay = replayOf(journal)
  const walked = replay?.settled().then((): Rehearsed => {
    if (!replay.isCatchingUp || isCancelled) return {}
    const [first] = replay.reading
    if (first === undefined) return { problem: replay.rehearsedDivergence() }
    return { doubt: `It would read '${first}' first, and a rehearsal reads nothing.` }
  })
  const rehearsed = await Promise.race([ended, walked ?? never()])
  clock.stop()
  return rehearsed
}
