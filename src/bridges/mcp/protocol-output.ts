import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import type { Writable } from 'node:stream'

type Hear = (event: string, listener: (...given: unknown[]) => void) => unknown

/** What a transport needs of its output. A stream around the output would cost each message a second passage through a stream. */
export interface ProtocolOutput extends Pick<Writable, 'listeners'> {
  /** False if it is to wait for `drain`. */
  readonly write: (text: string) => boolean
  readonly on: Hear
  readonly once: Hear
  readonly off: Hear
}

/**
 * The real standard output, for the protocol alone. All other writers are redirected to standard error: those in this process, and the
 * programs that it starts from now on and lets inherit its output. Code that is not JavaScript, and `fs.writeSync(1)`, are not held back.
 */
export function protocolOutput(): ProtocolOutput {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout) as ProtocolOutput['write']
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  redirectChildren()
  // A client that went away no longer reads it either, and a note that nobody reads is no reason to crash.
  stderr.on('error', () => {})
  return {
    write,
    on: (event, listener) => stdout.on(event, listener),
    once: (event, listener) => stdout.once(event, listener),
    off: (event, listener) => stdout.off(event, listener),
    listeners: (event) => stdout.listeners(event),
  }
}

type Start = (this: unknown, ...given: readonly unknown[]) => unknown

let isRedirected = false

/** Node cannot duplicate a descriptor, so that the output cannot be moved away from its number: the programs get another one instead. */
function redirectChildren(): void {
  if (isRedirected) return
  isRedirected = true
  const places: readonly (readonly [Record<string, Start>, readonly string[]])[] = [
    [childProcess as unknown as Record<string, Start>, ['spawnSync', 'execSync', 'execFileSync']],
    // All that do not wait for the program use it.
    [childProcess.ChildProcess.prototype as unknown as Record<string, Start>, ['spawn']],
  ]
  for (const [place, names] of places)
    for (const name of names) {
      const start = place[name] as Start
      place[name] = function (...given) {
        return start.apply(this, given.map(withOtherOutput))
      }
    }
  syncBuiltinESMExports()
}

/** The options of a program that is to be started: the only argument that is an object and no list. */
function withOtherOutput(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || !('stdio' in given)) return given
  return { ...given, stdio: otherOutput(given.stdio) }
}

const [OUTPUT, ERROR] = [1, 2]

function otherOutput(stdio: unknown): unknown {
  if (stdio === 'inherit') return ['inherit', ERROR, 'inherit']
  return Array.isArray(stdio) ? stdio.map((each: unknown, index) => (isOutput(each, index) ? ERROR : each)) : stdio
}

function isOutput(given: unknown, index: number): boolean {
  return given === OUTPUT || given === process.stdout || (given === 'inherit' && index === OUTPUT)
}
