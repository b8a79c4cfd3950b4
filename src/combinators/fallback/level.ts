import { quote } from '../../schema/quote.ts'
import type { AnySchema, SchemaOutput } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkChoice, checkFunction } from '../../tool/check-given.ts'
import { contractOf } from '../../tool/contract.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkEstimates, type Estimates } from '../../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The argument of an output adapter: the answer of the level's tool, and the input of the whole. */
export interface LevelAnswer<V, O> {
  readonly value: O
  readonly text: string
  readonly input: V
}

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

declare const TYPES: unique symbol

/** One level of a fallback over an input of type `V`, with answers of type `O`. */
export interface Level<in V, out O> {
  /** A `ToolLevel` or a `PersonLevel`. */
  readonly level: object
  readonly [TYPES]?: ((value: V) => O) | undefined
}

/** A level that a tool answers. */
export interface ToolLevel {
  readonly tool: AgentTool
  readonly name: string | undefined
  readonly estimates: Estimates
  readonly deadlineMs: number | undefined
  readonly input: ((value: unknown) => unknown) | undefined
  readonly output: ((answer: LevelAnswer<unknown, unknown>) => unknown) | undefined
}

/** The level that a person answers. */
export interface PersonLevel {
  readonly tool: undefined
  readonly name: string | undefined
  readonly schema: AnySchema | undefined
  readonly why: string | undefined
  readonly urgency: Urgency
  readonly timeout: Duration | undefined
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

/** How soon a person should answer. */
export type Urgency = 'low' | 'normal' | 'high'

export interface ByPersonOptions<S> {
  /** The name of the level; `person` by default. */
  readonly name?: string | undefined
  /** The shape of the answer; by default the `outputSchema` of the fallback. */
  readonly answerSchema?: S
  /** What the person should know, before what was tried. */
  readonly why?: string | undefined
  /** `normal` by default. The question says it. */
  readonly urgency?: Urgency | undefined
  /** How long to wait for the answer; by default as long as the handler of reviews waits. */
  readonly timeout?: Duration | undefined
}

const PERSON_NAMES = optionNames<ByPersonOptions<unknown>>({ name: true, answerSchema: true, why: true, urgency: true, timeout: true })

const URGENCIES: readonly Urgency[] = ['low', 'normal', 'high']

/**
 * The last level of a fallback: a person gives the answer, or hands the question back. The question says what was asked, what was tried and
 * why it failed. A durable run waits for the answer, however long that takes.
 * @example
 * const desk = byPerson({ answerSchema: z.object({ rate: z.number() }), urgency: 'high', timeout: '1d' })
 */
export function byPerson<const S extends AnySchema | undefined = undefined>(
  options: ByPersonOptions<S> = {},
): Level<unknown, S extends undefined ? never : SchemaOutput<S>> {
  checkOptionNames(options, PERSON_NAMES, 'The options of byPerson')
  const { name, answerSchema, why, urgency, timeout } = options
  checkChoice(urgency, URGENCIES, "'urgency' of byPerson")
  if (why !== undefined && typeof why !== 'string')
    throw new ConfigurationError('invalid_option', `'why' of byPerson must be a text, not ${quote(why)}.`)
  if (timeout !== undefined) toMilliseconds(timeout, "'timeout' of byPerson")
  if (answerSchema !== undefined) contractOf(answerSchema, 'The answerSchema of byPerson')
  const own: PersonLevel = { tool: undefined, name, schema: answerSchema, why, urgency: urgency ?? 'normal', timeout }
  return { level: own }
}
