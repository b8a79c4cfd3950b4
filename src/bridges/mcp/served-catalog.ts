import type { Server } from '@modelcontextprotocol/server'
import { hashOf } from '../../tool/journal/hash.ts'
import { followProviders, lookForTool, refreshProviders } from '../../tool/resolve/provider-news.ts'
import { warn } from '../../tool/warn.ts'
import type { CatalogOptions, CurrentCatalog, ToolCatalog } from './tool-catalog.ts'

interface ServedParts {
  readonly sources: CatalogOptions
  readonly prepare: (options: CatalogOptions) => Promise<ToolCatalog>
}

/** The tools that are served now, and the clients that are told when they change. */
export class ServedCatalog implements CurrentCatalog {
  now: ToolCatalog
  readonly #parts: ServedParts
  /** Undefined for the tools of the runtime. */
  #source: readonly unknown[] | undefined
  readonly #servers = new Set<Server>()
  readonly #listeners: (() => void)[] = []
  /** Changes are made one after another: the last one counts. */
  #changing: Promise<void> = Promise.resolve()
  #unfollow: () => void = () => {}

  private constructor(parts: ServedParts, now: ToolCatalog) {
    this.#parts = parts
    this.now = now
    this.#source = parts.sources.tools
    this.#follow()
  }

  static async of(parts: ServedParts): Promise<ServedCatalog> {
    return new ServedCatalog(parts, await parts.prepare(parts.sources))
  }

  /** A server whose client is told of changes. */
  connected(server: Server): void {
    this.#servers.add(server)
    const { onclose } = server
    server.onclose = () => {
      this.#servers.delete(server)
      onclose?.()
    }
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  set(source: readonly unknown[] | undefined): Promise<void> {
    const changed = this.#changing.then(() => this.#set(source))
    this.#changing = changed.catch(() => {})
    return changed
  }

  async refresh(): Promise<void> {
    const { runtime, shared } = this.#parts.sources
    if (this.#source === undefined) await runtime?.refresh()
    else await refreshProviders(this.#source, shared.log)
    await this.set(this.#source)
  }

  /** A provider that could not reach a server tries it again, since a client calls a tool that is not there. */
  async lookFor(name: string): Promise<void> {
    const { runtime } = this.#parts.sources
    await (this.#source === undefined ? runtime?.lookFor(name) : lookForTool(this.#source, name))
    await this.#changing
  }

  /** Changes of the providers are not followed any more. */
  close(): void {
    this.#unfollow()
    this.#unfollow = () => {}
  }

  /** A provider that tells of changes, such as a connection to another server, is asked again after each. */
  #follow(): void {
    this.close()
    const { runtime, shared } = this.#parts.sources
    const refresh = (): void =>
      void this.set(this.#source).catch((error: unknown) => warn(shared.log, `Changed tools cannot be served: ${String(error)}`))
    this.#unfollow = this.#source === undefined ? (runtime?.onChange(refresh) ?? (() => {})) : followProviders(this.#source, refresh)
  }

  async #set(source: readonly unknown[] | undefined): Promise<void> {
    const { sources, prepare } = this.#parts
    const next = await prepare({ ...sources, tools: source })
    const isSame = hashOf(next.descriptions) === hashOf(this.now.descriptions)
    this.now = next
    const isOther = source !== this.#source
    this.#source = source
    if (isOther) this.#follow()
    if (isSame) return
    // A client that has gone meanwhile needs no news.
    for (const server of this.#servers) server.sendToolListChanged().catch(() => {})
    for (const listener of this.#listeners) listener()
  }
}
