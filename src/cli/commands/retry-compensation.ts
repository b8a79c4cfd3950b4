import { changeRun } from '../change-run.ts'
import type { Command } from '../command.ts'
import { decider } from '../decide-request.ts'
import type { RunStoreOptions } from '../with-run-store.ts'

interface RetryOptions extends RunStoreOptions {
  readonly by?: string | undefined
}

/** `toolwright retry-compensation <run>`: tries once more to undo what a saga could not. */
export const retryCompensation: Command<RetryOptions> = async ({ words: [given = ''], options, output }) =>
  changeRun({ given, options, output, done: (id) => `The next free worker retries the compensation of the run ${id}.` }, (run) =>
    run.retryCompensation(decider(options.by)),
  )
