import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { adapt } from '../adapt.ts'
import type { AgentTool } from '../agent-tool.ts'
import { behaviourOf } from '../behaviour.ts'
import { checkFunction, checkOptions } from '../check-given.ts'
import type { ToolContext } from '../context.ts'
import { type Duration, toMilliseconds } from '../duration.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { ToolResult } from '../result/result.ts'
import { checkStepLabel } from '../path.ts'
import { callOf } from './call-of.ts'
import { group } from './group.ts'
import type { EndRule } from './group-plan.ts'
import { checkOptionNames, optionNames } from '../option-names.ts'

type Tools = Readonly<Record<string, AgentTool>>
type Takes<T> = T extends AgentTool<infer I, unknown> ? I : never
type Gives<T> = T extends AgentTool<never, infer O> ? O : never

/** A tool to call and its input. */
export interface TogetherCall<T> {
  readonly tool: T
  readonly input: Takes<T>
}

/** Tools to call side by side, by the labels of their calls. */
export type TogetherCalls<T> = { readonly [L in keyof T]: TogetherCall<T[L]> }

/** The state of the calls so far. */
export interface TogetherStanding {
  readonly succeeded: number
  readonly underWay: number
  /** How many may still begin. */
  readonly toCome: number
}

/** The options of `callTogether`. */
export interface TogetherOptions<O> {
  /** How many run at the same time; all by default. They begin in their order. */
  readonly concurrency?: number | undefined
  /** Each call has this time at most. */
  readonly deadline?: Duration | undefined
  /** A pure function, asked after each result. True ends it: the rest is cancelled, and sagas in it undo what they did. */
  readonly until?: ((latest: ToolResult<O>, standing: TogetherStanding) => boolean) | undefined
  /** It ends when this time is up. */
  readonly after?: Duration | undefined
}

const CALL_NAMES = optionNames<TogetherCall<unknown>>({ tool: true, input: true })
const NAMES = optionNames<TogetherOptions<unknown>>({ concurrency: true, deadline: true, until: true, after: true })

/** How calls side by side ended. */
export interface Together<T> {
  /** By label, in the order of the calls; a call that had not ended has none. */
  readonly results: { readonly [L in keyof T]?: ToolResult<Gives<T[L]>> }
  /** The labels of the calls that were under way at the end and were cancelled. */
  readonly cancelled: readonly (keyof T & string)[]
}

/**
 * Calls tools side by side inside a compound. In a recorded run the end is recorded before anything is cancelled, so that a run that is taken
 * up comes to the same end, and calls that were cancelled undo themselves.
 * @example
 * const fastest = compound({
 *   name: 'fastest',
 *   description: 'Rolls two dice, and takes the one that lies still first.',
 *   parts: { roll },
 *   async run(input, context, parts) {
 *     const calls = { red: { tool: parts.roll, input }, blue: { tool: parts.roll, input } }
 *     const { results } = await callTogether(context, calls, { until: (latest) => latest.ok })
 *     return Object.values(results).find((result) => result.ok) ?? failure('No die was rolled.')
 *   },
 * })
 */
export async function callTogether<const T extends Tools>(
  context: ToolContext,
  calls: TogetherCalls<T>,
  options: TogetherOptions<Gives<T[keyof T]>> = {},
): Promise<Together<T>> {
  const call = callOf(context)
  checkOptions(calls, 'The calls of callTogether')
  checkOptionNames(options, NAMES, 'The options of callTogether')
  const given = Object.entries<TogetherCall<AgentTool>>(calls)
  const parts = given.map(([label, each], position) => {
    checkCall(label, each)
    const { tool } = each
    const behaviour = behaviourOf(tool, `The call '${label}' of callTogether`)
    return { label: call.nextLabel(label), tool, behaviour, position }
  })
  const ended = await group(
    context,
    {
      parts,
      limit: limitOf(options.concurrency, parts.length),
      inputOf: (position) => given[position]?.[1].input,
      rule: ruleOf(options),
      isApart: true,
      partMs: options.deadline === undefined ? undefined : toMilliseconds(options.deadline, "'deadline' of callTogether"),
      // The label of the first call occurs once in the compound, whatever else runs beside it.
      suffix: `.${parts[0]?.label ?? ''}`,
    },
    undefined,
  )
  const labelled = given.flatMap(([label], position) => {
    const result = ended.results[position]
    return result === undefined ? [] : [[label, result] as const]
  })
  const cancelled = given.filter((_, position) => ended.cancelled.includes(parts[position]?.label ?? ''))
  return { results: Object.fromEntries(labelled), cancelled: cancelled.map(([label]) => label) } as unknown as Together<T>
}

function checkCall(label: string, call: unknown): void {
  checkStepLabel(label)
  if (!isRecord(call) || !('tool' in call))
    throw new ConfigurationError('invalid_option', `The call '${label}' of callTogether must be { tool, input }, not ${quote(call)}.`)
  checkOptionNames(call, CALL_NAMES, `The fields of the call '${label}' of callTogether`)
}

function ruleOf<O>({ until, after }: TogetherOptions<O>): EndRule | undefined {
  if (until !== undefined) checkFunction(until, "'until' of callTogether")
  if (until === undefined && after === undefined) return undefined
  return {
    afterMs: after === undefined ? undefined : toMilliseconds(after, "'after' of callTogether"),
    after: (latest, { isClosed, ...standing }) => {
      const isOver = until !== undefined && adapt("'until' of callTogether", () => until(latest as ToolResult<O>, standing))
      if (isOver) return 'end'
      return isClosed && !latest.ok ? 'begin no more' : 'go on'
    },
  }
}

function limitOf(concurrency: number | undefined, count: number): number {
  if (concurrency === undefined || concurrency === Infinity) return Math.max(1, count)
  if (Number.isSafeInteger(concurrency) && concurrency >= 1) return concurrency
  throw new ConfigurationError(
    'invalid_option',
    `'concurrency' of callTogether must be a whole number of at least 1, not ${quote(concurrency)}.`,
  )
}
