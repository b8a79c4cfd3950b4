import type { ClientConfig } from 'pg'
import { openRuns } from '../../src/run/open-runs.ts'
import type { OnStopPoint } from '../../src/run/stop-point.ts'
import { findTheDead, openDatabase } from './pair-database.ts'
import { peopleAt } from './people.ts'
import { recordedEntries } from './recorded-entries.ts'
import type { RunEnd } from './run-end.ts'
import type { Shape, ShapeInput } from './shape.ts'

export interface Finishing {
  readonly shapes: readonly Shape[]
  readonly shape: Shape
  readonly input: ShapeInput
  readonly onStopPoint?: OnStopPoint | undefined
}

/** How the run ended, by the database. */
type FinishedRun = Pick<RunEnd, 'status' | 'entries'>

/** Starts the run, or takes it up where it was left, and gives what it comes to. */
export async function finishRun(connection: ClientConfig, { shapes, shape, input, onStopPoint }: Finishing): Promise<FinishedRun> {
  const store = await openDatabase(connection)
  const tools = new Map(shapes.map(({ tool }) => [tool.name, tool]))
  await findTheDead(store)
  const runs = await openRuns({ database: store, tools: async () => tools, onStopPoint })
  const sendHome = peopleAt(runs, 'grace')
  try {
    const run = await runs.start(shape.tool, input, { key: input.run })
    await run.result().catch(() => {})
    const entries = (await recordedEntries(store)).get(run.id) ?? []
    return { status: (await run.status()).status, entries }
  } finally {
    await sendHome()
    await runs.close()
    await store.close()
  }
}
