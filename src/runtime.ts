import type { AgentTool, ToolSpecification } from './tool/agent-tool.ts'
import type { CallOptions } from './tool/context.ts'
import { isConfigurationError } from './tool/errors/configuration-error.ts'
import type { Listener } from './tool/event.ts'
import { type PeerTools, resolve, type ToolResolution } from './tool/resolve/resolve.ts'
import type { ToolResult } from './tool/result.ts'
import { tool } from './tool/tool.ts'

/** What calls share, unless one of them says otherwise. */
export interface RuntimeOptions extends Omit<CallOptions, 'signal' | 'idempotencyKey' | 'journal' | 'traceId'> {
  readonly tools?: readonly unknown[] | undefined
  readonly peers?: readonly PeerTools[] | undefined
}

export interface Runtime {
  /** Resolves the tools anew: providers are asked for every run. */
  readonly resolve: () => Promise<ToolResolution>
  /** What to send to a model. */
  readonly specifications: () => Promise<readonly ToolSpecification[]>
  /** Calls a tool with what the runtime holds. */
  readonly call: <I, O>(tool: AgentTool<I, O>, input: NoInfer<I>, options?: CallOptions) => Promise<ToolResult<O>>
  /** Calls a registered tool by name with a model's argument text. */
  readonly callByName: (name: string, argumentsText: string, options?: CallOptions) => Promise<ToolResult>
}

/**
 * Holds what calls share: tools, services, secrets, the reviewer, the policy, listeners, a logger, a default deadline.
 * @example
 * const runtime = createRuntime({ tools: [orders], services: { db }, review: consoleReview() })
 * const result = await runtime.call(orders, { email: 'ada@example.com' })
 */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const { tools = [], peers, ...shared } = options
  const resolved = (): Promise<ToolResolution> => resolve(tools, { peers })
  return {
    resolve: resolved,
    specifications: async () => (await resolved()).specifications,
    call: (given, input, own) => given.call(input, merged(shared, own)),
    callByName: async (name, argumentsText, own) => {
      const all = merged(shared, own)
      const resolution = await resolved().catch((error: unknown) => failedResolution(error))
      if (all.log?.isLevelEnabled?.('trace') === true) {
        for (const specification of resolution.specifications) all.log.trace({ specification }, `specification of ${specification.name}`)
      }
      return resolution.call(name, argumentsText, all)
    },
  }
}

/** A provider that is down is a failure of this call; a list that is wrong is a mistake in the program. */
function failedResolution(error: unknown): Promise<ToolResolution> {
  if (isConfigurationError(error)) throw error
  const provider = tool({
    name: 'tool_provider',
    description: 'Answers for a provider of tools that failed.',
    effect: 'read',
    execute: () => {
      throw error
    },
  })
  return Promise.resolve({
    tools: [],
    specifications: [],
    get: () => undefined,
    call: (_name, _text, options) => provider.call('', options),
  })
}

/** A call's own word counts; listeners and services add up. */
function merged(shared: CallOptions, own: CallOptions | undefined): CallOptions {
  if (own === undefined) return shared
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as CallOptions
  return { ...shared, ...given, on: [...listOf(shared.on), ...listOf(own.on)], services: { ...shared.services, ...own.services } }
}

function listOf(on: CallOptions['on']): readonly Listener[] {
  if (on === undefined) return []
  return (Array.isArray as (value: unknown) => value is readonly Listener[])(on) ? on : [on]
}
