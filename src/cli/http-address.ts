import { CliError } from './cli-error.ts'

export interface HttpAddress {
  readonly host: string
  readonly port: number
}

export interface AddressFlags {
  /** `--http` with or without an address. */
  readonly http?: string | true | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
}

const HOST = '127.0.0.1'
const PORT = 3000
const MOST = 65_535

/** Where to listen: `3000`, `0.0.0.0:3000`, `[::1]:3000`, or the flags for each of them. */
export function httpAddress({ http, host, port }: AddressFlags): HttpAddress {
  const written = typeof http === 'string' ? parts(http) : {}
  const both = (['host', 'port'] as const).find((each) => written[each] !== undefined && { host, port }[each] !== undefined)
  if (both !== undefined) throw new CliError('usage', `--http names the ${both} already: leave out --${both}.`)
  return { host: host ?? written.host ?? HOST, port: portOf(port ?? written.port) }
}

function parts(text: string): { readonly host?: string; readonly port?: string } {
  const { host, port, alone } = /^(?:(?<alone>\d+)|(?<host>\[[\da-f:.]+\]|[^:\s/]+)?(?::(?<port>\d+))?)$/i.exec(text)?.groups ?? {}
  if (alone !== undefined) return { port: alone }
  if (host === undefined && port === undefined)
    throw new CliError('usage', `--http takes an address such as 3000 or 127.0.0.1:3000, not '${text}'.`)
  return { ...(host === undefined ? {} : { host: host.replace(/^\[|\]$/g, '') }), ...(port === undefined ? {} : { port }) }
}

function portOf(given: string | undefined): number {
  if (given === undefined) return PORT
  const port = /^\d+$/.test(given) ? Number(given) : Number.NaN
  if (port <= MOST) return port
  throw new CliError('usage', `A port is a number from 0 to ${MOST}, not '${given}'.`)
}
