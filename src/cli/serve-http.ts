import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServerOptions } from '../bridges/mcp/index.ts'
import { isLoopback } from '../bridges/mcp/http/loopback.ts'
import type { ToolwrightConfig } from '../runtime/define-config.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { CliError } from './cli-error.ts'
import { type AddressFlags, type HttpAddress, httpAddress } from './http-address.ts'
import type { Output } from './output.ts'
import { tokenAuth } from './token-auth.ts'

export interface HttpFlags extends AddressFlags {
  readonly path?: string | undefined
  readonly allowHost?: readonly string[] | undefined
  readonly allowOrigin?: readonly string[] | undefined
  readonly tokenEnv?: string | undefined
  readonly withoutAuth?: boolean | undefined
  readonly drain?: Duration | undefined
}

export interface HttpServing {
  readonly url: string
  /** Lets what is under way end, within the time for it. */
  readonly close: () => Promise<void>
}

interface Serving {
  readonly flags: HttpFlags
  readonly config: ToolwrightConfig
  readonly served: McpServerOptions
  readonly output: Output
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Serves tools over HTTP. Other machines are let in only if there is something that asks who they are. */
export async function serveHttp({ flags, config, served, output }: Serving): Promise<HttpServing> {
  const address = httpAddress(flags)
  const { path = '/mcp', allowHost, allowOrigin } = flags
  // Now, and not when the server ends.
  const drain = toMilliseconds(flags.drain ?? '10s', '--drain')
  const auth = authOf(flags, config)
  if (auth === undefined && !isLoopback(address.host) && flags.withoutAuth !== true)
    throw new CliError('usage', `Other machines reach ${address.host}, and nothing asks who they are.`, {
      hint: "Pass --token-env <variable>, set 'auth' in the configuration, or pass --without-auth if everybody may call.",
    })
  const { mcpHandler } = await import('../bridges/mcp/index.ts')
  const hosts = allowHost ?? (isEverywhere(address.host) ? undefined : [...LOOPBACK, bracketed(address.host)])
  const mcp = await mcpHandler({ ...served, auth, path, allowedHosts: hosts, allowedOrigins: allowOrigin })
  const server = createServer((request, response) => void mcp.node(request, response))
  const port = await listen(server, address)
  const url = `http://${isEverywhere(address.host) ? 'localhost' : bracketed(address.host)}:${port}${path}`
  if (isEverywhere(address.host) && allowHost === undefined)
    output.note('Only requests for localhost are answered: pass --allow-host for each other name by which clients reach it.')
  return {
    url,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      await mcp.close({ drain })
      server.closeAllConnections()
      await closed
    },
  }
}

function authOf({ tokenEnv, withoutAuth }: HttpFlags, { auth, principal }: ToolwrightConfig): ToolwrightConfig['auth'] {
  if (tokenEnv === undefined) return withoutAuth === true ? undefined : auth
  if (withoutAuth === true) throw new CliError('usage', '--token-env and --without-auth exclude each other.')
  return tokenAuth(tokenEnv, principal)
}

async function listen(server: ReturnType<typeof createServer>, { host, port }: HttpAddress): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new CliError('cannot_listen', `It is not possible to listen at ${host}, port ${port}: ${error.message}`, {
          cause: error,
          hint: error.code === 'EADDRINUSE' ? 'Another program uses the port. Pass another one with --port.' : undefined,
        }),
      ),
    )
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
