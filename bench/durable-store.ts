import pg from 'pg'
import { openStore, stopEmbedded } from 'toolwright/store'
import { startPostgres } from '../test/fixtures/postgres/start-postgres.ts'
import { withEmbedded } from './durable-servers.ts'
import type { Effort, Figure } from './figure.ts'
import { elapsed, ratioOf, takeTurns } from './take-turns.ts'

/** Measured when they were set: 1.1x to 1.9x, 3.8x to 4.8x, and 2.3x to 2.7x. The rest is head room. The baselines do by hand what cannot be left out. */
const MOST_TIMES = { cold: 3, stopped: 8, warm: 4 }

/** How long `openStore` takes: with nothing there, with a server that was stopped, and with one that runs. */
export async function measureOpening({ starts }: Effort): Promise<readonly Figure[]> {
  const cold = await takeTurns({ byHand: startByHand, open: openCold }, { rounds: Math.ceil(starts / 4), warmUp: 1 })
  return withEmbedded(async (database) => {
    const { connection } = await openAndClose()
    const warm = await takeTurns(
      { byHand: () => elapsed(() => connectByHand(connection)), open: () => elapsed(openAndClose) },
      { rounds: starts },
    )
    const stopped = await takeTurns({ warm: () => elapsed(openAndClose), open: openStopped }, { rounds: Math.ceil(starts / 2) })
    return [
      figure('cold', 'openStore with nothing there, beside initdb and postgres by hand', ratioOf(cold.byHand, cold.open)),
      figure('stopped', 'openStore where the server was stopped, beside one that runs', ratioOf(stopped.warm, stopped.open)),
      figure('warm', 'openStore where the server runs, beside a connection by hand', ratioOf(warm.byHand, warm.open)),
    ]

    async function openAndClose(): Promise<{ readonly connection: pg.ClientConfig }> {
      const store = await openStore(database)
      await store.close()
      return store
    }

    async function openStopped(): Promise<number> {
      await stopEmbedded(database.home)
      return elapsed(openAndClose)
    }
  })
}

function figure(kind: keyof typeof MOST_TIMES, about: string, ratio: ReturnType<typeof ratioOf>): Figure {
  return { name: `durable-open-${kind}`, unit: 'ms', ...ratio, budget: MOST_TIMES[kind], about }
}

function openCold(): Promise<number> {
  return withEmbedded((database) => elapsed(async () => (await openStore(database)).close()))
}

async function startByHand(): Promise<number> {
  const start = performance.now()
  const server = await startPostgres({ synced: true })
  const ms = performance.now() - start
  await server.stop()
  return ms
}

async function connectByHand(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('select 1')
  await client.end()
}
