import { isToolError } from '../../../tool/errors/tool-error.ts'
import type { GuardedFetch } from '../guarded-fetch.ts'
import { urlRefused } from '../url-refused.ts'
import { RobotsRules } from './robots-rules.ts'

const KEPT_MS = 60 * 60 * 1000
const MOST_SITES = 200
const MOST_BYTES = 512 * 1024

interface Asking {
  readonly signal: AbortSignal
  readonly now: number
}

interface KeptRules {
  readonly until: number
  readonly rules: Promise<RobotsRules>
  /** Of the call that asked. */
  readonly signal: AbortSignal
}

/** Asks sites whether a program may read their pages. The answers are kept for an hour. */
export class Robots {
  readonly #fetch: GuardedFetch
  readonly #agent: string
  readonly #kept = new Map<string, KeptRules>()

  constructor(fetch: GuardedFetch, userAgent: string) {
    this.#fetch = fetch
    this.#agent = userAgent.split(/[/\s]/, 1)[0] ?? userAgent
  }

  /** Throws if the site does not want the page to be read by programs. */
  async check(url: URL, asking: Asking): Promise<void> {
    const rules = await this.#rulesOf(url.origin, asking)
    if (!rules.allows(`${url.pathname}${url.search}`))
      throw urlRefused(url, `the robots.txt of the site does not let '${this.#agent}' read it.`)
  }

  async #rulesOf(origin: string, { signal, now }: Asking): Promise<RobotsRules> {
    const kept = this.#kept.get(origin)
    if (kept !== undefined && kept.until > now) {
      try {
        return await kept.rules
      } catch (error) {
        // The end of another call is not the end of this one.
        if (!kept.signal.aborted || signal.aborted) throw error
        return this.#rulesOf(origin, { signal, now })
      }
    }
    const rules = this.#ask(origin, signal)
    if (this.#kept.size >= MOST_SITES) this.#kept.clear()
    const asked = { until: now + KEPT_MS, rules, signal }
    this.#kept.set(origin, asked)
    // The failure of one call is not the answer to the next.
    rules.catch(() => {
      if (this.#kept.get(origin) === asked) this.#kept.delete(origin)
    })
    return rules
  }

  /** A site without such a file allows everything. One that fails to answer allows nothing. */
  async #ask(origin: string, signal: AbortSignal): Promise<RobotsRules> {
    try {
      const { status, body } = await this.#fetch(`${origin}/robots.txt`, { signal, maxBytes: MOST_BYTES, whenTooLarge: 'truncate' })
      if (status >= 500 || status === 429) throw urlRefused(origin, `its robots.txt cannot be read: it answers ${status}.`)
      return new RobotsRules(status >= 200 && status < 300 ? new TextDecoder().decode(body) : '', this.#agent)
    } catch (error) {
      if (isToolError(error) && error.code !== 'url_refused' && error.class === 'transient')
        throw urlRefused(origin, 'its robots.txt cannot be read: the site does not answer.')
      throw error
    }
  }
}
