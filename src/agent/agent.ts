import type { OutputRouter } from '../context/output-router.ts'
import { quote } from '../schema/quote.ts'
import type { AnySchema, SchemaOutput } from '../schema/schema-types.ts'
import type { Catalog } from '../select/catalog.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { checkOptions } from '../tool/check-given.ts'
import { type Contract, contractOf, jsonSchema } from '../tool/contract.ts'
import type { CallOptions, ToolContext } from '../tool/context.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkName } from '../tool/identity.ts'
import { TypedInput } from '../tool/input/typed-input.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { CALL_OPTION_NAMES } from '../tool/shared-option-names.ts'
import { ReturnedFailure, success } from '../tool/result/returned.ts'
import type { AgentAnswer } from './agent-answer.ts'
import { type AgentEvent, AgentFeed, FEED } from './agent-feed.ts'
import { type AgentDefinition, agentKit, type AgentTexts, kitTool } from './agent-kit.ts'
import { type AgentLimits, readLimits } from './agent-limits.ts'
import { AgentRun } from './agent-run.ts'
import { checkPrices, type ModelPrices } from './agent-usage.ts'
import { type AgentModel, checkModel } from './language-model.ts'
import { checkSettings, type ModelSettings } from './model-settings.ts'
import { offeredTools } from './offered-tool.ts'
import { checkMedia } from './shown-media.ts'
import { answerForm } from './structured-answer.ts'
import { type AgentCatalog, readCatalog } from './tool-finder.ts'
import { checkVariables, filled, type TemplateVariables, variablesIn } from './template.ts'

/** The options of `agent`. */
export interface AgentOptions<OS = AnySchema | undefined, N extends string = string> {
  /** The name of its tool and in traces; `agent` by default. */
  readonly name?: N | undefined
  /** Who it is: `Refund clerk for {{shop}}`. */
  readonly role: string
  /** What it works for. */
  readonly goal: string
  /** Rules, as they stand in its instructions. */
  readonly instructions?: string | undefined
  /** A language model of the AI SDK, or the id of one. */
  readonly model: AgentModel
  readonly settings?: ModelSettings | undefined
  /** The tools that it always has; none unless given, where it has a `catalog`. */
  readonly tools?: readonly AgentTool[] | undefined
  /** Tools that it finds when it needs them, by `search_tools`: it pays for the schemas of few of them. */
  readonly catalog?: Catalog | AgentCatalog | undefined
  /** Decides what of each result the model reads, and adds `read_output` to the tools. */
  readonly router?: OutputRouter | undefined
  /** Media types that the model takes in results of tools: `['image/*']`. Without it, the model gets the text alone. */
  readonly media?: readonly string[] | undefined
  /** The schema of the final answer; without one it is a text. */
  readonly output?: OS
  readonly limits?: AgentLimits | undefined
  /** To count what the model costs. */
  readonly prices?: ModelPrices | undefined
}

/** The options of one run of an agent. */
export interface AgentRunOptions extends CallOptions {
  /** Values for `{{name}}` in the texts of the agent. */
  readonly variables?: TemplateVariables | undefined
}

/** The input of an agent as a tool. */
export interface AgentInput {
  readonly task: string
  readonly variables?: TemplateVariables | undefined
}

/** The options with which an agent becomes a tool. */
export interface AgentToolOptions<N extends string = string> {
  readonly name?: N | undefined
  readonly description?: string | undefined
}

/** The value of the answer of an agent with this output schema. */
export type AgentValue<OS> = OS extends undefined ? undefined : SchemaOutput<OS>

/** The output of an agent as a tool: the value of its answer, or all of the answer if it is a text. */
export type AgentOutput<OS> = OS extends undefined ? AgentAnswer : SchemaOutput<OS>

/** What an agent does, as it does it. The last event is the end. */
export type AgentStream<V = undefined> = AsyncIterable<AgentEvent<AgentAnswer<V>>>

/** A model with a role, a goal and tools, that works in a bounded loop. */
export interface Agent<OS = unknown, N extends string = string> {
  readonly name: N
  /** Works on a task until there is an answer. A failure is a result too. */
  readonly run: (task: string, options?: AgentRunOptions) => Promise<ToolResult<AgentAnswer<AgentValue<OS>>>>
  /** The same, told as it happens. Leaving the loop ends the run. */
  readonly stream: (task: string, options?: AgentRunOptions) => AgentStream<AgentValue<OS>>
  /** The agent as a tool: for pipelines, gates, other agents, and `runtime.start`. */
  readonly asTool: <M extends string = N>(options?: AgentToolOptions<M>) => AgentTool<AgentInput, AgentOutput<OS>, M>
}

const NAMES = optionNames<AgentOptions>({
  name: true,
  role: true,
  goal: true,
  instructions: true,
  model: true,
  settings: true,
  tools: true,
  catalog: true,
  router: true,
  media: true,
  output: true,
  limits: true,
  prices: true,
})
const TOOL_NAMES = optionNames<AgentToolOptions>({ name: true, description: true })
const RUN_DEADLINE_MS = 600_000

/**
 * Makes an agent. It works in a loop: the model is asked, the calls that it asks for are made, and their results are given to it, until it
 * answers or a limit is reached. Every step is a call of a tool, so the whole is traced, and can be recorded and durable.
 * @example
 * const clerk = agent({ role: 'Order clerk', goal: 'Answer questions about orders.', model: languageModel, tools: [orders] })
 * const answer = await clerk.run('What did ada@example.com order last?')
 * console.log(answer.text) // Order 7.
 */
export function agent<const OS extends AnySchema | undefined = undefined, const N extends string = 'agent'>(
  options: AgentOptions<OS, N>,
): Agent<OS, N> {
  const definition = definitionFrom(options)
  const name = definition.name as N
  const whole = agentTool<AgentAnswer<AgentValue<OS>>, N>(definition, definition, WHOLE_ANSWER)
  // Without a schema the two are one tool: a tree may hold it in several places.
  let ownTool = definition.form === undefined ? (whole as AgentTool<AgentInput, AgentOutput<OS>, N>) : undefined
  const built: Agent<OS, N> = Object.freeze<Agent<OS, N>>({
    name,
    run: async (task, given = {}) => whole.call(...asCall(definition, task, given)),
    stream: (task, given = {}) => streamed(whole, () => asCall(definition, task, given)),
    asTool: <M extends string = N>(given: AgentToolOptions<M> = {}) => {
      checkOptionNames(given, TOOL_NAMES, 'The options of asTool')
      const make = <K extends string>(): AgentTool<AgentInput, AgentOutput<OS>, K> =>
        agentTool(definition, { name: given.name ?? name, description: given.description ?? definition.description }, valueOf(definition))
      if (given.name === undefined && given.description === undefined)
        return (ownTool ??= make<N>()) as unknown as AgentTool<AgentInput, AgentOutput<OS>, M>
      return make<M>()
    },
  })
  definitions.set(built, definition)
  return built
}

const definitions = new WeakMap<object, AgentDefinition>()

/** The parts of an agent, for its tasks. */
export function definitionOf(given: unknown, what: string): AgentDefinition {
  const known = typeof given === 'object' && given !== null ? definitions.get(given) : undefined
  if (known === undefined)
    throw new ConfigurationError('invalid_option', `${what} must be made by agent({ role, goal, ... }), not ${quote(given)}.`)
  return known
}

function definitionFrom(options: AgentOptions): AgentDefinition {
  checkOptions(options, 'The options of agent')
  checkOptionNames(options, NAMES, 'The options of agent')
  const {
    name = 'agent',
    role,
    goal,
    instructions,
    model,
    settings = {},
    catalog,
    router,
    media = [],
    output,
    limits = {},
    prices,
  } = options
  checkName(name)
  const whose = `agent '${name}'`
  for (const [field, text] of Object.entries({ role, goal }))
    if (typeof text !== 'string' || text.trim() === '')
      throw new ConfigurationError('invalid_definition', `The ${field} of ${whose} must be a text, not ${quote(text)}.`)
  checkModel(model, whose)
  checkSettings(settings, whose)
  checkMedia(media, whose)
  if (prices !== undefined) checkPrices(prices, whose)
  if (router !== undefined && typeof router.conversation !== 'function')
    throw new ConfigurationError('invalid_option', `The router of ${whose} must be made by outputRouter({ budget }), not ${quote(router)}.`)
  return {
    name,
    description: `${role}. ${goal}`,
    texts: { role, goal, instructions },
    model,
    settings,
    tools: offeredTools(options.tools ?? (catalog === undefined ? undefined : []), whose),
    catalog: readCatalog(catalog, whose),
    router,
    media: [...media],
    form: output === undefined ? undefined : answerForm(output, whose),
    limits: readLimits(limits, whose, prices !== undefined),
    prices,
  }
}

/** The instructions of the model. */
export function systemText({ role, goal, instructions }: AgentTexts, variables: TemplateVariables): string {
  const texts = [`You are: ${role}`, `Your goal: ${goal}`, ...(instructions === undefined ? [] : [instructions])]
  return texts.map((text) => filled(text, variables)).join('\n\n')
}

interface Shown {
  readonly name: string
  readonly description: string
}

/** What of the answer is the output of the tool. */
interface Given {
  readonly outputOf: (answer: AgentAnswer<unknown>) => unknown
  readonly describesOutput?: Contract | undefined
}

const WHOLE_ANSWER: Given = { outputOf: (answer) => answer }

function valueOf({ form }: AgentDefinition): Given {
  return form === undefined ? WHOLE_ANSWER : { outputOf: ({ value }) => value, describesOutput: form.contract }
}

function agentTool<O, N extends string>(
  definition: AgentDefinition,
  { name, description }: Shown,
  { outputOf, describesOutput }: Given,
): AgentTool<AgentInput, O, N> {
  const { texts, limits } = definition
  const needed = variablesIn([texts.role, texts.goal, texts.instructions])
  const kit = agentKit(definition, name)
  return kitTool(kit, {
    name,
    description,
    kind: 'agent',
    input: new TypedInput(contractOf(inputSchema(needed), `The input of agent '${name}'`)),
    deadlineMs: limits.deadlineMs,
    describesOutput,
    run: async (input, context: ToolContext) => {
      const { task, variables = {} } = input as AgentInput
      checkVariables(needed, variables, `agent '${name}'`)
      const answer = await new AgentRun(kit, context, { system: systemText(texts, variables), task }).answer([])
      return answer instanceof ReturnedFailure ? answer : success(outputOf(answer), { text: answer.text })
    },
  })
}

function inputSchema(needed: readonly string[]): AnySchema {
  const variables = {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: `Values of ${needed.join(', ')}.`,
  }
  return jsonSchema<AgentInput>({
    type: 'object',
    properties: {
      task: { type: 'string', minLength: 1, description: 'What is to be done, with all that must be known for it.' },
      ...(needed.length === 0 ? { variables: { type: 'object' } } : { variables }),
    },
    required: ['task'],
    additionalProperties: false,
  })
}

type Asked = readonly [AgentInput, CallOptions]

const RUN_NAMES: readonly string[] = [...CALL_OPTION_NAMES, 'variables']

function asCall({ name, limits }: AgentDefinition, task: string, given: AgentRunOptions): Asked {
  checkOptionNames(given, RUN_NAMES, 'The options of a run')
  const { variables, ...options } = given
  const deadline = options.deadline ?? limits.deadlineMs ?? RUN_DEADLINE_MS
  return [
    { task, ...(variables === undefined ? {} : { variables }) },
    { agent: name, ...options, deadline },
  ]
}

async function* streamed<A>(tool: AgentTool<AgentInput, A>, asked: () => Asked): AsyncGenerator<AgentEvent<A>, void> {
  const [input, options] = asked()
  const feed = new AgentFeed<A>()
  const leaving = new AbortController()
  const { on = [], services, signal } = options
  const ended = tool
    .call(input, {
      ...options,
      on: [...(Array.isArray(on) ? on : [on]), feed.hear],
      services: { ...services, [FEED]: feed },
      signal: signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal]),
    })
    .then((result) => feed.end(result))
    .finally(() => feed.close())
  // It is thrown to the reader when they come to it, however late.
  ended.catch(() => {})
  let isRead = false
  try {
    yield* feed.events()
    isRead = true
    // A configuration error is thrown, as by every call.
    await ended
  } finally {
    if (!isRead) {
      leaving.abort()
      await ended.catch(() => {})
    }
  }
}
