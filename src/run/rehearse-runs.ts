import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { decode } from '../tool/journal/codec.ts'
import { checkPlan } from './plan-change.ts'
import { planPrint } from './plan-print.ts'
import { readJournal } from './read-journal.ts'
import { type Rehearsed, rehearseRun } from './rehearse-run.ts'
import type { RehearsedRun } from './rehearsed-run.ts'
import type { RunStatus } from './run-status.ts'
import type { RunsContext } from './runs-context.ts'

interface OpenRun {
  readonly id: string
  readonly tool: string
  readonly status: RunStatus
  readonly plan: string
  readonly input: string
  readonly options: string
  readonly cancel: string | null
}

const OPEN = `
SELECT id, tool, status, plan, input, options, cancel FROM toolwright.run
WHERE ended_at IS NULL AND id > $1 ORDER BY id LIMIT $2`

const PAGE = 50

interface Rehearsing {
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly shared: CallOptions
}

/** Rehearses every open run under these tools; nothing in the database changes. */
export async function rehearseRuns(context: RunsContext, rehearsing: Rehearsing): Promise<readonly RehearsedRun[]> {
  const rehearsed: RehearsedRun[] = []
  for (let after = ''; ;) {
    const { rows } = await context.store.pool.query<OpenRun>(OPEN, [after, PAGE])
    rehearsed.push(...(await Promise.all(rows.map((row) => rehearseOne(context, row, rehearsing)))))
    const last = rows.at(-1)
    if (last === undefined) return rehearsed
    after = last.id
  }
}

async function rehearseOne(context: RunsContext, row: OpenRun, { tools, shared }: Rehearsing): Promise<RehearsedRun> {
  const { id: run, tool: name, status } = row
  const tool = tools.get(name)
  if (tool === undefined) return { run, tool: name, status, problem: { code: 'unknown_tool', message: `No tool '${name}' is known here.` } }
  const { problem, doubt } = await rehearsalOf(context, row, { tool, shared })
  return {
    run,
    tool: name,
    status,
    ...(problem === undefined ? {} : { problem: { code: problem.code, message: problem.message } }),
    ...(doubt === undefined ? {} : { doubt }),
  }
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
    const kept = decode(context.values.unseal(options)) as CallOptions
    return await rehearseRun({
      tool,
      input: decode(context.values.unseal(input)),
      entries,
      options: { ...shared, ...kept, idempotencyKey: id },
      isCancelled: cancel !== null,
    })
  } catch (error) {
    if (isConfigurationError(error)) return { problem: error }
    throw error
  }
}
