import type { Clock } from '../../../tool/ports/clock.ts'
import type { Logger } from '../../../tool/ports/logger.ts'
import { printable } from '../../../tool/printable.ts'
import { warn } from '../../../tool/warn.ts'

/** More lines say nothing new, and everybody who reaches the endpoint could fill the disk with them. */
const MOST_LINES = 20
const WINDOW_MS = 60_000

/** Whose fault it is: that of a caller is news (`info`), that of the program or of what it needs is to be mended (`warn`). */
type Level = 'info' | 'warn'

/** Tells the operator of requests that were refused or failed: a few lines a minute, and how many more there were. */
export class RefusalLog {
  readonly #log: Logger | undefined
  readonly #clock: Clock
  readonly #level: Level
  #since = -Infinity
  #lines = 0
  #more = 0

  constructor(level: Level, log: Logger | undefined, clock: Clock) {
    this.#level = level
    this.#log = log
    this.#clock = clock
  }

  add(line: string, fields: object = {}): void {
    const now = this.#clock.tick()
    if (now - this.#since >= WINDOW_MS) {
      if (this.#more > 0) this.#write(`MCP: ${this.#more} more like these were left out.`, { count: this.#more })
      this.#since = now
      this.#lines = 0
      this.#more = 0
    }
    if (this.#lines === MOST_LINES) {
      this.#more++
      return
    }
    this.#lines++
    this.#write(line, fields)
  }

  #write(line: string, fields: object): void {
    if (this.#level === 'warn') warn(this.#log, line, fields)
    else this.#log?.info(fields, printable(line))
  }
}
