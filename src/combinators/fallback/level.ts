import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkFunction } from '../../tool/check-given.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { checkEstimates, type Estimates } from '../../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { Level } from '../../tool/seam/by-person.ts'

/** The argument of an output adapter: the answer of the level's tool, and the input of the whole. */
export interface LevelAnswer<V, O> {
  readonly value: O
  readonly text: string
  readonly input: V
}

/** The options of `level`. */
export interface LevelOptions {
  /** The name of the level in results, paths, plans and metrics; the name of its tool by default. */
  readonly name?: string | undefined
  /** Figures of the tool at this level, where they differ from its own. The confidence of an answer is multiplied by `accuracy`. */
  readonly estimates?: Estimates | undefined
  /** The time of this level. When it has passed, the next level is tried. */
  readonly deadline?: Duration | undefined
}

/** Makes the input of the level's tool from the whole input: a pure, synchronous function. */
type InputAdapter<V, I> = NoInfer<(value: V) => I>
/** Makes the answer of the whole from that of the level's tool: a pure, synchronous function. */
type OutputAdapter<V, O, R> = (answer: LevelAnswer<V, O>) => R

/** A level that a tool answers. */
export interface ToolLevel {
  readonly tool: AgentTool
  readonly name: string | undefined
  readonly estimates: Estimates
  readonly deadlineMs: number | undefined
  readonly input: ((value: unknown) => unknown) | undefined
  readonly output: ((answer: LevelAnswer<unknown, unknown>) => unknown) | undefined
}

const NAMES = optionNames<LevelOptions & { readonly input: unknown; readonly output: unknown }>({
  name: true,
  estimates: true,
  deadline: true,
  input: true,
  output: true,
})

interface AnyLevelOptions extends LevelOptions {
  readonly input?: unknown
  readonly output?: unknown
}

/**
 * A level of a fallback: a tool, with figures, a time and adapters of its own.
 * @example
 * const dated = level(latestOrder, { name: 'archive', estimates: { accuracy: 0.8 }, deadline: '2s' })
 */
export function level<V, O>(
  tool: AgentTool<V, O>,
  options?: LevelOptions & { readonly input?: undefined; readonly output?: undefined },
): Level<V, O>
export function level<V, O, R>(
  tool: AgentTool<V, O>,
  options: LevelOptions & { readonly input?: undefined; readonly output: OutputAdapter<NoInfer<V>, O, R> },
): Level<V, R>
export function level<V, I, O>(
  tool: AgentTool<I, O>,
  options: LevelOptions & { readonly input: InputAdapter<V, I>; readonly output?: undefined },
): Level<V, O>
export function level<V, I, O, R>(
  tool: AgentTool<I, O>,
  options: LevelOptions & { readonly input: InputAdapter<V, I>; readonly output: OutputAdapter<V, O, R> },
): Level<V, R>
export function level(tool: AgentTool, options: AnyLevelOptions = {}): Level<never, unknown> {
  behaviourOf(tool, 'The first argument of level')
  const what = `the level of '${tool.name}'`
  checkOptionNames(options, NAMES, `The options of ${what}`)
  const { name, estimates, deadline, input, output } = options
  if (input !== undefined) checkFunction(input, `'input' of ${what}`)
  if (output !== undefined) checkFunction(output, `'output' of ${what}`)
  checkEstimates(estimates, what)
  const deadlineMs = deadline === undefined ? undefined : toMilliseconds(deadline, `The deadline of ${what}`)
  const own: ToolLevel = {
    tool,
    name,
    estimates: estimates ?? {},
    deadlineMs,
    input: input as ToolLevel['input'],
    output: output as ToolLevel['output'],
  }
  return { level: own }
}
