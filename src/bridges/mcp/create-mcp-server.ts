import { randomBytes } from 'node:crypto'
import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  ListToolsRequest,
  ListToolsResult,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'
import { warnOfGates, warnOfUnreachable } from '../../plan/gates.ts'
import { RoutedResults } from '../routed-results.ts'
import type { OutputRouter } from '../../context/output-router.ts'
import type { DialectTarget } from '../../schema/dialects/dialect-rules.ts'
import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import { checkOptionValues } from '../../tool/engine/check-call-options.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { wrongOption } from '../../tool/errors/wrong-option.ts'
import { shareOverrides } from '../../tool/overrides.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { PeerTools } from '../../tool/resolve/resolve.ts'
import { NameMemory } from '../../tool/resolve/settle-names.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { SHARED_OPTION_NAMES, type SharedCallOptions } from '../../tool/shared-option-names.ts'
import { warn } from '../../tool/warn.ts'
import { DURABLE_NAMES, type DurableBridgeOptions } from '../durable-tools.ts'
import { HeldBytes } from '../held-bytes.ts'
import { DurableServing, readRunState } from './durable-serving.ts'
import { guarded } from './guarded.ts'
import { listPage } from './list-page.ts'
import { loadMcp, type McpLibrary } from './load-mcp.ts'
import { callerKey, clientOf, mcpCallerOf } from './mcp-caller.ts'
import { OpenCalls } from './open-calls.ts'
import { checkResources, type McpResources, serveResources } from './resources.ts'
import { ServedCatalog } from './served-catalog.ts'
import { FoundTools } from './found-tools.ts'
import { type McpSelectOptions, ToolSelection } from './tool-selection.ts'
import { failedCall } from './call-result.ts'
import { foundNames } from '../../select/search-tool.ts'
import type { Principal } from '../../tool/principal.ts'
import { type CallState, hasForms, isSigned, Serving } from './serving.ts'
import { type McpWaitingLimits, waitingLimits } from './waiting-limits.ts'
import { type CatalogOptions, type CurrentCatalog, type ToolCatalog, toolCatalog } from './tool-catalog.ts'

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
  /** Decides what of each output a client gets. Results have no structured content then, and `read_output` is served too. */
  readonly router?: OutputRouter | undefined
  /** How long a call waits for the client's user to decide; ten minutes by default. A `review` of your own has its own time. */
  readonly approvalTimeout?: Duration | undefined
  /** How many calls may wait for people in memory, and how much they may hold. */
  readonly waiting?: McpWaitingLimits | undefined
  /** How many tools or resources one page of a list has; 1000 by default, since many clients read the first page only. */
  readonly pageSize?: number | undefined
  /** What clients can read besides calling tools. */
  readonly resources?: McpResources | undefined
  /**
   * Lists `search_tools` and `call_tool` in place of the tools, which clients then find and call by these: for servers with more tools than a
   * model should read.
   */
  readonly select?: boolean | McpSelectOptions | undefined
  /**
   * Called with each server before it is connected: add prompts, completions or logging with the methods of
   * `@modelcontextprotocol/server`. The handlers of the tools are given too, so that others can stand in front of them.
   */
  readonly onServer?: ((server: Server, tools: McpToolHandlers) => void) | undefined
}

/** How a server answers `tools/list` and `tools/call`. */
export interface McpToolHandlers {
  /** The context tells who asks: with `select`, callers are told only of tools that they may call. */
  readonly list: (request: ListToolsRequest, context?: ServerContext) => ListToolsResult
  readonly call: (request: CallToolRequest, context: ServerContext) => Promise<CallToolResult | InputRequiredResult>
}

/** Servers of one set of tools. Calls that wait for people are shared by them: a client may come back over another connection. */
export interface McpTools {
  /** A server for one connection, or for one request where the transport has none. */
  readonly newServer: () => Server
  /** Serves these tools from now on, and tells the clients. Calls that have begun go on. */
  readonly setTools: (tools: readonly unknown[]) => Promise<void>
  /**
   * Asks the providers among the tools, or those of the runtime, again, and tells the clients if anything has changed. A connection to another
   * server reads its list.
   */
  readonly refresh: () => Promise<void>
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
  router: true,
  approvalTimeout: true,
  waiting: true,
  pageSize: true,
  resources: true,
  select: true,
  onServer: true,
})

const TEN_MINUTES = 600_000
const PAGE_SIZE = 1000

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

/** The same as a transport of ours uses it. */
export interface ServedTools extends McpTools {
  readonly mcp: McpLibrary
  readonly catalog: CurrentCatalog
  /** Callers are told only of tools that they may call. */
  readonly hidesTools: boolean
  /** Called when the list of tools has changed, besides the connected servers. */
  readonly onChange: (listener: () => void) => void
}

interface Transporting {
  /** The client, where a transport has only one. */
  readonly client?: string | undefined
  /** The options of the transport, for messages about misspelt ones. */
  readonly also?: readonly string[] | undefined
}

/** The same for a transport of ours. */
export async function mcpToolsFor(options: McpServerOptions, { client, also = [] }: Transporting = {}): Promise<ServedTools> {
  checkOptionNames(options, [...NAMES, ...also], 'The options of an MCP server')
  const {
    tools,
    peers,
    runtime,
    durable,
    patience,
    name = 'toolwright',
    version = '0.0.0',
    instructions,
    dialect = 'mcp',
    router,
    approvalTimeout = TEN_MINUTES,
    pageSize = PAGE_SIZE,
    waiting: givenWaiting,
    resources,
    select,
    onServer,
    ...shared
  } = options
  checkOptionValues(shared)
  checkResources(resources)
  if (!Number.isSafeInteger(pageSize) || pageSize < 1)
    throw wrongOption('pageSize', 'an MCP server', `a whole number of at least 1, not ${quote(pageSize)}`)
  const waitMs = toMilliseconds(approvalTimeout, 'approvalTimeout')
  const routed = new RoutedResults({ router, runtime }, 'createMcpServer')
  const selection = await ToolSelection.of(select, (tool) => catalog.now.offered.get(tool.name)?.specification ?? tool.specification)
  const sources: CatalogOptions = { selection, peers, runtime, durable, patience, dialect, shared, routed, names: new NameMemory() }
  const prepare = async (given: CatalogOptions): Promise<ToolCatalog> => {
    const prepared = await preparedCatalog(given)
    await selection?.follow(prepared.given)
    return prepared
  }
  const catalog: ServedCatalog = await ServedCatalog.of({ sources: { ...sources, tools }, prepare })
  const principalOf = (context: ServerContext | undefined): Principal | undefined => {
    const caller = context === undefined ? undefined : mcpCallerOf(context)
    return caller === undefined ? (shared.principal ?? runtime?.caller.principal) : caller.principal
  }
  const mcp = await loadMcp()
  const state = mcp.createRequestStateCodec<CallState>({
    key: randomBytes(32),
    ttlSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    bind: (context) => `${context.mcpReq.method}\n${clientOf(context) ?? ''}\n${callerKey(mcpCallerOf(context))}`,
  })
  const waiting = waitingLimits(givenWaiting)
  const calls = new OpenCalls(waitMs, shared.clock, waiting)
  const held = new HeldBytes(waiting)
  const closing = new AbortController()
  const durableServing = new DurableServing({ mcp, catalog, shared, routed, waitMs, client, closing: closing.signal })
  // Many clients may come over HTTP, and one of them is enough to say it.
  let isWarned = false
  const newServer = (): Server => {
    const server = new mcp.Server(
      { name, version },
      {
        capabilities: { tools: { listChanged: true }, ...(resources === undefined ? {} : { resources: {} }) },
        ...(instructions === undefined ? {} : { instructions }),
        requestState: {
          verify: async (text, context) => readRunState(text) ?? (isSigned(text) ? state.verify(text, context) : { foreign: text }),
        },
      },
    )
    const found = selection === undefined ? undefined : new FoundTools(selection.most)
    let isConnected = false
    server.oninitialized = () => {
      isConnected = true
      catalog.connected(server)
      if (!isWarned && shared.review === undefined && !hasForms(server.getClientCapabilities())) {
        isWarned = true
        warnOfGates(asking(catalog.now), {
          log: shared.log,
          who: 'the client',
          advice: "it does not support elicitation, so such calls are refused. Use another client, or pass a 'review' of your own.",
        })
      }
    }
    const serving = new Serving({
      mcp,
      server,
      catalog,
      shared,
      routed,
      runtime,
      calls,
      held,
      maxValues: waiting.maxValues,
      durable: durableServing,
      waitMs,
      state,
      onResult: (tool, result) => {
        // Where each request has a server of its own, nobody would ask for its list.
        if (tool !== selection?.search || !result.ok || !isConnected || found?.add(foundNames(result.value)) !== true) return
        server.sendToolListChanged().catch(() => {})
      },
    })
    const handlers: McpToolHandlers = {
      list: ({ params }, context) => {
        const { descriptions } = catalog.now
        const principal = principalOf(context)
        const listed =
          selection && found ? descriptions.filter(({ name: each }) => selection.lists(each, found.names, principal)) : descriptions
        const { items, ...more } = listPage(mcp, listed, { cursor: params?.cursor, size: pageSize, nameOf: (each) => each.name })
        return { tools: [...items], ...more }
      },
      call: guarded({ mcp, log: shared.log }, async ({ params: asked }, context) => {
        const inner = selection?.inner(asked) ?? { params: asked, isInner: false }
        if ('problem' in inner) return failedCall(inner.problem)
        const { params, isInner } = inner
        const principal = principalOf(context)
        const isThere = (): boolean => catalog.now.get(params.name) !== undefined && selection?.sees(params.name, principal) !== false
        if (!isThere()) await catalog.lookFor(params.name)
        if (isThere()) return serving.call(params, context)
        if (isInner && selection !== undefined) return failedCall(selection.unknown(params.name, principal))
        throw serving.unknown(params.name, selection?.namesFor(principal) ?? catalog.now.tools.map((each) => each.name))
      }),
    }
    server.setRequestHandler('tools/list', handlers.list)
    server.setRequestHandler('tools/call', handlers.call)
    if (resources !== undefined) serveResources(server, { mcp, resources, principal: shared.principal, log: shared.log, pageSize })
    onServer?.(server, handlers)
    return server
  }
  const close = (): void => {
    catalog.close()
    calls.close()
    closing.abort(new DOMException('The client has gone.', 'AbortError'))
  }
  return {
    newServer,
    close,
    mcp,
    catalog,
    hidesTools: selection !== undefined,
    setTools: (list) => catalog.set(list),
    refresh: () => catalog.refresh(),
    onChange: (listener) => catalog.onChange(listener),
  }
}

/** The catalog after everything that can be foreseen of its tools is said. */
async function preparedCatalog(options: CatalogOptions): Promise<ToolCatalog> {
  const { shared } = options
  const catalog = await toolCatalog(options)
  foreseeApprovals(asking(catalog), shared)
  shareOverrides(shared.overrides, catalog.given)
  // Runs that were left by another process go on.
  for (const each of catalog.durable.runtimes)
    void each.runs().catch((error: unknown) => warn(shared.log, `The durable runs cannot be opened: ${String(error)}`))
  return catalog
}

/** Durable runs ask in their inbox. */
function asking({ given, durable }: ToolCatalog): readonly AgentTool[] {
  return given.filter((each) => durable.of(each) === undefined)
}

/** Warns of gates that nobody can open, whichever client comes. All calls have the principal of the server. */
function foreseeApprovals(tools: readonly AgentTool[], { review, reviewers, principal, log }: CallOptions): void {
  if (review?.isAbsent === true)
    return warnOfGates(tools, { log, who: 'the server', advice: "pass another 'review', or none, so that the client asks its user." })
  const { deciders, counts } = review ?? ({ deciders: 'unnamed' } satisfies Partial<ReviewHandler>)
  return warnOfUnreachable(tools, { deciders, counts, reviewers, principal, isOpen: false }, log)
}
