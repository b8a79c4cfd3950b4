import { changeRun } from '../change-run.ts'
import type { Command } from '../command-request.ts'
import type { RunStoreOptions } from '../open-run-store.ts'

/** `toolwright resume <run>`: takes a blocked run up again, when what blocked it is mended. */
export const resume: Command<RunStoreOptions> = async ({ words: [given = ''], options, output }) =>
  changeRun({ given, options, output, done: (id) => `The run ${id} is taken up again by the next free worker.` }, (run) => run.resume())
