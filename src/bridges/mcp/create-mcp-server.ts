import { randomBytes } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/server'
import { warnOfGates, warnOfUnreachable } from '../../plan/gates.ts'
import type { DialectTarget } from '../../schema/dialects/dialect-rules.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import { checkOptionValues } from '../../tool/engine/check-call-options.ts'
import { shareOverrides } from '../../tool/overrides.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { SHARED_OPTION_NAMES, type SharedCallOptions } from '../../tool/shared-option-names.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { offeredTools } from '../../tool/resolve/offered-tools.ts'
import { type PeerTools, resolve, type ToolResolution } from '../../tool/resolve/resolve.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { warn } from '../../tool/warn.ts'
import { DURABLE_NAMES, type DurableBridgeOptions, durableTools } from '../durable-tools.ts'
import { describeTool } from './describe-tool.ts'
import { DurableServing, readRunState } from './durable-serving.ts'
import { loadMcp } from './load-mcp.ts'
import { OpenCalls } from './open-calls.ts'
import { type CallState, hasForms, Serving } from './serving.ts'

/** What is served, and what its calls share. */
export interface McpServerOptions extends SharedCallOptions, DurableBridgeOptions {
  /** Those of the runtime by default. */
  readonly tools?: readonly unknown[] | undefined
  readonly peers?: readonly PeerTools[] | undefined
  /** `toolwright` by default. */
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** The instructions for the client. */
  readonly instructions?: string | undefined
  /** Rewrites the schemas for the vendor of the client's model. By default (`mcp`) only tuples are respelled, so that old clients read them too. */
  readonly dialect?: DialectTarget | undefined
  /** How long a call waits for the client's user to decide; ten minutes by default. A `review` of your own has its own time. */
  readonly approvalTimeout?: Duration | undefined
}

/** Servers of one set of tools. Calls that wait for people are shared by them: a client may come back over another connection. */
export interface McpTools {
  /** A server for one connection, or for one request where the transport has none. */
  readonly newServer: () => Server
  /** Cancels all calls, whether they run or wait for people, for good. Durable runs go on. */
  readonly close: () => void
}

const NAMES = optionNames<McpServerOptions>({
  ...SHARED_OPTION_NAMES,
  ...DURABLE_NAMES,
  tools: true,
  peers: true,
  name: true,
  version: true,
  instructions: true,
  dialect: true,
  approvalTimeout: true,
})

const TEN_MINUTES = 600_000

/**
 * Makes servers that speak the Model Context Protocol, revisions 2025-11-25 and 2026-07-28. A gate becomes an elicitation: the client asks its
 * user. With a `review` of your own, that one is asked instead.
 * @example
 * const { newServer } = await createMcpServer({ tools: [orders], name: 'orders' })
 * const server = newServer() // server.connect(transport)
 */
export function createMcpServer(options: McpServerOptions): Promise<McpTools> {
  return mcpToolsFor(options)
}

/** The same for a transport with one client. */
export async function mcpToolsFor(options: McpServerOptions, client?: string): Promise<McpTools> {
  checkOptionNames(options, NAMES, 'The options of an MCP server')
  const {
    tools,
    peers,
    runtime,
    durable: whichDurable,
    patience,
    name = 'toolwright',
    version = '0.0.0',
    instructions,
    dialect = 'mcp',
    approvalTimeout = TEN_MINUTES,
    ...shared
  } = options
  checkOptionValues(shared)
  const waitMs = toMilliseconds(approvalTimeout, 'approvalTimeout')
  const given = await resolvedTools({ tools, peers, runtime })
  const named = new Map(given.tools.map((each) => [each.name, each]))
  const durable = durableTools(named, { runtime, durable: whichDurable, patience, bridge: 'createMcpServer', shared })
  const resolution = durable.status === undefined ? given : await resolve([...given.tools, durable.status])
  // Which tools are strict, and how many, is the client's matter.
  const offered = new Map(resolution.tools.flatMap((tool) => [...offeredTools([tool], dialect)]))
  // Durable runs ask in their inbox.
  const asking = given.tools.filter((each) => durable.of(each) === undefined)
  foreseeApprovals(asking, shared)
  shareOverrides(shared.overrides, given.tools)
  const mcp = await loadMcp()
  // Runs that were left by another process go on.
  for (const each of durable.runtimes)
    void each.runs().catch((error: unknown) => warn(shared.log, `The durable runs cannot be opened: ${String(error)}`))
  const state = mcp.createRequestStateCodec<CallState>({
    key: randomBytes(32),
    ttlSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    bind: ({ mcpReq, http }) => `${mcpReq.method}\n${http?.authInfo?.clientId ?? ''}`,
  })
  const calls = new OpenCalls(waitMs, shared.clock)
  const closing = new AbortController()
  const durableServing = new DurableServing({ mcp, durable, offered, shared, waitMs, client, closing: closing.signal })
  const newServer = (): Server => {
    const server = new mcp.Server(
      { name, version },
      {
        capabilities: { tools: {} },
        ...(instructions === undefined ? {} : { instructions }),
        requestState: { verify: async (text, context) => readRunState(text) ?? state.verify(text, context) },
      },
    )
    server.oninitialized = () => {
      if (shared.review === undefined && !hasForms(server.getClientCapabilities()))
        warnOfGates(asking, {
          log: shared.log,
          who: 'the client',
          advice: "it does not support elicitation, so such calls are refused. Use another client, or pass a 'review' of your own.",
        })
    }
    const serving = new Serving({ mcp, server, resolution, offered, shared, runtime, calls, durable: durableServing, waitMs, state })
    server.setRequestHandler('tools/list', () => ({
      tools: resolution.tools.map((tool) => describeTool(tool, offered.get(tool.name)?.specification)),
    }))
    server.setRequestHandler('tools/call', ({ params }, context) => serving.call(params, context))
    return server
  }
  const close = (): void => {
    calls.close()
    closing.abort(new DOMException('The client has gone.', 'AbortError'))
  }
  return { newServer, close }
}

/** The objects of the runtime, if its tools are served: a durable run begins with a registered tool only. */
function resolvedTools({ tools, peers, runtime }: Pick<McpServerOptions, 'tools' | 'peers' | 'runtime'>): Promise<ToolResolution> {
  if (tools !== undefined) return resolve(tools, { peers })
  if (runtime !== undefined) return runtime.registered()
  throw new ConfigurationError('invalid_option', "createMcpServer needs 'tools', or a 'runtime' with tools.")
}

/** Warns of gates that nobody can open, whichever client comes. All calls have the principal of the server. */
function foreseeApprovals(tools: readonly AgentTool[], { review, reviewers, principal, log }: CallOptions): void {
  if (review?.isAbsent === true)
    return warnOfGates(tools, { log, who: 'the server', advice: "pass another 'review', or none, so that the client asks its user." })
  const { deciders, counts } = review ?? ({ deciders: 'unnamed' } satisfies Partial<ReviewHandler>)
  return warnOfUnreachable(tools, { deciders, counts, reviewers, principal, isOpen: false }, log)
}
