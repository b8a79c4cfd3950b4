import { quote } from '../schema/quote.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { behaviourOf } from '../tool/behaviour.ts'
import type { CallOptions } from '../tool/context.ts'
import { toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { encode } from '../tool/journal/codec.ts'
import { hashOfData } from '../tool/journal/hash.ts'
import { inRun } from './journal/place.ts'
import { isStorable, storable } from './journal/storable.ts'
import { checkOptionNames } from '../tool/option-names.ts'
import type { RunsContext } from './runs-context.ts'
import { newRunId } from './host.ts'
import { checkStepRules, STEP_RULES, type StepRules } from './step-rules.ts'
import type { NewRun, Started } from './store/run-queue.ts'
import { planPrint } from './segment/plan-print.ts'

/** What can be said about a run. All of it is data: it is kept with the run. */
export interface StartOptions
  extends Pick<CallOptions, 'principal' | 'agent' | 'task' | 'session' | 'traceId' | 'tokenBudget' | 'deadline'>, StepRules {
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
  ...STEP_RULES,
]

export interface StartedRun {
  readonly id: string
  /** False where the key gave a run that was there already. */
  readonly isNew: boolean
}

/** A run with the same key may be removed between two looks; so often in a row it is not. */
const MOST_LOOKS = 10

/** A layer around the tool may try another input, and no gate around it has asked about this one. */
function repairsInput(tool: AgentTool): boolean {
  const { layer, changesInput, parts } = tool.plan()
  if (layer !== true || behaviourOf(tool).approval !== undefined) return false
  const inner = parts[0]?.tool
  return changesInput === true || (inner !== undefined && repairsInput(inner))
}

/** Records the run and queues it: once this resolves, the run comes to an end, also if this process dies. */
export async function startRun(context: RunsContext, tool: AgentTool, input: unknown, options: StartOptions = {}): Promise<StartedRun> {
  checkOptionNames(options, OPTIONS, 'The options of a start')
  checkStepRules(options)
  const { key, startAt, deadline, ...kept } = options
  const data = encode(input)
  // What does not fit begins no run, and takes no key, unless the tool repairs it.
  if (!repairsInput(tool)) await behaviourOf(tool).input.accept(input, tool.name)
  const id = newRunId()
  const run: NewRun = {
    id,
    key: checkKey(key),
    tool: tool.name,
    version: storable(tool.version),
    plan: planPrint(tool),
    input: context.values.seal(data, inRun(id, 'input')),
    inputHash: context.values.fingerprint(hashOfData(data)),
    // What is not said leaves room for what the runtime of the worker says. The caller is always that of the start.
    options: context.values.seal(encode({ ...defined(context.starter ?? {}), ...defined(kept) }), inRun(id, 'options')),
    timeLeftMs: timeLeft(deadline, context.store.clock.now()),
    startAt: checkStart(startAt),
  }
  const prints = context.values.fingerprints(hashOfData(data))
  for (let look = 0; look < MOST_LOOKS; look++) {
    const started = await context.start(run)
    if (started.outcome === 'taken' && started.by === undefined) continue
    const by = started.outcome === 'taken' ? started.by : undefined
    if (by !== undefined && !isSame(run, by, prints)) {
      if (by.tool === run.tool) context.values.checkComparable(by.inputHash, inRun(by.id, 'input'))
      throw keyConflict(run, by)
    }
    context.reach('run.queued')
    return by === undefined ? { id: run.id, isNew: true } : { id: by.id, isNew: false }
  }
  throw new ToolError(`The key '${key}' is taken and freed all the time: the run was not started.`, {
    code: 'store_unavailable',
    outcome: 'not_started',
  })
}

function defined(options: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function isSame({ tool }: NewRun, by: Owner, prints: readonly string[]): boolean {
  return by.tool === tool && prints.includes(by.inputHash)
}

type Owner = NonNullable<Extract<Started, { readonly outcome: 'taken' }>['by']>

function keyConflict({ key, tool }: NewRun, by: Owner): ConfigurationError {
  const other = by.tool === tool ? 'another input' : `the tool '${by.tool}'`
  return new ConfigurationError(
    'key_conflict',
    `The key '${key}' belongs to the run '${by.id}', which has ${other}. One key stands for one call: choose another key for this one.`,
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

/** Years that PostgreSQL cannot write are as good as now. */
function checkStart(startAt: Date | undefined): Date | null {
  if (startAt === undefined) return null
  if (startAt instanceof Date && !Number.isNaN(startAt.getTime())) return startAt.getTime() < 0 ? null : startAt
  throw new ConfigurationError('invalid_option', `'startAt' of a start must be a valid Date, not ${quote(String(startAt))}.`)
}

function timeLeft(deadline: CallOptions['deadline'], now: number): number | null {
  if (deadline === undefined) return null
  return deadline instanceof Date ? Math.max(0, deadline.getTime() - now) : toMilliseconds(deadline, 'The deadline of a run')
}
