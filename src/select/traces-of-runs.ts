import type { RunRecord, RunStep } from '../run/view/run-record.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { SagaReport } from '../tool/result/result.ts'
import { isAgainst } from './trace-of-event.ts'
import type { Trace } from './traces.ts'

/** A durable run, as far as it teaches something: what `show` of the runs of a runtime gives. */
export type TaughtRun = Pick<RunRecord, 'tool' | 'status' | 'starter' | 'steps' | 'result' | 'createdAt' | 'endedAt'>

/** How traces are made of durable runs. */
export interface TracesOfRunsOptions {
  /** The text of the task that a run was for; undefined where there is nothing to learn from. The option `task` of its start unless given. */
  readonly textOf?: ((run: TaughtRun) => string | undefined) | undefined
}

const NAMES = optionNames<TracesOfRunsOptions>({ textOf: true })

/**
 * What recorded runs teach a catalog: which tool served the task of a run, and which did not. A run that was cancelled or stopped says nothing;
 * a step that was undone counts against its tool.
 * @example
 * const tools = await catalog([shout])
 * await tools.learn(tracesOfRuns([{ tool: 'shout', status: 'completed', starter: { task: 'say it louder' }, steps: [], createdAt: 0 }]))
 * console.log(tools.traces().length) // 1
 */
export function tracesOfRuns(runs: Iterable<TaughtRun>, options: TracesOfRunsOptions = {}): readonly Trace[] {
  checkOptionNames(options, NAMES, 'The options of tracesOfRuns')
  const { textOf = ({ starter }) => starter?.task } = options
  const traces: Trace[] = []
  for (const run of runs) {
    if (run.status !== 'completed' && run.status !== 'failed') continue
    const text = textOf(run)
    if (typeof text !== 'string' || text.trim() === '') continue
    const principal = run.starter?.principal?.id
    // A tool that did one thing well and another badly for a task counts as it ended.
    const judged = new Map<string, boolean>()
    for (const step of run.steps) note(judged, step.tool, stepServed(step, run))
    note(judged, run.tool, runServed(run))
    const at = run.endedAt ?? run.createdAt
    for (const [tool, served] of judged) traces.push({ text, tool, served, principal, at })
  }
  return traces
}

/** `undefined` says nothing. */
function note(judged: Map<string, boolean>, tool: string, served: boolean | undefined): void {
  if (served === undefined || tool === '') return
  judged.delete(tool)
  judged.set(tool, served)
}

function runServed({ status, result }: TaughtRun): boolean | undefined {
  if (status === 'completed') return true
  return result !== undefined && 'error' in result && isAgainst(result.error.class) ? false : undefined
}

function stepServed(step: RunStep, { result }: TaughtRun): boolean | undefined {
  if (step.standing !== undefined || step.endedAt === undefined) return undefined
  if (step.error !== undefined) return isAgainst(step.error.class) ? false : undefined
  const report = result !== undefined && 'compensation' in result ? result.compensation : undefined
  return report === undefined ? true : undoneServed(step, report)
}

/** In a whole that was undone: its undone steps count against, and what undid them says nothing. */
function undoneServed({ path }: RunStep, { path: whole, outcomes }: SagaReport): boolean | undefined {
  if (whole === undefined || !path.startsWith(`${whole}/`)) return true
  const label = path.slice(whole.length + 1)
  const outcome = outcomes.find(({ step }) => label === step || label.startsWith(`${step}/`))
  return outcome?.status === 'undone' ? false : undefined
}
