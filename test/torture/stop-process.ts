/** Starts a run, carries it on and decides what it asks, until it comes to its stop-point for the given time: there it kills itself. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { openRuns } from '../../src/run/open-runs.ts'
import type { StopPoint } from '../../src/run/stop-point.ts'
import { ledgerClient } from './ledger-client.ts'
import { openDatabase } from './pair-database.ts'
import { peopleAt } from './people.ts'
import type { ShapeInput } from './shape.ts'
import { shapesOf } from './shapes.ts'

export interface StopOrder {
  readonly connection: ClientConfig
  readonly socket: string
  readonly shape: string
  readonly input: ShapeInput
  readonly point: StopPoint
  /** It stops when it passes the point for this time, from 1. */
  readonly time: number
}

process.once('message', (order: StopOrder) => void run(order))
process.once('disconnect', () => process.exit())
process.send?.('ready')

async function run({ connection, socket, shape: name, input, point, time }: StopOrder): Promise<void> {
  const shapes = shapesOf(ledgerClient(socket))
  const shape = shapes.find((each) => each.name === name)
  if (shape === undefined) throw new Error(`There is no shape '${name}'.`)
  const tools = new Map(shapes.map(({ tool }) => [tool.name, tool]))
  let passed = 0
  const runs = await openRuns({
    database: await openDatabase(connection),
    tools: async () => tools,
    onStopPoint: (reached) => {
      if (reached === point && ++passed === time) process.kill(process.pid, 'SIGKILL')
    },
  })
  if (shape.isGated === true) peopleAt(runs, 'ada')
  const started = await runs.start(shape.tool, input, { key: input.run })
  await started.result().catch(() => {})
  // The job of the run is completed a little later than the run.
  await pause(200)
  process.exit()
}
