import { HostRules, hostOf, portOf } from '../host-rules.ts'
import type { FromOpenApiOptions } from './openapi-options.ts'
import { Unfit } from './unfit.ts'

/**
 * The services that may get secrets: the one of `server`, and the hosts that `access` names. The document names a server for every operation if it
 * wants to, so its word counts only where the program has named the host too.
 */
export class SecretReceivers {
  readonly #isNamed: boolean
  readonly #allowed: HostRules
  readonly #private: HostRules

  constructor({ server, access }: FromOpenApiOptions) {
    this.#isNamed = server !== undefined
    this.#allowed = new HostRules(access?.allowHosts, 'allowHosts', 'fromOpenApi')
    this.#private = new HostRules(access?.privateHosts, 'privateHosts', 'fromOpenApi')
  }

  /** Throws where the document alone has chosen the service at this address. */
  check(address: string): void {
    if (this.#isNamed) return
    const url = new URL(address)
    const [host, port] = [hostOf(url), portOf(url)]
    if (this.#private.names(host, port)) return
    if (!this.#allowed.names(host, port))
      throw new Unfit(
        `the document alone would choose that ${url.origin} gets the secret: set 'server', or name the host in 'allowHosts' of 'access'`,
      )
    // Everybody on the way reads it otherwise, and the document has chosen the scheme too.
    if (url.protocol !== 'https:') throw new Unfit(`the document would send the secret to ${url.origin} without encryption: set 'server'`)
  }
}
