import { isTool } from '../tool/agent-tool.ts'
import { reasonOf } from '../tool/errors/message-of.ts'
import type { Logger } from '../tool/ports/logger.ts'
import { annotatedMethods } from '../tool/resolve/annotate.ts'
import { followProviders, lookForTool, refreshProviders } from '../tool/resolve/provider-news.ts'
import { type PeerTools, resolveAgain, type ToolProvider, type ToolResolution } from '../tool/resolve/resolve.ts'
import { NameMemory } from '../tool/resolve/settle-names.ts'
import { warn } from '../tool/warn.ts'

interface RegisteredParts {
  readonly tools: readonly unknown[]
  readonly peers: readonly PeerTools[] | undefined
  readonly log: Logger | undefined
}

/**
 * The tools of a runtime. `resolve` asks every provider; `registered` gives the objects that durable runs know. Most providers and all peers give
 * new objects each time, so those are asked once, and again at a `refresh`; a provider that tells of changes is asked again after each.
 */
export class RegisteredTools {
  readonly #parts: RegisteredParts
  readonly #names = new NameMemory()
  readonly #listeners = new Set<() => void>()
  #steady: readonly unknown[] | undefined
  #known: Promise<ToolResolution> | undefined
  #last: ToolResolution | undefined
  #unfollow: (() => void) | undefined

  constructor(parts: RegisteredParts) {
    this.#parts = parts
  }

  async resolve(): Promise<ToolResolution> {
    return this.#resolved(this.#parts.tools)
  }

  registered(): Promise<ToolResolution> {
    this.#follow()
    const known = (this.#known ??= this.#read())
    const last = this.#last
    return last === undefined ? known : known.catch(() => last)
  }

  /** Calls back when a provider has reported a change. */
  onChange(listener: () => void): () => void {
    this.#follow()
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Providers ask where their tools come from, and all of them are asked again. */
  async refresh(): Promise<void> {
    await refreshProviders(this.#parts.tools, this.#parts.log)
    this.#steady = undefined
    this.#changed()
    await this.#known
  }

  /** A provider that could not reach a server tries it again for the sake of a tool that nobody has. Gives whether any of them did. */
  lookFor(name: string): Promise<boolean> {
    return lookForTool(this.#parts.tools, name)
  }

  /** Changes are not followed any more. */
  close(): void {
    this.#unfollow?.()
    this.#unfollow = () => {}
    this.#listeners.clear()
  }

  #follow(): void {
    this.#unfollow ??= followProviders(this.#parts.tools, () => this.#changed())
  }

  #changed(): void {
    this.#known = this.#read()
    this.#known.catch(() => {})
    for (const each of this.#listeners) each()
  }

  /** One that fails is not kept: the next who asks tries it again. */
  #read(): Promise<ToolResolution> {
    const { tools, peers } = this.#parts
    this.#steady ??= Array.isArray(tools) ? tools.map((each) => steady(each, peers)) : tools
    const reading: Promise<ToolResolution> = this.#resolved(this.#steady).then(
      (resolution) => {
        if (this.#known === reading) this.#last = resolution
        return resolution
      },
      (error: unknown) => {
        if (this.#known === reading) this.#known = undefined
        if (this.#last !== undefined) warn(this.#parts.log, `Changed tools cannot be used, those from before are kept: ${reasonOf(error)}`)
        throw error
      },
    )
    return reading
  }

  async #resolved(tools: readonly unknown[]): Promise<ToolResolution> {
    const { peers, log } = this.#parts
    const resolution = await resolveAgain(tools, { peers }, this.#names)
    for (const { message, hint } of this.#names.news(resolution.leftOut)) warn(log, `${message} ${hint}`)
    return resolution
  }
}

/** The same, which gives the same objects each time. */
function steady(item: unknown, peers: readonly PeerTools[] = []): unknown {
  if (isTool(item) || typeof item !== 'object' || item === null) return item
  const isPeer = peers.some((each) => each.recognises(item))
  if (isPeer || annotatedMethods(item).length > 0) return once(async () => (await resolveAgain([item], { peers }, new NameMemory())).tools)
  if (!('tools' in item) || typeof item.tools !== 'function') return item
  const { tools, onChange } = item as ToolProvider
  if (typeof onChange === 'function') return item
  return once(async () => {
    const given = await tools.call(item)
    return Array.isArray(given) ? given.map((each) => steady(each, peers)) : given
  })
}

function once(tools: () => Promise<readonly unknown[]>): ToolProvider {
  let given: Promise<readonly unknown[]> | undefined
  return {
    tools: () =>
      (given ??= tools().catch((error: unknown) => {
        given = undefined
        throw error
      })),
  }
}
