import type { FunctionTool, RunContext } from '@openai/agents'
import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolContext } from '../../tool/context.ts'
import { jsonSchema } from '../../tool/contract.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { tool } from '../../tool/tool.ts'
import { type AdoptedMetadata, adoptedName, combinedApproval } from '../adopted.ts'
import { foreignResult } from './foreign-result.ts'
import type { AgentsLibrary } from './load-openai-agents.ts'

export interface Adoption {
  readonly metadata: AdoptedMetadata | undefined
  /** What the tool gets as `runContext.context`. */
  readonly context: unknown
  readonly library: AgentsLibrary
}

type Foreign = FunctionTool<unknown, FunctionTool['parameters']>

/** Whether a value is a function tool of the SDK, of any copy of it. */
export function isForeignTool(value: unknown): value is Foreign {
  return isRecord(value) && value['type'] === 'function' && typeof value['name'] === 'string' && typeof value['invoke'] === 'function'
}

/** Makes a tool of ours that runs a function tool of the SDK. */
export async function adoptTool(key: string, foreign: unknown, { metadata = {}, context, library }: Adoption): Promise<AgentTool> {
  if (!isForeignTool(foreign)) throw notForUs(key, foreign)
  const runContext = (): RunContext => new library.RunContext(context)
  const samples = samplesOf(library)
  const { parameters, description } = foreign
  checkRules(key, foreign, samples)
  const isAsked = isFixed(foreign.needsApproval, samples.needsApproval) ? await foreign.needsApproval(runContext(), {}) : true
  return tool({
    source: 'openai-agents',
    ...metadata,
    name: adoptedName(key),
    description: typeof description === 'string' && description.trim() !== '' ? description : `The tool ${key}.`,
    inputSchema: jsonSchema(parameters as JsonSchema),
    requireApproval: combinedApproval(metadata.requireApproval, isAsked),
    async execute(input: unknown, { invocationId, signal }: ToolContext) {
      const text = JSON.stringify(input)
      const toolCall = { type: 'function_call', callId: invocationId, name: foreign.name, arguments: text, status: 'completed' } as const
      return foreignResult(await foreign.invoke(runContext(), text, { toolCall, signal }))
    },
  })
}

type Samples = Pick<Foreign, 'needsApproval' | 'isEnabled'>

/** The rules that the SDK makes where a program gives none, or only yes or no. */
function samplesOf({ tool: agentsTool }: AgentsLibrary): Samples {
  return agentsTool({
    name: 'sample',
    description: '',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    strict: true,
    execute: () => '',
  }) as unknown as Samples
}

/** A rule that gives the same answer to every call has the text of the SDK's own function. Any other rule belongs to the program. */
function isFixed(rule: unknown, sample: unknown): boolean {
  return String(rule) === String(sample)
}

/** Rules that only a run of the SDK applies must not be lost. */
function checkRules(key: string, { isEnabled, inputGuardrails = [], outputGuardrails = [] }: Foreign, samples: Samples): void {
  const lost =
    inputGuardrails.length + outputGuardrails.length > 0 ? 'guardrails' : isFixed(isEnabled, samples.isEnabled) ? undefined : 'isEnabled'
  if (lost === undefined) return
  throw new ConfigurationError(
    'invalid_definition',
    `Tool '${key}' of OpenAI Agents has ${lost}, which only a run of the SDK applies. Make it without, and use validate, gate or a policy here.`,
  )
}

function notForUs(key: string, foreign: unknown): ConfigurationError {
  const type = isRecord(foreign) ? foreign['type'] : undefined
  if (typeof type !== 'string')
    return new ConfigurationError('not_a_tool', `Tool '${key}' of OpenAI Agents is ${quote(foreign)}, and no tool.`)
  return new ConfigurationError(
    'invalid_definition',
    `Tool '${key}' of OpenAI Agents has the type ${quote(type)}: it runs inside the SDK or at its provider, and cannot be called here. Leave it out.`,
  )
}
