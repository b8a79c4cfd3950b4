import type { ClientConfig } from 'pg'
import { openRuns } from '../../src/run/open-runs.ts'
import type { OnStopPoint } from '../../src/run/stop-point.ts'
import { findTheDead, openDatabase } from './pair-database.ts'
import { peopleAt } from './people.ts'
import type { Shape, ShapeInput } from './shape.ts'

export interface Finishing {
  readonly shapes: readonly Shape[]
  readonly shape: Shape
  readonly input: ShapeInput
  readonly onStopPoint?: OnStopPoint | undefined
}

/** Starts the run, or takes it up where it was left, and gives the status that it comes to. */
export async function finishRun(connection: ClientConfig, { shapes, shape, input, onStopPoint }: Finishing): Promise<string> {
  const store = openDatabase(connection)
  const tools = new Map(shapes.map(({ tool }) => [tool.name, tool]))
  await findTheDead(store)
  const runs = await openRuns({ database: store, tools: async () => tools, onStopPoint })
  const sendHome = peopleAt(runs, 'grace')
  try {
    const run = await runs.start(shape.tool, input, { key: input.run })
    await run.result().catch(() => {})
    return (await run.status()).status
  } finally {
    await sendHome()
    await runs.close()
    await store.close()
  }
}
