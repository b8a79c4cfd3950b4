import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { Client } from '@modelcontextprotocol/client'
import { callAdd, httpClient, type ServerProcess, type Side, startServer, type Way } from './mcp-client.ts'
import { quartilesOf } from './quartiles.ts'

/** `node --conditions=toolwright-source bench/mcp-load.ts`: many clients at once, for a minute, beside a plain server of the library. */
const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    way: { type: 'string', default: 'stateless' },
  },
})

const MIB = 1024 * 1024
/** The first part of the time fills caches and pools. */
const SETTLED = 0.3
const GROWTH_MIB = 20

async function memory({ child }: ServerProcess): Promise<number> {
  child.send('memory')
  const [{ heapUsed }] = (await once(child, 'message')) as [NodeJS.MemoryUsage]
  return heapUsed / MIB
}

interface Load {
  readonly calls: number
  readonly errors: number
  readonly medianMs: number
  readonly heapMib: readonly number[]
}

async function load(side: Side, way: Way): Promise<Load> {
  const server = await startServer(side, way)
  const clients = await Promise.all(Array.from({ length: Number(values.clients) }, () => httpClient(server.url, way)))
  const end = performance.now() + Number(values.seconds) * 1000
  const times: number[] = []
  let errors = 0
  const work = async (client: Client): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now()
      await callAdd(client, times.length).catch(() => errors++)
      times.push(performance.now() - start)
    }
  }
  const heapMib: number[] = []
  const watch = async (): Promise<void> => {
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, Number(values.seconds) * 50))
      heapMib.push(Math.round(await memory(server)))
    }
  }
  await Promise.all([watch(), ...clients.map(work)])
  await Promise.all(clients.map((client) => client.close()))
  await server.end()
  return { calls: times.length, errors, medianMs: quartilesOf(times).median, heapMib }
}

const isWay = values.way === 'sessions' || values.way === 'stateless'
if (!isWay) throw new Error("--way is 'stateless' or 'sessions'.")
for (const side of ['plain', 'ours'] as const) {
  const { calls, errors, medianMs, heapMib } = await load(side, values.way as Way)
  const settled = heapMib.slice(Math.floor(heapMib.length * SETTLED))
  const growth = (settled.at(-1) ?? 0) - (settled[0] ?? 0)
  console.log(`${side}: ${calls} calls, ${errors} errors, median ${medianMs.toFixed(1)} ms, heap in MiB ${heapMib.join(' ')}`)
  if (side === 'ours' && (errors > 0 || growth > GROWTH_MIB)) process.exitCode = 1
}
