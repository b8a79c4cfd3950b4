import { Client, InMemoryTransport, type Transport } from '@modelcontextprotocol/client'
import { createMcpServer } from 'toolwright/mcp'
import type { Benchmark, Effort, Figure } from './figure.ts'
import { callAdd, httpClient, type Side, startServer, stdioClient, type Way } from './mcp-client.ts'
import { ourServer, plainServer } from './mcp-server.ts'
import { quartilesOf } from './quartiles.ts'
import { elapsed, ratioOf, takeTurns } from './take-turns.ts'

/** A round takes tens of milliseconds: in one that is shorter than a turn of the scheduler, two equal servers differ as much as unlike ones. */
const CALLS_OVER_HTTP = 60
const CALLS_WITHOUT = 600

interface Connected {
  readonly client: Client
  readonly end: () => Promise<void>
}

async function connected(side: Side, way: Way): Promise<Connected> {
  if (way === 'stdio') {
    const client = await stdioClient(side)
    return { client, end: () => client.close() }
  }
  const server = await startServer(side, way)
  const client = await httpClient(server.url, way)
  const end = async (): Promise<void> => {
    await client.close()
    await server.end()
  }
  return { client, end }
}

/** Microseconds of a call, one after another. */
async function microseconds(client: Client, calls: number): Promise<number> {
  const ms = await elapsed(async () => {
    for (let index = 0; index < calls; index++) await callAdd(client, index)
  })
  return (ms * 1000) / calls
}

type Costs = Readonly<Record<Side, readonly number[]>>

async function contest(sides: Readonly<Record<Side, Connected>>, calls: number, { processes, measureMs }: Effort): Promise<Costs> {
  const { plain, ours } = sides
  const cost =
    ({ client }: Connected): (() => Promise<number>) =>
    () =>
      microseconds(client, calls)
  try {
    const rounds = Math.max(15, Math.round((processes * measureMs) / 60))
    return await takeTurns({ plain: cost(plain), ours: cost(ours) }, { rounds, warmUp: 8 })
  } finally {
    await Promise.all([plain.end(), ours.end()])
  }
}

const CONTESTS: readonly (readonly [name: string, way: Way, about: string])[] = [
  ['mcp-http', 'stateless', 'a call over HTTP, 2026-07-28, beside a plain server of the MCP library'],
  ['mcp-http-sessions', 'sessions', 'the same, 2025-11-25, with sessions and streams that can be taken up again'],
  ['mcp-stdio', 'stdio', 'the same over standard input and output'],
]

/** What a client waits for a call, beside a plain server of the library with the same tool. */
export const mcpBenchmarks: readonly Benchmark[] = [
  ...CONTESTS.map(([name, way, about]): Benchmark => ({
    name,
    run: async (effort) => {
      const calls = way === 'stdio' ? CALLS_WITHOUT : CALLS_OVER_HTTP
      const costs = await contest({ plain: await connected('plain', way), ours: await connected('ours', way) }, calls, effort)
      return [{ name, unit: 'us', ...ratioOf(costs.plain, costs.ours), budget: 1.1, about }]
    },
  })),
  { name: 'mcp-own', run: ownTime },
]

/** What we add to a call, without a network: the microseconds above those of the library. */
async function ownTime(effort: Effort): Promise<readonly Figure[]> {
  const { limits: _limits, ...served } = ourServer
  const { newServer } = await createMcpServer(served)
  const costs = await contest({ plain: await inMemory(plainServer()), ours: await inMemory(newServer()) }, CALLS_WITHOUT, effort)
  const differences = costs.ours.map((cost, round) => cost - (costs.plain[round] ?? Number.NaN))
  return [
    {
      name: 'mcp-own',
      unit: 'us',
      compares: 'difference',
      baseline: quartilesOf(costs.plain).median,
      subject: quartilesOf(costs.ours).median,
      quartiles: quartilesOf(differences),
      about: 'our own part of a call, in memory, beside the library alone',
    },
  ]
}

async function inMemory(server: { readonly connect: (transport: Transport) => Promise<void> }): Promise<Connected> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await server.connect(far)
  await client.connect(near)
  return { client, end: () => client.close() }
}
