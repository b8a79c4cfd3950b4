import { quote } from '../schema/quote.ts'
import { adapt } from '../tool/adapt.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { behaviourOf } from '../tool/behaviour.ts'
import { checkOptions } from '../tool/check-given.ts'
import { compound } from '../tool/compound.ts'
import { contractOf } from '../tool/contract.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { shortName } from '../tool/identity.ts'
import { TypedInput } from '../tool/input/typed-input.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { ReturnedFailure, success } from '../tool/result/returned.ts'
import { type Agent, type AgentOutput, definitionOf, systemText } from './agent.ts'
import { agentKit, kitTool } from './agent-kit.ts'
import { AgentRun } from './agent-run.ts'
import { asResults, earlierOutputs, type EarlierOutputs, TASK_INPUT, type TaskInput } from './earlier-outputs.ts'
import { offeredTools } from './offered-tool.ts'
import { checkVariables, filled, type TemplateVariables, variablesIn } from './template.ts'

/** A task for an agent. */
export interface AgentTaskOptions<OS, A extends string = string, N extends string = string> {
  /** The name of its tool; that of the agent with `_task` by default. */
  readonly name?: N | undefined
  /** What is to be done: `Summarise {{topic}}`. */
  readonly description: string
  /** What the answer must be. */
  readonly expectedOutput: string
  /** Added to the tools of the agent. */
  readonly tools?: readonly AgentTool[] | undefined
  readonly agent: Agent<OS, A>
}

/** A task without a model: a tool with its input. */
export interface ToolTaskOptions<I, O, T extends string = string, N extends string = string> {
  /** The name of its tool; that of the tool with `_task` by default. */
  readonly name?: N | undefined
  readonly description: string
  readonly tool: AgentTool<I, O, T>
  /** The input of the tool, or a pure function that makes it. Without it, a tool that takes a text gets the texts of earlier tasks. */
  readonly input?: NoInfer<I> | ((earlier: EarlierOutputs, variables: TemplateVariables) => NoInfer<I>) | undefined
}

/** Only a tool that takes a text can do without an input. */
export type NeedsInput<I> = string extends I ? unknown : { readonly input: unknown }

const AGENT_NAMES = optionNames<AgentTaskOptions<undefined>>({
  name: true,
  description: true,
  expectedOutput: true,
  tools: true,
  agent: true,
})
const TOOL_NAMES = optionNames<ToolTaskOptions<unknown, unknown>>({ name: true, description: true, tool: true, input: true })
const NAMES = [...new Set([...AGENT_NAMES, ...TOOL_NAMES])]

const tasks = new WeakSet<object>()

/** Whether a tool was made by `task`. */
export function isTask(given: unknown): given is AgentTool<TaskInput> {
  return typeof given === 'object' && given !== null && tasks.has(given)
}

/**
 * Makes a tool of one piece of work: for an agent, with tools of its own added to the agent's, or for a plain tool, without any model.
 * @example
 * const load = task({ description: 'Loads the orders of Ada.', tool: orders, input: { email: 'ada@example.com' } })
 * const result = await load.call({})
 */
export function task<OS, const A extends string, const N extends string = `${A}_task`>(
  options: AgentTaskOptions<OS, A, N>,
): AgentTool<TaskInput, AgentOutput<OS>, N>
export function task<I, O, const T extends string, const N extends string = `${T}_task`>(
  options: ToolTaskOptions<I, O, T, N> & NeedsInput<I>,
): AgentTool<TaskInput, O, N>
export function task(options: object): AgentTool<TaskInput> {
  checkOptions(options, 'The options of task')
  checkOptionNames(options, NAMES, 'The options of task')
  const { description, tool } = options as Partial<ToolTaskOptions<never, unknown>>
  if (typeof description !== 'string' || description.trim() === '')
    throw new ConfigurationError('invalid_definition', `A task needs a description, not ${quote(description)}.`)
  const made =
    tool === undefined ? agentTask(options as AgentTaskOptions<unknown>) : toolTask(options as unknown as ToolTaskOptions<never, unknown>)
  tasks.add(made)
  return made
}

function agentTask(options: AgentTaskOptions<unknown>): AgentTool<TaskInput> {
  checkOptionNames(options, AGENT_NAMES, 'The options of a task for an agent')
  const { description, expectedOutput, tools = [] } = options
  const definition = definitionOf(options.agent, "'agent' of a task")
  const name = options.name ?? shortName(`${definition.name}_task`)
  if (typeof expectedOutput !== 'string' || expectedOutput.trim() === '')
    throw new ConfigurationError('invalid_definition', `Task '${name}' needs an expectedOutput, not ${quote(expectedOutput)}.`)
  const kit = agentKit(definition, name, offeredTools(tools, `task '${name}'`))
  const { texts, form, limits } = definition
  const needed = variablesIn([texts.role, texts.goal, texts.instructions, description, expectedOutput])
  return kitTool(kit, {
    name,
    description,
    kind: 'task',
    input: new TypedInput(contractOf(TASK_INPUT, 'The input of a task')),
    deadlineMs: limits.deadlineMs,
    describesOutput: form?.contract,
    run: async (input, context) => {
      const { variables = {}, earlier = [] } = input as TaskInput
      checkVariables(needed, variables, `task '${name}'`)
      const asked = `${filled(description, variables)}\n\nExpected output: ${filled(expectedOutput, variables)}`
      const answer = await new AgentRun(kit, context, { system: systemText(texts, variables), task: asked }).answer(asResults(earlier))
      if (answer instanceof ReturnedFailure) return answer
      return success(form === undefined ? answer : answer.value, { text: answer.text })
    },
  })
}

function toolTask(options: ToolTaskOptions<never, unknown>): AgentTool<TaskInput> {
  checkOptionNames(options, TOOL_NAMES, 'The options of a task for a tool')
  const { description, tool, input: given } = options
  behaviourOf(tool, "'tool' of a task")
  const name = options.name ?? shortName(`${tool.name}_task`)
  const inputOf = ({ variables = {}, earlier = [] }: TaskInput): unknown => {
    if (given === undefined) return earlier.map(({ text }) => text).join('\n\n')
    if (typeof given !== 'function') return given
    const make = given as (earlier: EarlierOutputs, variables: TemplateVariables) => unknown
    return adapt(`'input' of task '${name}'`, () => make(earlierOutputs(earlier, `Task '${name}'`), variables))
  }
  return compound({
    name,
    description,
    kind: 'task',
    inputSchema: TASK_INPUT,
    parts: { [tool.name]: tool },
    run: (input, context) => context.call(tool.name, tool, inputOf(input) as never),
  })
}
