import { ConfigurationError, isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { reasonOf } from '../../../tool/errors/message-of.ts'
import { isToolError } from '../../../tool/errors/tool-error.ts'
import { printable } from '../../../tool/printable.ts'
import { BackgroundAttempts } from './background-attempts.ts'
import type { CheckedConnection } from './check-connection.ts'
import type { McpConnection } from './connect-mcp.ts'
import type { McpFinding } from './finding.ts'
import { ServerConnection } from './server-connection.ts'
import { modelNames } from './tool-definition.ts'

/** A call that looks for a tool waits no longer for a server. */
const LOOK_MS = 3000

interface Problem {
  readonly message: string
  readonly advice: string
}

/** A connection that need not have been reached. It is tried again in the background until it was. */
export class LateConnection {
  readonly face: McpConnection
  readonly #connection: ServerConnection
  readonly #setting: CheckedConnection
  readonly #attempts: BackgroundAttempts
  readonly #prefix: string
  #problem: Problem | undefined
  #knowsTools = false

  constructor(setting: CheckedConnection) {
    this.#setting = setting
    const { clock, random, rules } = setting
    this.#connection = new ServerConnection(setting)
    this.#attempts = new BackgroundAttempts({ clock, random, attempt: () => this.#reach() })
    const close = async (): Promise<void> => {
      this.#attempts.close()
      await this.#connection.close()
    }
    this.face = Object.freeze({
      ...this.#connection.face(),
      findings: () => this.findings(),
      refresh: () => this.#reach(),
      close,
      [Symbol.asyncDispose]: close,
    })
    this.#prefix =
      modelNames(['x'], rules.prefix ?? '')
        .get('x')
        ?.slice(0, -1) ?? ''
  }

  get isReached(): boolean {
    return this.face.info() !== undefined
  }

  /** Its tools are those of the file. */
  get knowsTools(): boolean {
    return this.#knowsTools
  }

  /** Connects. Gives why it is tried again in the background; rejects where the program itself has made a mistake. */
  async begin(): Promise<unknown> {
    try {
      await this.#reach()
      return undefined
    } catch (error) {
      if (isConfigurationError(error)) throw error
      // Whoever is refused is not told to wait for a server that is away.
      if (!isDenial(error)) await this.#recall(error)
      this.#attempts.begin()
      return error
    }
  }

  async #recall(failure: unknown): Promise<void> {
    const { name, toolsFile = '', log } = this.#setting
    const known = await this.#connection.recall()
    if (known === undefined) return
    if ('problem' in known)
      throw new ConfigurationError(
        'invalid_option',
        `'toolsFile' of MCP server '${name}', ${printable(toolsFile)}, cannot be used: ${printable(known.problem)}. Remove the file: it is written anew when the server is reached. Now the server is away: ${printable(reasonOf(failure))}`,
        { cause: failure },
      )
    this.#knowsTools = true
    log?.warn({ mcpServer: name }, `${printable(reasonOf(failure))}. Its tools are those of ${printable(toolsFile)} until it is reached.`)
  }

  /** For a tool that is called and not there. */
  async lookFor(name: string): Promise<void> {
    if (this.isReached || !name.startsWith(this.#prefix)) return
    await new Promise<void>((resolve) => {
      const stop = this.#setting.clock.timer(LOOK_MS, resolve)
      const done = (): void => {
        stop()
        resolve()
      }
      this.#reach().then(done, done)
    })
  }

  async #reach(): Promise<void> {
    try {
      await this.#connection.open()
      this.#problem = undefined
    } catch (error) {
      this.#problem = {
        message: printable(reasonOf(error)),
        advice: isDenial(error) && isToolError(error) ? error.hint : 'Check the command or the address of the server.',
      }
      throw error
    }
  }

  findings(): readonly McpFinding[] {
    const { name } = this.#connection
    const known = this.#connection.findings()
    if (this.#problem === undefined || this.isReached) return known
    const { message, advice } = this.#problem
    const after = this.#knowsTools ? 'Until then its tools are those of its file, and their calls fail.' : 'The other servers work.'
    const hint = `${advice} It is tried again from time to time. ${after}`
    // It says why there is no list, too.
    return [{ severity: 'error', code: 'unreachable', server: name, message, hint }, ...known.filter(({ code }) => code !== 'list_failed')]
  }
}

function isDenial(error: unknown): boolean {
  return isToolError(error) && error.code === 'access_denied'
}
