import { changeRun } from '../change-run.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import type { RunStoreOptions } from '../with-run-store.ts'

/** `toolwright cancel <run> [reason]`: asks a run to end; sagas undo what they did. */
export const cancel: Command<RunStoreOptions> = async ({ words: [given = '', ...words], options, output }) => {
  const reason = words.join(' ')
  return changeRun({ given, options, output, done: (id) => `The run ${id} is asked to end.` }, async (run) => {
    if (await run.cancel(reason === '' ? undefined : reason)) return
    const { status } = await run.status()
    throw new CliError('run_not_open', `The run '${run.id}' had ended already: it is ${status}.`, { exit: EXIT.failed })
  })
}
