import { randomBytes } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/server'
import { warnOfGates, warnOfUnreachable } from '../../plan/gates.ts'
import type { DialectTarget } from '../../schema/dialects/dialect-rules.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import { shareOverrides } from '../../tool/overrides.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { offeredTools } from '../../tool/resolve/offered-tools.ts'
import { type PeerTools, resolve } from '../../tool/resolve/resolve.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { describeTool } from './describe-tool.ts'
import { loadMcp } from './load-mcp.ts'
import { OpenCalls } from './open-calls.ts'
import { type CallState, hasForms, Serving } from './serving.ts'

/** What is served, and what its calls share. */
export interface McpServerOptions extends Omit<CallOptions, 'signal' | 'idempotencyKey' | 'journal' | 'traceId'> {
  readonly tools: readonly unknown[]
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
  /** Cancels all calls, whether they run or wait for people, for good. */
  readonly close: () => void
}

const TEN_MINUTES = 600_000

/**
 * Makes servers that speak the Model Context Protocol, revisions 2025-11-25 and 2026-07-28. A gate becomes an elicitation: the client asks its
 * user. With a `review` of your own, that one is asked instead.
 * @example
 * const { newServer } = await createMcpServer({ tools: [orders], name: 'orders' })
 * const server = newServer() // server.connect(transport)
 */
export async function createMcpServer(options: McpServerOptions): Promise<McpTools> {
  const {
    tools,
    peers,
    name = 'toolwright',
    version = '0.0.0',
    instructions,
    dialect = 'mcp',
    approvalTimeout = TEN_MINUTES,
    ...shared
  } = options
  const waitMs = toMilliseconds(approvalTimeout, 'approvalTimeout')
  const resolution = await resolve(tools, { peers })
  // Which tools are strict, and how many, is the client's matter.
  const offered = new Map(resolution.tools.flatMap((tool) => [...offeredTools([tool], dialect)]))
  foreseeApprovals(resolution.tools, shared)
  shareOverrides(shared.overrides, resolution.tools)
  const mcp = await loadMcp()
  const state = mcp.createRequestStateCodec<CallState>({
    key: randomBytes(32),
    ttlSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    bind: ({ mcpReq, http }) => `${mcpReq.method}\n${http?.authInfo?.clientId ?? ''}`,
  })
  const calls = new OpenCalls(waitMs, shared.clock)
  const newServer = (): Server => {
    const server = new mcp.Server(
      { name, version },
      {
        capabilities: { tools: {} },
        ...(instructions === undefined ? {} : { instructions }),
        requestState: { verify: state.verify },
      },
    )
    server.oninitialized = () => {
      if (shared.review === undefined && !hasForms(server.getClientCapabilities()))
        warnOfGates(resolution.tools, {
          log: shared.log,
          who: 'the client',
          advice: "it does not support elicitation, so such calls are refused. Use another client, or pass a 'review' of your own.",
        })
    }
    const serving = new Serving({ mcp, server, resolution, offered, shared, calls, waitMs, state })
    server.setRequestHandler('tools/list', () => ({
      tools: resolution.tools.map((tool) => describeTool(tool, offered.get(tool.name)?.specification)),
    }))
    server.setRequestHandler('tools/call', ({ params }, context) => serving.call(params, context))
    return server
  }
  return { newServer, close: () => calls.close() }
}

/** Warns of gates that nobody can open, whichever client comes. All calls have the principal of the server. */
function foreseeApprovals(tools: readonly AgentTool[], { review, reviewers, principal, log }: CallOptions): void {
  if (review?.isAbsent === true)
    return warnOfGates(tools, { log, who: 'the server', advice: "pass another 'review', or none, so that the client asks its user." })
  const { deciders, counts } = review ?? ({ deciders: 'unnamed' } satisfies Partial<ReviewHandler>)
  return warnOfUnreachable(tools, { deciders, counts, reviewers, principal, isOpen: false }, log)
}
