import type { AnySchema } from '../schema/schema-types.ts'
import { approvalRule, type RequireApproval } from '../tool/approval-rule.ts'
import type { Duration } from '../tool/duration.ts'
import { isRecord } from '../schema/json-schema.ts'
import { checkEstimates, type Metadata, METADATA_NAMES } from '../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** Metadata that the description of a tool on an MCP server does not have, or that you do not take from the server. */
export interface McpToolMetadata extends Metadata {
  /** A person is asked before every call, or when the predicate says so. */
  readonly requireApproval?: RequireApproval<Readonly<Record<string, unknown>>> | undefined
  /** The shape that you rely on. It is checked after the server's own schema, and gives the output its type. */
  readonly outputSchema?: AnySchema | undefined
}

/** The description of a tool as the server gives it, for a predicate. It is data of a stranger. */
export interface McpToolDescription {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly annotations?: Readonly<Record<string, unknown>> | undefined
}

/** Some tools of a server: by their names there, or by a predicate. */
export type McpToolChoice = readonly string[] | ((tool: McpToolDescription) => boolean)

/** The hash of each tool of a server, by its name there. */
export type McpPins = Readonly<Record<string, string>>

/** Which tools are taken from an MCP server, and how they are treated. */
export interface McpImportOptions<M = Readonly<Record<string, McpToolMetadata>>> {
  /** Only these tools. */
  readonly include?: McpToolChoice | undefined
  /** All but these. */
  readonly exclude?: McpToolChoice | undefined
  /** Stands before the name of each tool: `files` makes `files_read`. Of several servers the name of the server, of a single one nothing; `''` for none. */
  readonly prefix?: string | undefined
  /** By the names of the tools on the server. It counts more than what the server says. */
  readonly metadata?: M | undefined
  /** Takes the server's word for what its tools do: a read-only hint makes a `read`. Without it, every tool counts as irreversible. */
  readonly trustAnnotations?: boolean | undefined
  /** The hashes of the tools that you have looked at. A tool with another hash, or with none, is refused. */
  readonly pins?: McpPins | undefined
  /**
   * A file that keeps what the server says of its tools: it is written when the list is read. While the server cannot be reached, its tools are
   * those of the file, so that a program that composes them starts, and their calls fail until the server is back.
   */
  readonly toolsFile?: string | undefined
  /**
   * Whether the server may ask a person through the reviewer of a call; true by default. With `false` the server is told that nobody can be asked here: a
   * Toolwright server whose runs are durable then gives a receipt, and people decide there.
   */
  readonly elicitation?: boolean | undefined
  /**
   * Say it where you know that the server speaks this revision: it is not asked for the newer one. Some programs end without a word when they are
   * asked, and are then started a second time.
   */
  readonly revision?: '2025-11-25' | undefined
  /** How long it may take to connect and to list the tools; 30 s by default. */
  readonly connectTimeout?: Duration | undefined
  /** The most tools that are taken; 1,000 by default. */
  readonly maxTools?: number | undefined
  /** The longest message that is read; 10 MB by default. */
  readonly maxBytes?: number | undefined
}

/** A server that is started as a program and speaks over its standard input and output. */
export interface McpProgram {
  readonly type?: 'stdio' | undefined
  readonly command: string
  readonly args?: readonly string[] | undefined
  /** The program gets these, and of the environment only what every program needs, such as PATH and HOME. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  readonly url?: undefined
}

/** A server at an address, over streamable HTTP. */
export interface McpEndpoint {
  readonly type?: 'http' | 'streamable-http' | undefined
  readonly url: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly command?: undefined
}

/** An MCP server in the format of desktop clients, with the rules for its tools. `${NAME}` stands for a variable of the environment. */
export type McpServerEntry = (McpProgram | McpEndpoint) &
  McpImportOptions & {
    /** It stays in the file, and is not started. */
    readonly disabled?: boolean | undefined
  }

/** MCP servers by name. */
export type McpServerEntries = Readonly<Record<string, McpServerEntry>>

/** Which names the options of an import have. */
export const IMPORT_NAMES: Readonly<Record<keyof McpImportOptions, true>> = {
  include: true,
  exclude: true,
  prefix: true,
  metadata: true,
  trustAnnotations: true,
  pins: true,
  toolsFile: true,
  elicitation: true,
  revision: true,
  connectTimeout: true,
  maxTools: true,
  maxBytes: true,
}

/** Which names the options of a program or an address have. */
export const TARGET_NAMES: Readonly<Record<keyof McpProgram | keyof McpEndpoint, true>> = {
  type: true,
  command: true,
  args: true,
  env: true,
  cwd: true,
  url: true,
  headers: true,
}

const TOOL_NAMES = optionNames<McpToolMetadata>({ ...METADATA_NAMES, requireApproval: true, outputSchema: true })
const ENTRY_NAMES = Object.keys({ ...IMPORT_NAMES, ...TARGET_NAMES, disabled: true })

/** Throws where a name among the options of a server is not known. What is no object is left to the connection. */
export function checkEntryNames(entries: unknown): void {
  for (const [name, entry] of isRecord(entries) ? Object.entries(entries) : []) {
    if (!isRecord(entry)) continue
    checkOptionNames(entry, ENTRY_NAMES, `The options of MCP server '${name}'`)
    checkToolMetadata(entry['metadata'])
  }
}

/** Throws where the metadata of a tool are wrong. */
export function checkToolMetadata(metadata: unknown): void {
  for (const [name, each] of isRecord(metadata) ? Object.entries(metadata) : []) {
    checkOptionNames(each, TOOL_NAMES, `The metadata of tool '${name}'`)
    const { requireApproval, estimates } = each as McpToolMetadata
    approvalRule(requireApproval, name)
    checkEstimates(estimates, `tool '${name}'`)
  }
}
