import type { RunHandle } from '../run/run-handle.ts'
import { printable } from '../tool/printable.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { matchId } from './match-id.ts'
import type { Output } from './output.ts'
import { type RunStoreOptions, withRunStore } from './with-run-store.ts'

export interface RunChange {
  /** The id of the run, or its beginning. */
  readonly given: string
  readonly options: RunStoreOptions
  readonly output: Output
  readonly done: (id: string) => string
}

/** Changes a run and prints a message; as JSON, the new status of the run. */
export function changeRun({ given, options, output, done }: RunChange, change: (run: RunHandle) => Promise<void>): Promise<ExitCode> {
  return withRunStore(options, output, async (runs) => {
    const run = await runs.get(await matchId(runs, 'run', given))
    await change(run)
    if (output.json) output.printJson(await run.status())
    else output.note(printable(done(run.id)))
    return EXIT.ok
  })
}
