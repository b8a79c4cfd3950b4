import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { behaviourOf } from '../tool/behaviour.ts'
import { toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { encode } from '../tool/journal/codec.ts'
import { hashOfData } from '../tool/journal/hash.ts'
import { checkOptionNames } from './check-option-names.ts'
import { planPrint } from './plan-print.ts'
import type { RunsContext } from './runs-context.ts'
import type { StartOptions } from './start-options.ts'

const OPTIONS: readonly (keyof StartOptions)[] = [
  'key',
  'startAt',
  'deadline',
  'principal',
  'agent',
  'task',
  'session',
  'traceId',
  'tokenBudget',
]

export interface StartedRun {
  readonly id: string
  /** False where the key gave a run that was there already. */
  readonly isNew: boolean
}

/** Records the run and queues it, in one transaction: once this resolves, the run will come to an end whatever happens here. */
export async function startRun(context: RunsContext, tool: AgentTool, input: unknown, options: StartOptions = {}): Promise<StartedRun> {
  checkOptionNames(options, OPTIONS, 'The options of a start')
  const { key, startAt, deadline, ...kept } = options
  const data = encode(input)
  // What does not fit begins no run, and takes no key.
  await behaviourOf(tool).input.accept(input, tool.name)
  const run: NewRun = {
    id: randomUUID(),
    key: checkKey(key),
    tool: tool.name,
    version: tool.version,
    plan: planPrint(tool),
    input: context.values.seal(data),
    inputHash: context.values.fingerprint(hashOfData(data)),
    // What is not said leaves room for what the runtime says.
    options: context.values.seal(encode(Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)))),
    timeLeftMs: timeLeft(deadline),
  }
  const started = await context.store.transaction(async (client) => {
    const { rowCount } = await client.query(INSERT, Object.values(run))
    if (rowCount === 0) return existing(client, run, context.values.fingerprints(hashOfData(data)))
    context.reach('run.inserted')
    await context.queue.send(client, { run: run.id, tool: run.tool, ticket: 0 }, startAt)
    return { id: run.id, isNew: true }
  })
  context.reach('run.queued')
  return started
}

interface NewRun {
  readonly id: string
  readonly key: string | null
  readonly tool: string
  readonly version: string
  readonly plan: string
  readonly input: string
  readonly inputHash: string
  readonly options: string
  readonly timeLeftMs: number | null
}

const INSERT = `
WITH new AS (
  INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, status)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued') ON CONFLICT (key) DO NOTHING RETURNING id
)
INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', '{"status":"queued"}' FROM new`

async function existing(client: ClientBase, { key, tool }: NewRun, prints: readonly string[]): Promise<StartedRun> {
  const { rows } = await client.query<{ id: string; tool: string; input_hash: string }>(
    'SELECT id, tool, input_hash FROM toolwright.run WHERE key = $1',
    [key],
  )
  const [run] = rows
  if (run === undefined) throw new Error(`The run with the key '${key}' was deleted while it was looked for.`)
  if (run.tool === tool && prints.includes(run.input_hash)) return { id: run.id, isNew: false }
  const other = run.tool === tool ? 'another input' : `the tool '${run.tool}'`
  throw new ConfigurationError(
    'key_conflict',
    `The key '${key}' belongs to the run '${run.id}', which has ${other}. One key stands for one call: choose another key for this one.`,
  )
}

function checkKey(key: string | undefined): string | null {
  if (key === undefined) return null
  if (typeof key === 'string' && key !== '' && key.length <= 512 && !key.includes('\0')) return key
  throw new ConfigurationError('invalid_option', 'The key of a run must be a text of 1 to 512 characters.')
}

function timeLeft(deadline: CallOptions['deadline']): number | null {
  if (deadline === undefined) return null
  return deadline instanceof Date ? Math.max(0, deadline.getTime() - Date.now()) : toMilliseconds(deadline, 'The deadline of a run')
}
