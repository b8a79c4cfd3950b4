import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import type { Readable } from 'node:stream'
import { type CancelTimer, systemClock } from '../../tool/ports/clock.ts'
import { MARK } from './child-environment.ts'
import { KeptOutput } from './kept-output.ts'
import { endsWithThisProcess, startedUnderWatch } from './live-trees.ts'
import { ProcessTree } from './process-tree.ts'

export interface ProcessRequest {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Undefined: the program reads the end of its input at once. */
  readonly stdin: string | undefined
  readonly mark: string
  readonly signal: AbortSignal
  readonly timeoutMs: number | undefined
  readonly limits: ProcessBounds
  /** Hears the lines of the error output. */
  readonly onLine: ((line: string) => void) | undefined
}

interface ProcessBounds {
  readonly stdoutBytes: number
  readonly stderrBytes: number
  readonly totalBytes: number
  readonly graceMs: number
}

/** Why we ended a program before it ended by itself. */
type Stopped = 'cancelled' | 'timeout' | 'output'

export interface ProcessEnd {
  /** Undefined where a signal ended it. */
  readonly exitCode: number | undefined
  readonly signal: NodeJS.Signals | undefined
  readonly stopped: Stopped | undefined
  readonly stdout: KeptOutput
  readonly stderr: KeptOutput
  /** The program ended or closed its input before it had read all of it. */
  readonly leftInput: boolean
  /** Something that it had started still held its output, or ran outside of its group, when it ended, and was ended. */
  readonly leftBehind: boolean
}

/** How long output may stay open after its program has ended. What comes in this time is still read. */
const DRAIN_MS = 200
/** The end of a process that was killed is not waited for any longer. */
const LAST_MS = 2000

/** What is not named is a pipe. */
const WITH_INPUT: StdioOptions = []
const WITHOUT_INPUT: StdioOptions = ['ignore']

/** Starts a program and waits for its end. It rejects only if the program was not started. */
export function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  return new Promise((resolve, reject) =>
    startedUnderWatch(() => {
      const child = spawn(request.file, request.args, {
        cwd: request.cwd,
        env: { ...request.env, [MARK]: request.mark },
        stdio: request.stdin === undefined ? WITHOUT_INPUT : WITH_INPUT,
        detached: process.platform !== 'win32',
        windowsHide: true,
        shell: false,
      })
      if (child.pid === undefined) child.once('error', reject)
      else new RunningProcess(child, child.pid, { request, resolve }).watch()
    }),
  )
}

interface Watched {
  readonly request: ProcessRequest
  readonly resolve: (end: ProcessEnd) => void
}

class RunningProcess {
  readonly #child: ChildProcess
  readonly #request: ProcessRequest
  readonly #resolve: (end: ProcessEnd) => void
  readonly #tree: ProcessTree
  readonly #forget: () => void
  readonly #stdout: KeptOutput
  readonly #stderr: KeptOutput
  readonly #timers = new Set<CancelTimer>()
  readonly #onAbort = (): void => this.#stop('cancelled')
  #stopped: Stopped | undefined
  #leftInput = false
  #leftBehind = false
  #isOver = false

  constructor(child: ChildProcess, pid: number, { request, resolve }: Watched) {
    this.#child = child
    this.#request = request
    this.#resolve = resolve
    this.#tree = new ProcessTree(pid, request.mark)
    this.#forget = endsWithThisProcess(this.#tree)
    this.#stdout = new KeptOutput(request.limits.stdoutBytes)
    this.#stderr = new KeptOutput(request.limits.stderrBytes)
  }

  watch(): void {
    const { stdin, signal, timeoutMs, onLine } = this.#request
    const child = this.#child
    this.#read(child.stdout as Readable, this.#stdout)
    this.#read(child.stderr as Readable, this.#stderr)
    if (onLine !== undefined) eachLine(child.stderr as Readable, onLine)
    child.stdin?.on('error', () => {
      this.#leftInput = stdin !== ''
    })
    child.stdin?.end(stdin)
    child.on('error', () => {})
    child.once('exit', () => this.#exited())
    child.once('close', () => this.#over())
    signal.addEventListener('abort', this.#onAbort, { once: true })
    if (signal.aborted) this.#stop('cancelled')
    if (timeoutMs !== undefined) this.#later(timeoutMs, () => this.#stop('timeout'))
  }

  #read(stream: Readable, kept: KeptOutput): void {
    stream.on('data', (chunk: Buffer) => {
      kept.add(chunk)
      if (this.#stdout.total + this.#stderr.total > this.#request.limits.totalBytes) this.#stop('output')
    })
    stream.on('error', () => {})
  }

  /** Only the first reason counts. */
  #stop(why: Stopped): void {
    if (this.#isOver || this.#stopped !== undefined) return
    this.#stopped = why
    this.#tree.ask()
    this.#later(this.#request.limits.graceMs, () => {
      this.#tree.end()
      this.#later(LAST_MS, () => this.#over())
    })
  }

  #exited(): void {
    this.#tree.leaderEnded()
    if (this.#stopped !== undefined) this.#tree.endMarked()
    this.#later(DRAIN_MS, () => {
      this.#leftBehind = true
      this.#tree.endMarked()
      this.#later(DRAIN_MS, () => this.#over())
    })
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    // What left the group and closed its output is heard of by nothing else.
    if (this.#tree.endMarked() && this.#stopped === undefined) this.#leftBehind = true
    this.#forget()
    this.#request.signal.removeEventListener('abort', this.#onAbort)
    for (const cancel of this.#timers) cancel()
    const { stdin, stdout, stderr, exitCode, signalCode } = this.#child
    for (const stream of [stdin, stdout, stderr]) stream?.destroy()
    this.#child.unref()
    this.#resolve({
      exitCode: exitCode ?? undefined,
      signal: signalCode ?? undefined,
      stopped: this.#stopped,
      stdout: this.#stdout,
      stderr: this.#stderr,
      leftInput: this.#leftInput,
      leftBehind: this.#leftBehind,
    })
  }

  #later(ms: number, callback: () => void): void {
    this.#timers.add(systemClock.timer(ms, callback))
  }
}

const LONGEST_LINE = 500
const MOST_LINES = 1000

/** Calls back with each whole line, a bounded number of them, each of bounded length. */
function eachLine(stream: Readable, callback: (line: string) => void): void {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  let told = 0
  stream.on('data', (chunk: Buffer) => {
    if (told >= MOST_LINES) return
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|[\r\n]/)
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) if (line.trim() !== '' && told++ < MOST_LINES) callback(line.slice(0, LONGEST_LINE).toWellFormed())
  })
}
