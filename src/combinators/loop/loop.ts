import { quote } from '../../schema/quote.ts'
import { adapt } from '../../tool/adapt.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkChoice, checkFunction } from '../../tool/check-given.ts'
import { combinator } from '../../tool/combinator.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { repeated } from '../../tool/figures.ts'
import { checkName, shortName } from '../../tool/identity.ts'
import { type Metadata, METADATA_NAMES } from '../../tool/metadata.ts'
import type { PlanPart } from '../../tool/plan-node.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { failure, type ReturnedFailure } from '../../tool/result/returned.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { callPart } from '../../tool/seam/parts.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The options of every `loop`, whether or not the next input is made of the last value. */
export interface CommonLoopOptions<O, N extends string = string> extends Metadata {
  /** `loop_` and the tool's name by default. */
  readonly name?: N | undefined
  readonly description?: string | undefined
  /** A pure, synchronous predicate over the value of a turn; `count` is the number of turns so far. */
  readonly until: (value: O, count: number) => boolean
  /** The maximum number of turns; at least 1. */
  readonly maxTurns: number
  /** `fail` by default; `last` returns the value of the last turn, with an issue. */
  readonly whenExhausted?: 'fail' | 'last' | undefined
}

/** A pure, synchronous function: makes the input of the next turn from the value, the input and the number of this one. */
type Next<I, O> = (value: O, input: I, count: number) => I

/** The value of a turn is the input of the next one if it fits; otherwise `next` must make it. */
export type LoopOptions<I, O, N extends string = string> = CommonLoopOptions<O, N> &
  ([O] extends [I] ? { readonly next?: Next<I, O> | undefined } : { readonly next: Next<I, O> })

const NAMES = optionNames<CommonLoopOptions<unknown> & { readonly next: unknown }>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  until: true,
  maxTurns: true,
  whenExhausted: true,
  next: true,
})

/**
 * Calls a tool until `until` is true, at most `maxTurns` times.
 * @example
 * const double = tool({ name: 'double', description: 'Doubles.', inputSchema: z.number(), effect: 'read', execute: (n) => n * 2 })
 * const grow = loop(double, { until: (n) => n > 100, maxTurns: 20 })
 * const result = await grow.call(3)
 * console.log(result.text) // 192
 */
export function loop<I, O, const N extends string = string>(
  tool: AgentTool<I, O>,
  options: LoopOptions<NoInfer<I>, NoInfer<O>, N>,
): AgentTool<I, O, N> {
  const { input, output, describesOutput = output } = behaviourOf(tool, 'The first argument of loop')
  checkOptionNames(options, NAMES, `The options of the loop of '${tool.name}'`)
  const { maxTurns, name = shortName(`loop_${tool.name}`) } = options
  checkName(name)
  checkTurns(options, name)
  const { description = `Repeats until it is done, at most ${maxTurns} times: ${tool.description}` } = options
  const plan: LoopPlan = { tool, ...(options as Pick<LoopPlan, 'until' | 'next' | 'maxTurns' | 'whenExhausted'>) }
  return combinator({
    ...options,
    name,
    description,
    plan: {
      kind: 'loop',
      order: 'repeat',
      labels: 'numbered',
      closedBy: STOP_LABEL,
      layer: false,
      parts: [{ label: 'turn', tool, takes: 'input', ...(maxTurns > 1 ? { again: againOf(options) } : {}) }],
      detail: `at most ${maxTurns} times`,
      maxTurns,
      ...(maxTurns > 1 ? { repeats: true } : {}),
      figures: ([turn = {}]) => repeated(turn, maxTurns),
    },
    input,
    forwardsInput: true,
    keepsInput: true,
    describesOutput,
    run: (given, whole) => runLoop(plan, given, whole),
  })
}

function againOf({ next }: { readonly next?: unknown }): PlanPart['again'] {
  return next === undefined ? {} : { adapter: { name: "'next'" } }
}

interface Checked {
  readonly until: unknown
  readonly next?: unknown
  readonly maxTurns: number
  readonly whenExhausted?: unknown
}

function checkTurns({ until, next, maxTurns, whenExhausted }: Checked, name: string): void {
  checkFunction(until, `'until' of loop '${name}'`)
  if (next !== undefined) checkFunction(next, `'next' of loop '${name}'`)
  if (!Number.isSafeInteger(maxTurns) || maxTurns < 1) {
    throw new ConfigurationError(
      'invalid_option',
      `'maxTurns' of loop '${name}' must be a whole number of at least 1, not ${quote(maxTurns)}.`,
    )
  }
  checkChoice(whenExhausted, ['fail', 'last'], `'whenExhausted' of loop '${name}'`)
}

/** The label of the record, after each turn, whether the loop ends. */
const STOP_LABEL = 'loop.stop'

interface LoopPlan {
  readonly tool: AgentTool
  readonly until: (value: unknown, count: number) => boolean
  readonly next?: ((value: unknown, input: unknown, count: number) => unknown) | undefined
  readonly maxTurns: number
  readonly whenExhausted?: 'fail' | 'last' | undefined
}

/** A failed turn ends the loop. Each decision of `until` is recorded: a later version of the predicate does not change past turns. */
async function runLoop(plan: LoopPlan, given: unknown, whole: Whole): Promise<SettledResult | ReturnedFailure> {
  const { tool, until, next, maxTurns } = plan
  let input = given
  for (let count = 1; ; count++) {
    const result = await callPart(whole, { label: 'turn', tool, input })
    if (!result.ok) return result
    const { value } = result
    const isDone = await whole.decide(STOP_LABEL, () => adapt(`'until' of '${whole.tool}'`, () => until(value, count)))
    if (isDone) return result
    if (count === maxTurns) return exhausted(plan, result, whole)
    const before = input
    input = next === undefined ? value : adapt(`'next' of '${whole.tool}'`, () => next(value, before, count))
  }
}

function exhausted({ maxTurns, whenExhausted }: LoopPlan, result: SettledSuccess, whole: Whole): SettledSuccess | ReturnedFailure {
  const turns = maxTurns === 1 ? 'once' : `${maxTurns} times`
  if (whenExhausted !== 'last') {
    return failure(`'${whole.tool}' ran ${turns}, and 'until' was still not true.`, { code: 'loop_exhausted' })
  }
  return withIssue(result, { severity: 'warning', message: `Ended after it ran ${turns}; 'until' was still not true.` })
}
