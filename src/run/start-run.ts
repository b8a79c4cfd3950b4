import type { AgentTool } from '../tool/agent-tool.ts'
import { behaviourOf } from '../tool/behaviour.ts'
import type { CallOptions } from '../tool/context.ts'
import { toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { encode } from '../tool/journal/codec.ts'
import { hashOfData } from '../tool/journal/hash.ts'
import { isStorable, storable } from './journal/storable.ts'
import { checkOptionNames } from './option-names.ts'
import { CHANGED, NOTIFY_QUEUED, SEND_JOBS, TELL_QUEUED } from './postgres/queue-runs.ts'
import type { RunsContext } from './runs-context.ts'
import { planPrint } from './segment/plan-print.ts'
import { randomUUID } from 'node:crypto'

/** What can be said about a run. All of it is data: it is kept with the run. */
export interface StartOptions extends Pick<
  CallOptions,
  'principal' | 'agent' | 'task' | 'session' | 'traceId' | 'tokenBudget' | 'deadline'
> {
  /** Names the run: a second start with the same key gives the same run. */
  readonly key?: string | undefined
  /** Begins no sooner. */
  readonly startAt?: Date | undefined
}

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

/** A run with the same key may be removed between two looks; so often in a row it is not. */
const MOST_LOOKS = 10

/** Records the run and queues it, in one statement: once this resolves, the run will come to an end whatever happens here. */
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
    version: storable(tool.version),
    plan: planPrint(tool),
    input: context.values.seal(data),
    inputHash: context.values.fingerprint(hashOfData(data)),
    // What is not said leaves room for what the runtime says.
    options: context.values.seal(encode(Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)))),
    timeLeftMs: timeLeft(deadline),
    startAt: startAt ?? null,
  }
  const prints = context.values.fingerprints(hashOfData(data))
  for (let look = 0; look < MOST_LOOKS; look++) {
    const started = (await insert(context, run)) ?? (await existing(context, run, prints))
    if (started === undefined) continue
    context.reach('run.queued')
    return started
  }
  throw new ToolError(`The key '${key}' is taken and freed all the time: the run was not started.`, {
    code: 'store_unavailable',
    outcome: 'not_started',
  })
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
  readonly startAt: Date | null
}

const START_RUN = `
WITH changed AS (
  INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, wake_at, status, job)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $10::timestamptz > now() THEN $10 END, 'queued', gen_random_uuid())
  ON CONFLICT (key) DO NOTHING RETURNING ${CHANGED}
), ${TELL_QUEUED}, ${SEND_JOBS}
${NOTIFY_QUEUED}`

/** Undefined where the key is taken. */
async function insert({ store }: RunsContext, run: NewRun): Promise<StartedRun | undefined> {
  const { rowCount } = await store.pool.query({ name: 'toolwright.start', text: START_RUN, values: Object.values(run) })
  return rowCount === 0 ? undefined : { id: run.id, isNew: true }
}

/** Undefined where the run that had the key was removed meanwhile. */
async function existing({ store }: RunsContext, { key, tool }: NewRun, prints: readonly string[]): Promise<StartedRun | undefined> {
  const { rows } = await store.pool.query<{ id: string; tool: string; input_hash: string }>(
    'SELECT id, tool, input_hash FROM toolwright.run WHERE key = $1',
    [key],
  )
  const [run] = rows
  if (run === undefined) return undefined
  if (run.tool === tool && prints.includes(run.input_hash)) return { id: run.id, isNew: false }
  const other = run.tool === tool ? 'another input' : `the tool '${run.tool}'`
  throw new ConfigurationError(
    'key_conflict',
    `The key '${key}' belongs to the run '${run.id}', which has ${other}. One key stands for one call: choose another key for this one.`,
  )
}

function checkKey(key: string | undefined): string | null {
  if (key === undefined) return null
  if (typeof key === 'string' && key !== '' && key.length <= 512 && isStorable(key)) return key
  throw new ConfigurationError(
    'invalid_option',
    'The key of a run must be a text of 1 to 512 characters, without NUL and without half a surrogate pair.',
  )
}

function timeLeft(deadline: CallOptions['deadline']): number | null {
  if (deadline === undefined) return null
  return deadline instanceof Date ? Math.max(0, deadline.getTime() - Date.now()) : toMilliseconds(deadline, 'The deadline of a run')
}
