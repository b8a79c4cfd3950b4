import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type ipaddr from 'ipaddr.js'
import type { Agent, buildConnector } from 'undici'
import type { UndiciPackage } from './load-undici.ts'
import { hostRefused } from './url-refused.ts'
import type { UrlRules } from './url-rules.ts'

/** Gives the addresses of a host. */
export type HostLookup = (host: string) => Promise<readonly string[]>

export interface AgentOptions {
  readonly rules: UrlRules
  readonly lookup: HostLookup | undefined
  readonly timeoutMs: number
}

/** The packages behind a request. */
export interface WebPackages {
  readonly undici: UndiciPackage
  readonly ip: typeof ipaddr
}

/** Connects only to addresses that the rules allow: the addresses that were checked are the ones that are connected to. */
export function guardedAgent({ undici, ip }: WebPackages, { rules, lookup = addressesOf, timeoutMs }: AgentOptions): Agent {
  const connect: buildConnector.connector = (target, callback) => {
    const host = target.hostname
      .replace(/^\[(.*)\]$/, '$1')
      .replace(/\.$/, '')
      .toLowerCase()
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    const check = (addresses: readonly string[]): void => rules.checkAddresses({ host, port, addresses }, ip)
    const connector = undici.buildConnector({ allowH2: false, timeout: timeoutMs, lookup: checkedLookup(lookup, check) })
    connector(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      try {
        check([isIP(host) === 0 ? (socket.remoteAddress ?? '') : host])
        callback(null, socket)
      } catch (refusal) {
        socket.destroy()
        callback(refusal as Error, null)
      }
    })
  }
  // One request at a time on a connection: an answer cannot be taken for that of another request.
  return new undici.Agent({
    connect,
    pipelining: 1,
    connections: 16,
    keepAliveTimeout: 4000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
}

/** Node asks it for the addresses of a name, and connects to what it gives. */
function checkedLookup(lookup: HostLookup, check: (addresses: readonly string[]) => void): LookupFunction {
  return (host, { all }, callback) => {
    const settle = async (): Promise<void> => {
      const found = (await lookup(host)).map((address) => ({ address, family: isIP(address) }))
      check(found.map(({ address }) => address))
      const [first] = found
      if (first === undefined) throw hostRefused(host, 'it has no address.')
      if (all === true) callback(null, found)
      else callback(null, first.address, first.family)
    }
    settle().catch((error: NodeJS.ErrnoException) => callback(error, []))
  }
}

async function addressesOf(host: string): Promise<readonly string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address)
}
