import { excerpt } from '../../../schema/quote.ts'
import type { Logger } from '../../../tool/ports/logger.ts'
import { printable } from '../../../tool/printable.ts'
import { KnownSecrets } from '../../../tool/secrets/known-secrets.ts'
import { maskText } from '../../../tool/secrets/mask-text.ts'

const LONGEST_LINE = 500
const LONGEST_TAIL = 3
/** So many lines of one server are logged. */
const MOST_LINES = 2000
const SHORTEST_SECRET = 6

/** Notes of a server for the log: what it prints to its standard error, and what goes wrong on the way. Bounded, in one line each, without secrets. */
export class ServerNotes {
  readonly #server: string
  readonly #log: Logger | undefined
  readonly #secrets: KnownSecrets
  readonly #tail: string[] = []
  #lines = 0

  /** `given` are the values of the environment and of the headers, any of which may be a secret. */
  constructor(server: string, log: Logger | undefined, given: readonly string[]) {
    this.#server = server
    this.#log = log
    this.#secrets = new KnownSecrets(given.filter(({ length }) => length >= SHORTEST_SECRET))
  }

  /** The program is started again: the lines of the one before are not its own. */
  startAnew(): void {
    this.#tail.length = 0
  }

  stderr(line: string): void {
    const shown = this.#shown(line)
    if (shown.trim() === '') return
    this.#tail.push(shown)
    if (this.#tail.length > LONGEST_TAIL) this.#tail.shift()
    if (this.#isLogged()) this.#log?.debug({ mcpServer: this.#server }, shown)
  }

  error(error: Error): void {
    if (this.#isLogged()) this.#log?.warn({ mcpServer: this.#server }, `MCP server '${this.#server}': ${this.#shown(error.message)}`)
  }

  warn(message: string): void {
    if (this.#isLogged()) this.#log?.warn({ mcpServer: this.#server }, this.#shown(message))
  }

  /** How a program ended, with the last lines that it has printed. */
  ending(how: string | undefined): string | undefined {
    if (how === undefined) return undefined
    return this.#tail.length === 0 ? how : `${how}; its last lines: ${excerpt(this.#tail.join(' | '), LONGEST_LINE)}`
  }

  #isLogged(): boolean {
    return ++this.#lines <= MOST_LINES
  }

  #shown(text: string): string {
    return printable(excerpt(maskText(excerpt(text, 4 * LONGEST_LINE), this.#secrets), LONGEST_LINE))
  }
}
