import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

export type Side = 'plain' | 'ours'
export type Way = 'stateless' | 'sessions' | 'stdio'

const FLAGS = ['--expose-gc', '--conditions=toolwright-source', new URL('mcp-server.ts', import.meta.url).pathname]

export interface ServerProcess {
  readonly url: URL
  readonly child: ChildProcess
  readonly end: () => Promise<void>
}

/** A server of the bench in a process of its own. */
export async function startServer(side: Side, way: Way): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...FLAGS, side, way], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('The server has no pipes.')
  const [port] = (await once(createInterface(stdout), 'line')) as [string]
  const end = async (): Promise<void> => {
    stdin.end()
    await once(child, 'exit')
  }
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), child, end }
}

/** A client of the official library. */
export async function httpClient(url: URL, way: Way): Promise<Client> {
  const pinned = way === 'sessions' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } }
  const client = new Client({ name: 'bench', version: '1.0.0' }, pinned)
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

export async function stdioClient(side: Side): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...FLAGS, side, 'stdio'] }))
  return client
}

/** Calls the tool once, and looks at what it gives. */
export async function callAdd(client: Client, a: number): Promise<void> {
  const { content } = await client.callTool({ name: 'add', arguments: { a, b: 1 } })
  if (!JSON.stringify(content).includes(`"${a + 1}"`)) throw new Error(`The tool gave ${JSON.stringify(content)}.`)
}
