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
/** A line of a program that runs, or that complains about a message. */
const SERVING = /\b(?:initiali[sz]\w*|discover|method|protocol|json-?rpc|stdio|running|listening|started|ready)\b/i
const ERROR = /\b\w*error\b/i

/** Notes of a server for the log: what it prints to its standard error, and what goes wrong on the way. Bounded, in one line each, without secrets. */
export class ServerNotes {
  readonly #server: string
  readonly #log: Logger | undefined
  readonly #secrets: KnownSecrets
  readonly #tail: string[] = []
  /** The last line that names an error and has left the tail. */
  #error = ''
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
    this.#error = ''
  }

  /** Whether the program has told of a problem that has nothing to do with the protocol: a missing module, a wrong option. */
  get isOfItsOwn(): boolean {
    return this.#tail.length > 0 && ![this.#error, ...this.#tail].some((line) => SERVING.test(line))
  }

  stderr(line: string): void {
    const shown = this.#shown(line)
    if (shown.trim() === '') return
    this.#tail.push(shown)
    const left = this.#tail.length > LONGEST_TAIL ? this.#tail.shift() : undefined
    if (left !== undefined && ERROR.test(left)) this.#error = left
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
    const lines = this.#error === '' ? this.#tail : [this.#error, ...this.#tail]
    return lines.length === 0 ? how : `${how}; its last lines: ${excerpt(lines.join(' | '), LONGEST_LINE)}`
  }

  #isLogged(): boolean {
    return ++this.#lines <= MOST_LINES
  }

  #shown(text: string): string {
    return printable(excerpt(maskText(excerpt(text, 4 * LONGEST_LINE), this.#secrets), LONGEST_LINE))
  }
}
