import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { ProxiedConnection } from './proxied-connection.ts'

/** What becomes of a new connection. `silent`: it is accepted, and nobody ever answers. */
export type Admission = 'pass' | 'silent' | 'refuse'

/** Stands on a loopback port between clients and their database, and lets connections go wrong on command. */
export class DatabaseProxy {
  readonly #upstream: ClientConfig
  readonly #server: Server
  readonly #connections = new Set<ProxiedConnection>()
  /** Clients that were let in and are connected with nobody. */
  readonly #strays = new Set<Socket>()
  /** What becomes of connections that are made from now on. */
  admission: Admission = 'pass'

  private constructor(upstream: ClientConfig) {
    this.#upstream = upstream
    this.#server = createServer((client) => this.#admit(client))
  }

  /** Opens a port for the database that this configuration names: on a unix socket, or on another port. */
  static async open(upstream: ClientConfig): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(upstream)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  /** How clients reach the database through the proxy. */
  get url(): string {
    const { user = '', password, database = user } = this.#upstream
    const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
    const { port } = this.#server.address() as AddressInfo
    return `postgres://${encodeURIComponent(user)}${secret}@127.0.0.1:${port}/${encodeURIComponent(database)}`
  }

  /** Those that work, the one that was used last first. */
  get connections(): readonly ProxiedConnection[] {
    return [...this.#connections].filter(({ isSilent }) => !isSilent).toSorted((a, b) => b.lastUsed - a.lastUsed)
  }

  /** Ends everything that was broken silently: clients and server learn of it. */
  heal(): void {
    this.admission = 'pass'
    for (const connection of this.#connections) {
      connection.delay(0)
      if (connection.isSilent) connection.cut()
    }
    for (const stray of this.#strays) stray.destroy()
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const connection of this.#connections) connection.cut()
    for (const stray of this.#strays) stray.destroy()
    await closed
  }

  #admit(client: Socket): void {
    client.on('error', () => {})
    if (this.admission === 'refuse') {
      client.resetAndDestroy()
      return
    }
    if (this.admission === 'silent') {
      this.#strays.add(client.resume())
      client.once('close', () => this.#strays.delete(client))
      return
    }
    const server = this.#connect()
    server.on('error', () => {})
    const connection = new ProxiedConnection(client, server)
    this.#connections.add(connection)
    connection.onClosed(() => this.#connections.delete(connection))
  }

  #connect(): Socket {
    const { host = '127.0.0.1', port = 5432 } = this.#upstream
    return host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host)
  }
}
