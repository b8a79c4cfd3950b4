import type { McpImportOptions } from '../../../runtime/mcp-server-entry.ts'
import { didYouMean } from '../../../schema/did-you-mean.ts'
import { nearestNames } from '../../../schema/nearest-names.ts'
import { excerpt } from '../../../schema/quote.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { reasonOf } from '../../../tool/errors/message-of.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import type { CancelTimer, Clock } from '../../../tool/ports/clock.ts'
import { printable } from '../../../tool/printable.ts'
import { type Catalogue, catalogueOf, type CatalogueRules, EMPTY_CATALOGUE } from './catalogue.ts'
import type { CheckedConnection } from './check-connection.ts'
import type { McpConnection, McpServerInfo } from './connect-mcp.ts'
import type { McpFinding } from './finding.ts'
import type { McpInput } from './imported-tool.ts'
import { listDefinitions } from './list-definitions.ts'
import { loadMcpClient } from './load-mcp-client.ts'
import { LinkOpener } from './open-link.ts'
import { readableText } from './readable-text.ts'
import { ServerLink } from './server-link.ts'
import { ServerNotes } from './server-notes.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { callUpstream } from './upstream-call.ts'
import { UpstreamQuestions } from './upstream-questions.ts'

/** Changes that a server reports are gathered for so long: a server may report thousands. */
const GATHER_MS = 200
const LONGEST_INSTRUCTIONS = 8000
const LONGEST_NAME = 64
const LONGEST_REASON = 1000

/** One server: its connection, and the tools that it has at the moment. */
export class ServerConnection {
  readonly #setting: CheckedConnection
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  readonly #closing = new AbortController()
  readonly #name: string
  #link: ServerLink | undefined
  #questions: UpstreamQuestions | undefined
  #catalogue: Catalogue = EMPTY_CATALOGUE
  #listProblem: McpFinding | undefined
  #info: McpServerInfo | undefined
  #reading: Promise<void> | undefined
  #gathering: CancelTimer | undefined

  constructor(setting: CheckedConnection) {
    this.#setting = setting
    this.#clock = setting.clock
    this.#name = setting.name
  }

  get name(): string {
    return this.#name
  }

  /** Connects and reads the list of tools. After a failure it may be called again. */
  async open(): Promise<void> {
    this.#link ??= await this.#newLink()
    await this.refresh()
  }

  async #newLink(): Promise<ServerLink> {
    const { target, connectMs, maxBytes, log, sampling, roots, elicitation, secrets, random } = this.#setting
    const mcp = await loadMcpClient()
    const notes = new ServerNotes(this.#name, log, secrets)
    const questions = new UpstreamQuestions(this.#name, (message) => notes.warn(message))
    this.#questions = questions
    const opener = new LinkOpener({
      mcp,
      target,
      identity: { name: 'toolwright', version: '0.0.0' },
      clock: this.#clock,
      connectMs,
      maxBytes,
      questions,
      notes,
      sampling,
      roots,
      elicitation,
      onListChanged: () => this.#gather(),
    })
    const onReconnected = (): void => this.#gather()
    return new ServerLink({ server: this.#name, clock: this.#clock, random, open: () => opener.open(), onReconnected })
  }

  /** Reads the list again, once for all who ask meanwhile. The tools change in one step. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    const { maxTools, connectMs } = this.#setting
    const link = this.#link
    if (link === undefined) return
    const { client } = await link.connected()
    const limit = new AbortController()
    const stop = this.#clock.timer(connectMs, () => limit.abort(new Error(`Its list of tools took longer than ${connectMs} ms.`)))
    try {
      const signal = AbortSignal.any([limit.signal, this.#closing.signal])
      const listed = await listDefinitions(client, { maxTools, signal, timeoutMs: connectMs })
      const info = client.getServerVersion()
      this.#info = {
        name: shortLabel(info?.name ?? this.#name),
        version: shortLabel(info?.version ?? ''),
        revision: client.getNegotiatedProtocolVersion() ?? '',
        instructions: optionalText(client.getInstructions()),
      }
      this.#catalogue = catalogueOf(listed, this.#rules(), this.#catalogue)
      this.#listProblem = undefined
    } catch (error) {
      this.#listProblem = {
        severity: 'warning',
        code: 'list_failed',
        server: this.#name,
        message: `The tools of MCP server '${this.#name}' could not be listed: ${printable(excerpt(reasonOf(error), LONGEST_REASON))}`,
        hint: 'The tools that were known before are kept. Call refresh, or look at the server.',
      }
      throw error
    } finally {
      stop()
      this.#tell()
    }
  }

  #rules(): CatalogueRules {
    const rules: McpImportOptions = this.#setting.rules
    return {
      ...rules,
      prefix: rules.prefix ?? '',
      server: this.#name,
      call: (definition, input, context) => this.#call(definition, { input, context }),
    }
  }

  #call(
    definition: ToolDefinition,
    { input, context }: { readonly input: McpInput; readonly context: ToolContext },
  ): ReturnType<typeof callUpstream> {
    const { name, hash } = definition
    const now = this.#catalogue.entries.get(name)
    if (now?.definition.hash !== hash) throw this.#gone(name)
    const [link, questions] = [this.#link, this.#questions]
    if (link === undefined || questions === undefined) throw this.#gone(name)
    return callUpstream({ server: this.#name, link, questions }, { definition, input, context })
  }

  /** The tool was taken from a list that the server has replaced since. */
  #gone(name: string): ToolError {
    const label = printable(name.slice(0, LONGEST_NAME))
    if (!this.#catalogue.hashes.has(name))
      return new ToolError(`MCP server '${this.#name}' has no tool '${label}' any more.`, { code: 'unknown_tool', outcome: 'not_started' })
    return new ToolError(`MCP server '${this.#name}' has changed the description or a schema of tool '${label}'.`, {
      code: 'tool_changed',
      outcome: 'not_started',
    })
  }

  /** A flood of reports is one reading, and never two at a time. */
  #gather(): void {
    if (this.#gathering !== undefined || this.#closing.signal.aborted) return
    this.#gathering = this.#clock.timer(GATHER_MS, () => {
      void Promise.resolve(this.#reading)
        .catch(() => {})
        .then(() => {
          this.#gathering = undefined
          return this.#closing.signal.aborted ? undefined : this.refresh()
        })
        // It is a finding.
        .catch(() => {})
    })
  }

  #tell(): void {
    for (const each of this.#listeners) each()
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The connection was closed by this program.'))
    this.#gathering?.()
    await this.#link?.close()
  }

  tools(): readonly AgentTool[] {
    return [...this.#catalogue.entries.values()].map((each) => each.tool)
  }

  findings(): readonly McpFinding[] {
    return this.#listProblem === undefined ? this.#catalogue.findings : [...this.#catalogue.findings, this.#listProblem]
  }

  pins(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#catalogue.hashes)
  }

  #tool(name: string): AgentTool<McpInput> {
    const found = this.#catalogue.entries.get(name)
    if (found !== undefined) return found.tool
    const about = this.#catalogue.findings.find((each) => each.tool === name && each.code !== 'unknown_name')
    if (about !== undefined) throw new ConfigurationError('not_a_tool', `${about.message} ${about.hint}`)
    const names = [...this.#catalogue.entries.keys()].map(printable)
    const all = names.length === 0 ? 'It has none.' : `It has: ${names.slice(0, 20).join(', ')}.`
    throw new ConfigurationError(
      'not_a_tool',
      `MCP server '${this.#name}' has no tool '${printable(name.slice(0, LONGEST_NAME))}'. ${didYouMean(nearestNames(name, names), all)}`,
    )
  }

  /** What the user sees of it. */
  face(): McpConnection {
    const close = (): Promise<void> => this.close()
    return Object.freeze<McpConnection>({
      name: this.#name,
      tools: () => this.tools(),
      tool: (name) => this.#tool(name),
      findings: () => this.findings(),
      pins: () => this.pins(),
      info: () => this.#info,
      refresh: () => this.refresh(),
      onChange: (listener) => {
        this.#listeners.add(listener)
        return () => void this.#listeners.delete(listener)
      },
      close,
      [Symbol.asyncDispose]: close,
    })
  }
}

function shortLabel(text: string): string {
  return printable(text.slice(0, LONGEST_NAME))
}

function optionalText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : readableText(text, LONGEST_INSTRUCTIONS)
}
