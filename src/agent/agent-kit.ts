import type { OutputRouter } from '../context/output-router.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { combinator, type CombinatorParts } from '../tool/combinator.ts'
import type { Contract } from '../tool/contract.ts'
import type { ToolContext } from '../tool/context.ts'
import type { InputPort } from '../tool/input/input-port.ts'
import type { ReadLimits } from './agent-limits.ts'
import type { ModelPrices } from './agent-usage.ts'
import type { AgentModel, OfferedFunction, TurnReply } from './language-model.ts'
import type { ModelSettings } from './model-settings.ts'
import { type ModelTurn, modelTool } from './model-tool.ts'
import { checkNames, functionsOf, type OfferedTool } from './offered-tool.ts'
import { routerTools, type WriterInput, writerTool } from './routed-results.ts'
import type { AnswerForm } from './structured-answer.ts'
import { finderTool, type ReadCatalog } from './tool-finder.ts'

/** What a run of the loop needs: the same for every run of an agent, or of a task. */
export interface AgentKit {
  /** The name of the agent or the task. */
  readonly owner: string
  /** The name of the agent. */
  readonly agent: string
  readonly model: AgentTool<ModelTurn, TurnReply>
  readonly tools: readonly OfferedTool[]
  /** Where the model finds further tools. */
  readonly catalog: ReadCatalog | undefined
  readonly router: OutputRouter | undefined
  readonly form: AnswerForm | undefined
  readonly limits: ReadLimits
  readonly prices: ModelPrices | undefined
  /** Media types that the model takes in results. */
  readonly media: readonly string[]
  /** The tools as the model is told of them. */
  readonly functions: readonly OfferedFunction[]
  /** Asks the model of the router. */
  readonly writer: AgentTool<WriterInput, string> | undefined
}

/** The parts of an agent that its tasks share. */
export interface AgentDefinition extends Pick<AgentKit, 'catalog' | 'router' | 'form' | 'limits' | 'prices' | 'media'> {
  readonly name: string
  readonly description: string
  readonly model: AgentModel
  readonly settings: ModelSettings
  readonly tools: readonly OfferedTool[]
  readonly texts: AgentTexts
}

export interface AgentTexts {
  readonly role: string
  readonly goal: string
  readonly instructions: string | undefined
}

/** The kit of an agent, or of a task with tools of its own. A tool that both have counts once. */
export function agentKit(definition: AgentDefinition, owner: string, own: readonly OfferedTool[] = []): AgentKit {
  const { model, settings, catalog, router, form, limits, prices, media } = definition
  const added = own.filter(({ tool }) => definition.tools.every((each) => each.tool !== tool))
  const finder = catalog === undefined ? [] : [finderTool(catalog, owner)]
  const tools = [...definition.tools, ...added, ...finder, ...(router === undefined ? [] : routerTools(router, owner))]
  checkNames(tools, `'${owner}'`)
  const functions = functionsOf(tools)
  const found = (names: readonly string[]): readonly OfferedFunction[] =>
    functionsOf(names.flatMap((name) => ((tool) => (tool === undefined ? [] : [{ name, tool }]))(catalog?.from.get(name))))
  return {
    owner,
    agent: definition.name,
    model: modelTool({ owner, model, settings, functions, found, format: form?.schema, prices, deadlineMs: limits.callMs }),
    tools,
    catalog,
    router,
    form,
    limits,
    prices,
    media,
    functions,
    writer: router === undefined ? undefined : writerTool(router, owner),
  }
}

export interface KitTool {
  readonly name: string
  readonly description: string
  readonly kind: string
  readonly input: InputPort
  readonly deadlineMs?: number | undefined
  readonly describesOutput?: Contract | undefined
  readonly run: (input: unknown, context: ToolContext) => unknown
}

/** A tool whose parts are the model and the tools of a kit. */
export function kitTool<I, O, N extends string>(kit: AgentKit, { kind, deadlineMs, ...given }: KitTool): AgentTool<I, O, N> {
  const writer = kit.writer === undefined ? [] : [{ label: 'writer', tool: kit.writer as AgentTool }]
  const parts = [{ label: 'model', tool: kit.model as AgentTool }, ...writer, ...kit.tools.map(({ name, tool }) => ({ label: name, tool }))]
  return combinator({
    ...given,
    ...(deadlineMs === undefined ? {} : { deadline: deadlineMs }),
    ...openEnd(kit),
    plan: {
      kind,
      order: 'free',
      labels: 'numbered',
      closedBy: undefined,
      layer: false,
      parts: parts.map((part) => ({ ...part, takes: 'unknown' as const })),
      gated: false,
      maxTurns: kit.limits.toolCalls + 2,
      figures: () => ({}),
    },
    ownScope: true,
  })
}

/** Nobody knows which tools of a catalog will be called: the whole counts as the gravest of all. */
function openEnd({ catalog }: AgentKit): Pick<CombinatorParts, 'effect' | 'idempotent' | 'mayCall'> {
  if (catalog === undefined) return {}
  return { effect: 'irreversible', idempotent: false, mayCall: (tool) => catalog.from.get(tool.name) === tool }
}
