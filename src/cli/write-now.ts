import { writeSync } from 'node:fs'

/** Writes at once, for a process that is about to end. Where that fails too, nobody is left to tell. */
export function writeNow(descriptor: 1 | 2, text: string): void {
  try {
    writeSync(descriptor, text)
  } catch {
    // The stream is broken or full.
  }
}
