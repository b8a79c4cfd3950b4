import { isIP } from 'node:net'
import type ipaddr from 'ipaddr.js'
import { quote } from '../../schema/quote.ts'
import { wrongOption } from '../../tool/errors/wrong-option.ts'
import { HostRules, hostOf, portOf } from './host-rules.ts'
import { judgeAddress } from './judge-address.ts'
import { hostRefused, urlRefused } from './url-refused.ts'

/** Where requests may go. */
export interface UrlRuleOptions {
  /** Only these hosts: `api.example.com`, `*.example.com`, `api.example.com:8443`. Without it, every public host. */
  readonly allowHosts?: readonly string[] | undefined
  /** Never these hosts, in the same form. */
  readonly denyHosts?: readonly string[] | undefined
  /**
   * Hosts that may lie on this machine or in a private network: `localhost:3000`, `10.0.0.5`, `127.0.0.1:*` for any port. Every other host must
   * have public addresses only.
   */
  readonly privateHosts?: readonly string[] | undefined
  /** 80 and 443 by default. A port in `allowHosts` and `privateHosts` is allowed for that host. */
  readonly ports?: readonly number[] | 'any' | undefined
  /** `http` and `https` by default. */
  readonly schemes?: readonly ('http' | 'https')[] | undefined
}

const SCHEMES = ['http', 'https']
const LONGEST_URL = 8192

/** Decides by a URL alone, and by the addresses of its host, whether a request may be made. */
export class UrlRules {
  readonly #allowed: HostRules | undefined
  readonly #denied: HostRules
  readonly #private: HostRules
  readonly #ports: ReadonlySet<number> | undefined
  readonly #schemes: readonly string[]

  constructor({ allowHosts, denyHosts, privateHosts, ports = [80, 443], schemes = ['http', 'https'] }: UrlRuleOptions, owner: string) {
    this.#allowed = allowHosts === undefined ? undefined : new HostRules(allowHosts, 'allowHosts', owner)
    this.#denied = new HostRules(denyHosts, 'denyHosts', owner)
    this.#private = new HostRules(privateHosts, 'privateHosts', owner)
    if (ports !== 'any' && (!Array.isArray(ports) || !ports.every(isPort)))
      throw wrongOption('ports', owner, `'any' or a list of numbers from 1 to 65535, not ${quote(ports)}`)
    this.#ports = ports === 'any' ? undefined : new Set(ports)
    if (!Array.isArray(schemes) || schemes.length === 0 || !schemes.every((each) => SCHEMES.includes(each)))
      throw wrongOption('schemes', owner, `a list of 'http' and 'https', not ${quote(schemes)}`)
    this.#schemes = schemes.map((each) => `${each}:`)
  }

  /** The URL, parsed, if a request to it may be made as far as its text says. The addresses of a name are checked when it is connected to. */
  check(given: string | URL, ip: typeof ipaddr): URL {
    const url = parsed(given)
    if (!this.#schemes.includes(url.protocol))
      throw urlRefused(url, `its scheme is not ${this.#schemes.map((each) => each.slice(0, -1)).join(' or ')}.`)
    if (url.username !== '' || url.password !== '') throw urlRefused(url, 'it holds a user or a password.')
    const [host, port] = [hostOf(url), portOf(url)]
    if (host === '') throw urlRefused(url, 'it has no host.')
    if (this.#denied.names(host, port)) throw urlRefused(url, 'its host is on the list of denied hosts.')
    if (this.#allowed?.names(host, port) === false && !this.#private.names(host, port))
      throw urlRefused(url, 'its host is not on the list of allowed hosts.')
    if (!this.#isOpen(host, port)) throw urlRefused(url, `port ${port} is not allowed.`)
    if (isIP(host) !== 0) this.checkAddresses({ host, port, addresses: [host] }, ip)
    return url
  }

  /** Refuses a host if one of its addresses is not allowed: an honest host has no reason to mix them. */
  checkAddresses({ host, port, addresses }: ResolvedHost, ip: typeof ipaddr): void {
    if (addresses.length === 0) throw hostRefused(host, 'it has no address.')
    for (const address of addresses) {
      const kind = judgeAddress(ip, address)
      if (kind === 'public' || (kind === 'private' && this.#private.names(host, port))) continue
      if (address === host && this.#private.namesExactly(host, port)) continue
      const verb = isIP(host) === 0 ? 'has' : 'is'
      const what = kind === 'private' ? 'of this machine or of a private network' : 'that is reserved, or serves the metadata of a cloud'
      throw hostRefused(host, `it ${verb} an address ${what}.`)
    }
  }

  #isOpen(host: string, port: number): boolean {
    if (this.#ports === undefined || this.#ports.has(port)) return true
    return this.#private.opens(host, port) || this.#allowed?.opens(host, port) === true
  }
}

/** A host, the port to connect to, and its addresses. */
export interface ResolvedHost {
  readonly host: string
  readonly port: number
  readonly addresses: readonly string[]
}

function isPort(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535
}

/** Characters that programs read in different ways: one drops them, another takes them for the end of the host. */
// oxlint-disable-next-line no-control-regex
const AMBIGUOUS = /[\u0000-\u0020\u007f\\]/

function parsed(given: string | URL): URL {
  const text = typeof given === 'string' ? given : given.href
  if (typeof text !== 'string' || text.length > LONGEST_URL) throw urlRefused('', `it is longer than ${LONGEST_URL} characters.`)
  if (AMBIGUOUS.test(text)) throw urlRefused(text, 'it holds a space, a backslash or a control character. Encode it with %.')
  const url = URL.parse(text)
  if (url === null) throw urlRefused(text, 'it is not a complete URL, such as https://example.com/page.')
  return url
}
