import type {
  ListResourcesRequest,
  ListResourcesResult,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ReadResourceRequest,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'
import { quote } from '../../schema/quote.ts'
import { wrongOption } from '../../tool/errors/wrong-option.ts'
import type { Logger } from '../../tool/ports/logger.ts'
import type { Principal } from '../../tool/principal.ts'
import { guarded } from './guarded.ts'
import { listPage } from './list-page.ts'
import type { McpLibrary } from './load-mcp.ts'
import { mcpCallerOf } from './mcp-caller.ts'

/** Who asks for a resource. */
export interface McpResourceContext {
  readonly principal: Principal | undefined
  /** Aborts when the client does not want the answer any more. */
  readonly signal: AbortSignal
}

/** A thing that a client can read. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
  /** Of the whole content, in bytes. */
  readonly size?: number | undefined
}

/** Things that a client can read by filling in a URI, as RFC 6570 has it: `orders://{id}`. */
export interface McpResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
}

/** A content: text, or bytes. */
export interface McpResourceContent {
  /** That of the request by default. */
  readonly uri?: string | undefined
  readonly mimeType?: string | undefined
  readonly text?: string | undefined
  readonly bytes?: Uint8Array | undefined
}

type Given<T> = T | Promise<T>

/** Offers resources, such as the files that tools have stored. It sees who asks, and shows each what is theirs. */
export interface McpResources {
  readonly list?: ((context: McpResourceContext) => Given<readonly McpResource[]>) | undefined
  readonly templates?: ((context: McpResourceContext) => Given<readonly McpResourceTemplate[]>) | undefined
  /** Undefined where there is no such resource, or it is none of the caller's affair. */
  readonly read: (uri: string, context: McpResourceContext) => Given<McpResourceContent | readonly McpResourceContent[] | undefined>
}

export function checkResources(resources: McpResources | undefined): void {
  if (resources !== undefined && typeof resources.read !== 'function')
    throw wrongOption('resources', 'an MCP server', `an object with a function 'read', not ${quote(resources)}`)
}

export interface ResourceServing {
  readonly mcp: McpLibrary
  readonly resources: McpResources
  /** Of requests that name no caller. */
  readonly principal: Principal | undefined
  readonly log: Logger | undefined
  readonly pageSize: number
}

/** Lets a server answer what is asked about resources. */
export function serveResources(server: Server, { mcp, resources, principal, log, pageSize: size }: ResourceServing): void {
  const guard = { mcp, log }
  const contextOf = (context: ServerContext): McpResourceContext => ({
    principal: mcpCallerOf(context)?.principal ?? principal,
    signal: context.mcpReq.signal,
  })
  const list = async ({ params }: ListResourcesRequest, context: ServerContext): Promise<ListResourcesResult> => {
    const all = ((await resources.list?.(contextOf(context))) ?? []) as readonly Resource[]
    const { items, ...more } = listPage(mcp, all, { cursor: params?.cursor, size, nameOf: ({ uri }) => uri })
    return { resources: [...items], ...more }
  }
  const templates = async ({ params }: ListResourceTemplatesRequest, context: ServerContext): Promise<ListResourceTemplatesResult> => {
    const all = ((await resources.templates?.(contextOf(context))) ?? []) as readonly ResourceTemplateType[]
    const { items, ...more } = listPage(mcp, all, { cursor: params?.cursor, size, nameOf: ({ uriTemplate }) => uriTemplate })
    return { resourceTemplates: [...items], ...more }
  }
  const read = async ({ params: { uri } }: ReadResourceRequest, context: ServerContext): Promise<ReadResourceResult> => {
    const found = await resources.read(uri, contextOf(context))
    if (found === undefined) throw new mcp.ResourceNotFoundError(uri)
    return { contents: [found].flat().map((each) => contentOf(uri, each)) }
  }
  server.setRequestHandler('resources/list', guarded(guard, list))
  server.setRequestHandler('resources/templates/list', guarded(guard, templates))
  server.setRequestHandler('resources/read', guarded(guard, read))
}

function contentOf(asked: string, { uri = asked, mimeType, text, bytes }: McpResourceContent): ReadResourceResult['contents'][number] {
  const about = mimeType === undefined ? { uri } : { uri, mimeType }
  return bytes === undefined ? { ...about, text: text ?? '' } : { ...about, blob: Buffer.from(bytes).toString('base64') }
}
