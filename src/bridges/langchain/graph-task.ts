import type { ToolRunnableConfig } from '@langchain/core/tools'
import { isRecord } from '../../schema/json-schema.ts'
import { GivenResume } from './given-resume.ts'
import { StepCalls } from './step-calls.ts'

/** A task of a graph with a checkpointer. When it is resumed, its node runs again from the start. */
export interface GraphTask {
  readonly thread: string
  /** The same when the task runs again, and of no other task. */
  readonly id: string
  /** The calls of its step, also those of other tasks. */
  readonly calls: StepCalls
  /** What a person has given for this execution of the task; undefined where it was not resumed. */
  readonly given: (interrupt: Interrupt) => GivenResume | undefined
}

/** `interrupt` of LangGraph: it returns the next resume value of the task, or throws to stop the graph. */
export type Interrupt = (value: unknown) => unknown

/** One invocation of a graph. */
interface Invocation {
  /** By the graph that makes them: calls in a graph inside a call do not wait for that call. */
  readonly calls: Map<string, StepCalls>
  /** LangGraph gives one value to every task of a step that interrupts. */
  readonly given: Map<unknown, GivenResume>
}

/** LangGraph makes a writer for each invocation, and a scratchpad for each execution of a task. */
const invocations = new WeakMap<object, Invocation>()
const givenTo = new WeakMap<object, GivenResume | undefined>()

/** The task in which a tool is called; undefined outside a graph, or where the graph keeps no checkpoints and cannot be resumed. */
export function graphTaskOf({ configurable = {}, ...config }: ToolRunnableConfig & { readonly writer?: unknown }): GraphTask | undefined {
  const { thread_id: thread, checkpoint_ns: id, __pregel_checkpointer: checkpointer, __pregel_scratchpad: scratchpad } = configurable
  if (!isRecord(checkpointer) || !isRecord(scratchpad) || thread === undefined || typeof id !== 'string') return undefined
  const key = typeof config.writer === 'function' ? config.writer : scratchpad
  const invocation: Invocation = invocations.get(key) ?? { calls: new Map(), given: new Map() }
  invocations.set(key, invocation)
  const graph = JSON.stringify([String(thread), id.split('|').slice(0, -1)])
  const calls = invocation.calls.get(graph) ?? new StepCalls()
  invocation.calls.set(graph, calls)
  const given = (interrupt: Interrupt): GivenResume | undefined => {
    if (givenTo.has(scratchpad)) return givenTo.get(scratchpad)
    const value = readGiven(scratchpad, configurable['__pregel_resume_map'], interrupt)
    const resume = value === undefined ? undefined : (invocation.given.get(value.given) ?? new GivenResume(value.given))
    if (resume !== undefined) invocation.given.set(value?.given, resume)
    givenTo.set(scratchpad, resume)
    return resume
  }
  return { thread: String(thread), id, calls, given }
}

/** Of no other task, in any thread. */
export function stepOf({ thread, id }: GraphTask): string {
  return JSON.stringify([thread, id])
}

/**
 * What this resume gives to the task. LangGraph replays the values of earlier interrupts by their position. Those were used, or were lost
 * with their process, and a person may have said something else since: they never decide.
 */
function readGiven(scratchpad: Record<string, unknown>, map: unknown, interrupt: Interrupt): { readonly given: unknown } | undefined {
  const { resume, interruptCounter } = scratchpad
  if (!Array.isArray(resume) || typeof interruptCounter !== 'number') return undefined
  const isPlain = scratchpad['nullResume'] !== undefined
  const next = interruptCounter + 1
  const last: unknown = resume.at(-1)
  // Beside a map of values by interrupt, the one without a name is that of an earlier resume.
  const isMapped = isRecord(map) && next < resume.length && Object.values(map).includes(last)
  const values = Array.from({ length: Math.max(0, resume.length + (isPlain ? 1 : 0) - next) }, () => interrupt(undefined))
  if (isRecord(map)) return isMapped ? { given: last } : undefined
  return isPlain ? { given: values.at(-1) } : undefined
}
