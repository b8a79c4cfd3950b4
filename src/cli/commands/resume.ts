import { changeRun } from '../change-run.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'

interface ResumeCommandOptions extends RunStoreOptions {
  readonly all?: boolean | undefined
  readonly code?: string | undefined
  readonly tool?: string | undefined
}

/** `toolwright resume <run>` or `--all`: continues blocked runs, when the cause is fixed. */
export const resume: Command<ResumeCommandOptions> = async ({ words: [given], options, output }) => {
  const { all = false, code, tool } = options
  if (all === (given !== undefined) || (!all && (code ?? tool) !== undefined))
    throw new CliError('usage', 'Name one run, or use --all for all blocked runs.', {
      hint: 'Use resume <run>, or resume --all, with --code or --tool for some of them.',
    })
  if (given !== undefined)
    return changeRun({ given, options, output, done: (id) => `The next free worker continues the run ${id}.` }, (run) => run.resume())
  return withRunStore(options, output, async (runs) => {
    const resumed = await runs.resume({ code, tool })
    if (output.json) output.printJson({ resumed })
    else output.note(`${resumed} blocked ${resumed === 1 ? 'run continues' : 'runs continue'} with the next free worker.`)
    return EXIT.ok
  })
}
