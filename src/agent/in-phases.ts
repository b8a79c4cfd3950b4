import { quote } from '../schema/quote.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { checkOptions } from '../tool/check-given.ts'
import { compound } from '../tool/compound.ts'
import { jsonSchema } from '../tool/contract.ts'
import type { ToolContext } from '../tool/context.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { METADATA_NAMES, type Metadata } from '../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { failureData } from '../tool/result/failure-details.ts'
import { failure, success } from '../tool/result/returned.ts'
import { callTogether } from '../tool/seam/call-together.ts'
import { type EarlierOutput, outputOf, type TaskInput } from './earlier-outputs.ts'
import { isTask } from './task.ts'
import type { TemplateVariables } from './template.ts'

/** Tasks in phases: those of one phase run side by side. */
export type Phases = readonly (readonly AgentTool<TaskInput>[])[]

/** The options of `inPhases`. */
export interface InPhasesOptions<P, N extends string = string> extends Metadata {
  readonly name: N
  readonly description?: string | undefined
  /** Each task is made by `task`, and each name occurs once. */
  readonly phases: P
}

/** The input of tasks in phases. */
export interface PhasesInput {
  readonly variables?: TemplateVariables | undefined
}

type TaskOf<P> = P extends readonly (readonly (infer T)[])[] ? T : never
type Named<T> = T extends AgentTool<never, unknown, infer N> ? N : never
type Gives<T> = T extends AgentTool<never, infer O> ? O : never

/** The outputs of all tasks by their names. */
export type PhasesOutput<P> = { readonly [T in TaskOf<P> as Named<T>]: Gives<T> }

const NAMES = optionNames<InPhasesOptions<Phases>>({ ...METADATA_NAMES, name: true, description: true, phases: true })

const INPUT = jsonSchema<PhasesInput>({
  type: 'object',
  properties: {
    variables: {
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      description: 'Values of the texts of the tasks.',
    },
  },
  additionalProperties: false,
})

/**
 * Runs tasks in declared order: those of a phase side by side, and the next phase when all of them have succeeded. Later tasks get the outputs of
 * all earlier phases.
 * @example
 * const load = task({ description: 'Loads the orders.', tool: orders, input: { email: 'ada@example.com' } })
 * const total = task({ description: 'Says what was ordered.', tool: greet, input: (earlier) => ({ name: earlier(load).value[0]?.id ?? '' }) })
 * const nightly = inPhases({ name: 'nightly', phases: [[load], [total]] })
 */
export function inPhases<const P extends Phases, const N extends string>(
  options: InPhasesOptions<P, N>,
): AgentTool<PhasesInput, PhasesOutput<P>, N> {
  checkOptions(options, 'The options of inPhases')
  checkOptionNames(options, NAMES, 'The options of inPhases')
  const { phases, name, description = describe(phases, name), ...metadata } = options
  const parts = partsOf(phases, name)
  return compound({
    ...metadata,
    name,
    description,
    kind: 'phases',
    inputSchema: INPUT,
    parts,
    run: ({ variables }, context) => runPhases(phases, context, variables),
  }) as AgentTool<PhasesInput, PhasesOutput<P>, N>
}

function describe(phases: Phases, name: string): string {
  checkPhases(phases, name)
  return `In phases: ${phases.map((phase) => phase.map((each) => each?.name).join(' + ')).join(', then ')}`
}

function checkPhases(phases: unknown, name: string): void {
  const isRight = Array.isArray(phases) && phases.length > 0 && phases.every((phase) => Array.isArray(phase) && phase.length > 0)
  if (!isRight)
    throw new ConfigurationError(
      'invalid_definition',
      `'phases' of '${name}' must be lists of tasks, [[load], [report]], not ${quote(phases)}.`,
    )
}

function partsOf(phases: Phases, name: string): Readonly<Record<string, AgentTool<TaskInput>>> {
  checkPhases(phases, name)
  const parts = new Map<string, AgentTool<TaskInput>>()
  for (const each of phases.flat()) {
    if (!isTask(each))
      throw new ConfigurationError('not_a_tool', `The phases of '${name}' hold ${quote(each)}, which is not made by task({ ... }).`)
    if (parts.has(each.name))
      throw new ConfigurationError('duplicate_name', `Duplicate task name: '${each.name}' in '${name}'. Give each task a name of its own.`)
    parts.set(each.name, each)
  }
  return Object.fromEntries(parts)
}

async function runPhases(phases: Phases, context: ToolContext, variables: TemplateVariables | undefined): Promise<unknown> {
  const earlier: EarlierOutput[] = []
  let latest: readonly EarlierOutput[] = []
  for (const phase of phases) {
    const input: TaskInput = { ...(variables === undefined ? {} : { variables }), earlier: [...earlier] }
    const { results } = await callTogether(context, Object.fromEntries(phase.map((each) => [each.name, { tool: each, input }])))
    latest = []
    for (const { name } of phase) {
      const result = results[name]
      if (result === undefined) return failure(`The task '${name}' did not end.`, { code: 'cancelled' })
      if (!result.ok)
        return failure(`The task '${name}' failed: ${result.error.message}`, { ...detailsOf(result.error), cause: result.error.cause })
      latest = [...latest, outputOf(name, result)]
    }
    earlier.push(...latest)
  }
  const text = latest.length === 1 ? latest[0]?.text : latest.map(({ task, text: own }) => `${task}: ${own}`).join('\n')
  return success(Object.fromEntries(earlier.map(({ task, value }) => [task, value])), { text })
}

function detailsOf(error: Parameters<typeof failureData>[0]): Omit<ReturnType<typeof failureData>, 'step' | 'message'> {
  const { step: _step, message: _message, ...details } = failureData(error)
  return details
}
