import { EXIT } from './exit-code.ts'

let isGone = false

/** Ends the process when standard output cannot be written. */
export function guardOutput(): void {
  process.stdout.on('error', endWithoutOutput)
}

/** An unread standard error is no reason to end. Apart from the other, since the stream is made when it is first named. */
export function guardNotes(): void {
  process.stderr.on('error', () => {})
}

/** Whether the process ends because nobody reads its output. */
export function isOutputGone(): boolean {
  return isGone
}

/** A reader that has read enough, as `head` does, is no failure. Anything else is told on standard error alone, since the output is what is broken. */
export function endWithoutOutput(error: NodeJS.ErrnoException): void {
  isGone = true
  if (error.code === 'EPIPE') process.exit()
  writeNow(2, `error: The output could not be written. ${error.message}\n`)
  process.exit(EXIT.failed)
}

/** Writes at once, for a process that is about to end. Where that fails too, nobody is left to tell. The module is asked for by name, since an import costs at every start. */
export function writeNow(descriptor: 1 | 2, text: string): void {
  try {
    process.getBuiltinModule('node:fs').writeSync(descriptor, text)
  } catch {
    // The stream is broken or full.
  }
}
