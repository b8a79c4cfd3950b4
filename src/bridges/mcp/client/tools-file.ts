import { readFile } from 'node:fs/promises'
import { isRecord } from '../../../schema/json-schema.ts'
import { reasonOf } from '../../../tool/errors/message-of.ts'
import { replaceFile } from '../../../tool/replace-file.ts'
import { toldOf } from './tool-definition.ts'

const FORMAT = 'tools of an MCP server'
const VERSION = 1

/** What a file knows of the tools of a server, as the server has told it. */
export type KnownTools = { readonly tools: readonly unknown[] } | { readonly problem: string }

/**
 * A file with what a server says of its tools, for a program that starts while the server is away. Nothing in it is trusted more than the server
 * itself: it is read as a list of the server would be, with all its limits and pins.
 */
export class ToolsFile {
  readonly path: string
  readonly #server: string
  #text: string | undefined

  constructor(path: string, server: string) {
    this.path = path
    this.#server = server
  }

  /** Undefined where there is no file. */
  async read(): Promise<KnownTools | undefined> {
    try {
      const text = await readFile(this.path, 'utf8')
      const known = this.#parsed(text)
      if ('tools' in known) this.#text = text
      return known
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      return { problem: reasonOf(error) }
    }
  }

  /** Writes what these tools are, if the file does not say so already. */
  async write(tools: readonly unknown[]): Promise<void> {
    const told = tools.filter(isRecord).map((each) => toldOf(each))
    const text = `${JSON.stringify({ format: FORMAT, version: VERSION, server: this.#server, tools: told }, undefined, 2)}\n`
    this.#text ??= await readFile(this.path, 'utf8').catch(() => undefined)
    if (text === this.#text) return
    await replaceFile(this.path, text, { mode: 0o644 })
    this.#text = text
  }

  #parsed(text: string): KnownTools {
    let read: unknown
    try {
      read = JSON.parse(text)
    } catch (error) {
      return { problem: `it is not JSON: ${reasonOf(error)}` }
    }
    if (!isRecord(read) || read['format'] !== FORMAT || !Array.isArray(read['tools']))
      return { problem: `it is not a file with the ${FORMAT}` }
    if (read['version'] !== VERSION)
      return { problem: `it has version ${String(read['version'])}, and this package reads version ${VERSION}` }
    if (read['server'] !== this.#server) return { problem: `it is about the server '${String(read['server'])}'` }
    return { tools: read['tools'] }
  }
}
