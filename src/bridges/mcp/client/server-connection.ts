import type { McpImportOptions } from '../../../runtime/mcp-server-entry.ts'
import { isUpstreamStatus, UpstreamRuns } from '../../../runtime/upstream-status.ts'
import { didYouMean } from '../../../schema/did-you-mean.ts'
import { nearestNames } from '../../../schema/nearest-names.ts'
import { excerpt } from '../../../schema/quote.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { classifyError } from '../../../tool/errors/classify-error.ts'
import { ConfigurationError, isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { reasonOf } from '../../../tool/errors/message-of.ts'
import { isToolError, ToolError } from '../../../tool/errors/tool-error.ts'
import type { CancelTimer, Clock } from '../../../tool/ports/clock.ts'
import { printable } from '../../../tool/printable.ts'
import { type Catalogue, catalogueOf, type CatalogueRules, EMPTY_CATALOGUE } from './catalogue.ts'
import type { CheckedConnection } from './check-connection.ts'
import type { McpConnection, McpServerInfo } from './connect-mcp.ts'
import type { McpFinding } from './finding.ts'
import type { McpInput } from './mcp-input.ts'
import { listDefinitions } from './list-definitions.ts'
import { loadMcpClient } from './load-mcp-client.ts'
import { LinkOpener } from './open-link.ts'
import { readableText } from './readable-text.ts'
import { isAnswer, isUnreached } from './sent-outcome.ts'
import { type OpenLink, ServerLink } from './server-link.ts'
import { ServerNotes } from './server-notes.ts'
import { type KnownTools, ToolsFile } from './tools-file.ts'
import type { McpToolDefinition } from './tool-definition.ts'
import { callUpstream, type UpstreamCall, type UpstreamCalls } from './upstream-call.ts'
import { shownAddress, targetSecrets } from './target-secrets.ts'
import { UpstreamQuestions } from './upstream-questions.ts'
import { UpstreamSecrets } from './upstream-secrets.ts'
import { UpstreamSubscription } from './upstream-subscription.ts'

/** Changes that a server reports are gathered for so long: a server may report thousands. */
const GATHER_MS = 200
const LONGEST_INSTRUCTIONS = 8000
const LONGEST_NAME = 64
const LONGEST_REASON = 1000
/** For one call. */
const MOST_READINGS = 3

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
  /** How many changes the server has reported. */
  #changes = 0
  readonly #subscription: UpstreamSubscription
  readonly #toolsFile: ToolsFile | undefined
  readonly #runs = new UpstreamRuns(() => [...this.#catalogue.entries.values()].find(({ tool }) => isUpstreamStatus(tool))?.tool)
  /** Which connection the tools were read on, and after how many changes. */
  #read: { readonly on: OpenLink; readonly after: number } | undefined

  constructor(setting: CheckedConnection) {
    this.#setting = setting
    this.#clock = setting.clock
    this.#name = setting.name
    const { clock, random, connectMs, toolsFile } = setting
    this.#toolsFile = toolsFile === undefined ? undefined : new ToolsFile(toolsFile, setting.name)
    this.#subscription = new UpstreamSubscription({
      clock,
      random,
      connectMs,
      isCurrent: (link) => this.#link?.current === link,
      outside: (work) => (this.#questions === undefined ? work() : this.#questions.outside(work)),
      // What has changed meanwhile is not known: nothing is called before the list is read.
      onEnd: () => void this.#changes++,
      onOpen: () => {
        this.#link?.answered()
        return this.refresh()
      },
    })
  }

  get name(): string {
    return this.#name
  }

  /** Connects and reads the list of tools. After a failure it may be called again. */
  async open(): Promise<void> {
    this.#link ??= await this.#newLink()
    await this.refresh()
  }

  /** Takes the tools that the file knows, until the server was reached. Gives how it went; undefined where there is no file. */
  async recall(): Promise<KnownTools | undefined> {
    const known = await this.#toolsFile?.read()
    if (known === undefined || 'problem' in known) return known
    const before = this.#seen()
    this.#catalogue = catalogueOf({ tools: known.tools.slice(0, this.#setting.maxTools) }, this.#rules(), EMPTY_CATALOGUE)
    this.#tellSince(before)
    return known
  }

  async #newLink(): Promise<ServerLink> {
    const { target, connectMs, maxBytes, log, sampling, roots, elicitation, isLegacy, secrets, random } = this.#setting
    const mcp = await loadMcpClient()
    const notes = new ServerNotes(this.#name, log, secrets)
    const questions = new UpstreamQuestions(this.#name, { warn: (message) => notes.warn(message), clock: this.#clock })
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
      secrets: new UpstreamSecrets(targetSecrets(target)),
      sampling,
      roots,
      elicitation,
      isLegacy,
      onListChanged: () => {
        this.#changes++
        this.#gather()
      },
    })
    const address = target.command === undefined ? shownAddress(target.url) : undefined
    return new ServerLink({ server: this.#name, address, clock: this.#clock, random, open: (signal) => opener.open(signal) })
  }

  /** Reads the list again, once for all who ask meanwhile. The tools change in one step. */
  refresh(): Promise<void> {
    this.#reading ??= this.#readList().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readList(): Promise<void> {
    const { maxTools, connectMs } = this.#setting
    const link = this.#link
    if (link === undefined) return
    const on = await link.connected()
    this.#subscription.follow(on)
    const { client } = on
    const after = this.#changes
    const before = this.#seen()
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
      this.#read = { on, after }
      await this.#keep()
    } catch (error) {
      this.#listProblem = {
        severity: 'warning',
        code: 'list_failed',
        server: this.#name,
        message: `The tools of MCP server '${this.#name}' could not be listed: ${printable(excerpt(reasonOf(error), LONGEST_REASON))}`,
        hint: 'The tools that were known before are kept. Call refresh, or look at the server.',
      }
      if (isUnreached(error)) await link.unreached(on, reasonOf(error))
      throw isToolError(error) || isConfigurationError(error) ? error : this.#unread(reasonOf(error), error)
    } finally {
      stop()
      this.#tellSince(before)
    }
  }

  /** What the file knows is for the next start: that it cannot be written stops nothing here. */
  async #keep(): Promise<void> {
    await this.#toolsFile?.write(this.#catalogue.told).catch((error: unknown) => {
      const reason = printable(excerpt(reasonOf(error), LONGEST_REASON))
      this.#setting.log?.warn({ mcpServer: this.#name }, `The tools of MCP server '${this.#name}' are not kept: ${reason}`)
    })
  }

  #rules(): CatalogueRules {
    const rules: McpImportOptions = this.#setting.rules
    return {
      ...rules,
      prefix: rules.prefix ?? '',
      server: this.#name,
      runs: this.#runs,
      asksHere: this.#setting.elicitation,
      call: (call) => this.#call(call),
    }
  }

  #call(call: UpstreamCall): ReturnType<typeof callUpstream> {
    const { definition } = call
    this.#checkUnchanged(definition)
    const [link, questions] = [this.#link, this.#questions]
    if (link === undefined || questions === undefined) throw this.#gone(definition.name)
    const ready = async (): Promise<OpenLink> => {
      const open = await this.#upToDate(link)
      this.#checkUnchanged(definition)
      return open
    }
    const isGone: UpstreamCalls['isGone'] = ({ name }, open) => this.#isGone(name, open)
    return callUpstream({ server: this.#name, link, questions, ready, isGone }, call)
  }

  /** A list that began to be read before does not count, nor one of another connection: the server may have been started anew. */
  async #isGone(name: string, open: OpenLink): Promise<boolean> {
    await this.#reading?.catch(() => {})
    if (this.#link?.current !== open) return false
    await this.refresh()
    const { isWhole, names } = this.#catalogue
    return this.#read?.on === open && isWhole && !names.has(name)
  }

  #checkUnchanged({ name, hash }: McpToolDefinition): void {
    if (this.#catalogue.entries.get(name)?.definition.hash !== hash) throw this.#gone(name)
  }

  /** A server that was started anew, or that reports a change, may have other tools under the same names: they are read before anything is sent. */
  async #upToDate(link: ServerLink): Promise<OpenLink> {
    const changes = this.#changes
    for (let readings = 0; ; readings++) {
      const open = await link.connected()
      if (this.#read?.on === open && this.#read.after >= changes) return open
      if (readings === MOST_READINGS) throw this.#unread('the connection is lost again and again')
      try {
        await this.refresh()
      } catch (error) {
        // A reading that had begun on the connection before says nothing about this one.
        if (link.current === open) throw error
      }
    }
  }

  #unread(reason: string, cause?: unknown): ToolError {
    const { code, retryable, retryAfterMs, internal } =
      cause === undefined ? { code: 'service_unavailable', internal: false } : classifyError(cause)
    const text = printable(excerpt(reason, LONGEST_REASON))
    return new ToolError(`The tools of MCP server '${this.#name}' could not be listed: ${text}`, {
      code,
      retryable,
      retryAfterMs,
      outcome: 'not_started',
      internal: internal || (cause !== undefined && !isAnswer(cause)),
      cause,
    })
  }

  /** The tool was taken from a list that the server has replaced since. */
  #gone(name: string): ToolError {
    const label = printable(name.slice(0, LONGEST_NAME))
    if (!this.#catalogue.definitions.has(name))
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
          // A call may have read it meanwhile.
          const isRead = this.#read?.after === this.#changes
          return isRead || this.#closing.signal.aborted ? undefined : this.refresh()
        })
        // It is a finding.
        .catch(() => {})
    })
  }

  #seen(): Seen {
    return { tools: this.tools(), findings: JSON.stringify(this.findings()) }
  }

  /** A list that says the same again is no change: a tool of which nothing has changed is the same object. */
  #tellSince({ tools, findings }: Seen): void {
    const now = this.#seen()
    const isSame = findings === now.findings && tools.length === now.tools.length && tools.every((each, at) => each === now.tools[at])
    if (!isSame) for (const each of this.#listeners) each()
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The connection was closed by this program.'))
    this.#gathering?.()
    this.#subscription.close()
    await this.#link?.close()
  }

  tools(): readonly AgentTool[] {
    return [...this.#catalogue.entries.values()].flatMap(({ tool, isChosen }) => (isChosen ? [tool] : []))
  }

  findings(): readonly McpFinding[] {
    return this.#listProblem === undefined ? this.#catalogue.findings : [...this.#catalogue.findings, this.#listProblem]
  }

  pins(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#catalogue.definitions].map(([name, { hash }]) => [name, hash]))
  }

  #tool(name: string): AgentTool<McpInput> {
    const found = this.#catalogue.entries.get(name)
    if (found?.isChosen === true) return found.tool
    const about = this.#catalogue.findings.find((each) => each.tool === name && each.code !== 'unknown_name')
    if (about !== undefined) throw new ConfigurationError('not_a_tool', `${about.message} ${about.hint}`)
    const names = [...this.#catalogue.entries].flatMap(([each, { isChosen }]) => (isChosen ? [printable(each)] : []))
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
      definitions: () => structuredClone([...this.#catalogue.definitions.values()]),
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

/** What those who listen can see of a connection. */
interface Seen {
  readonly tools: readonly AgentTool[]
  readonly findings: string
}

function shortLabel(text: string): string {
  return printable(text.slice(0, LONGEST_NAME))
}

function optionalText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : readableText(text, LONGEST_INSTRUCTIONS)
}
