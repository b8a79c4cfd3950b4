import type { Runtime } from 'toolwright'
import type { McpTools } from 'toolwright/mcp'

interface Parts {
  readonly runtime: Runtime | undefined
  readonly server?: McpTools | undefined
}

/** The processes of a driver, by their numbers. */
export class Processes<P extends Parts> {
  readonly #begin: () => P | Promise<P>
  readonly #all = new Map<number, P>()
  #here: P | undefined

  constructor(begin: () => P | Promise<P>) {
    this.#begin = begin
  }

  /** The one in which things happen now. */
  get here(): P {
    if (this.#here === undefined) throw new Error('No process was entered.')
    return this.#here
  }

  async enter(process: number): Promise<void> {
    this.#here = this.#all.get(process) ?? (await this.#begin())
    this.#all.set(process, this.#here)
  }

  async close(): Promise<void> {
    for (const { runtime, server } of this.#all.values()) {
      server?.close()
      await runtime?.close()
    }
  }
}
