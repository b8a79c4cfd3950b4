import { EXIT } from './exit-code.ts'

let isGone = false

/** Ends the process when standard output cannot be written. */
export function guardOutput(): void {
  process.stdout.on('error', endWithoutOutput)
}

/** A closed standard error does not end the process. This is a function of its own, since the first use of the stream opens it. */
export function guardNotes(): void {
  process.stderr.on('error', () => {})
}

/** Whether the process ends because nobody reads its output. */
export function isOutputGone(): boolean {
  return isGone
}

/** A reader that has read enough, as `head` does, is no failure. Any other error is printed on standard error only. */
export function endWithoutOutput(error: NodeJS.ErrnoException): void {
  isGone = true
  if (error.code === 'EPIPE') process.exit()
  writeNow(2, `error: The output could not be written. ${error.message}\n`)
  process.exit(EXIT.failed)
}

/** Writes synchronously, for a process that is about to end; an error is ignored. The module is not imported, since an import costs time at every start. */
export function writeNow(descriptor: 1 | 2, text: string): void {
  try {
    process.getBuiltinModule('node:fs').writeSync(descriptor, text)
  } catch {
    // The stream is broken or full.
  }
}
