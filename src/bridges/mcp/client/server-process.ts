import { type ChildProcess, spawn } from 'node:child_process'
import type { Transport } from '@modelcontextprotocol/client'
import type { McpProgram } from '../../../runtime/mcp-server-entry.ts'
import { type CancelTimer, type Clock, nextTurn } from '../../../tool/ports/clock.ts'
import { MessageLines } from './message-lines.ts'

type Message = Parameters<Transport['send']>[0]

export interface ServerProcessOptions {
  readonly program: McpProgram
  readonly clock: Clock
  readonly maxBytes: number
  /** The part of the environment that every program gets. */
  readonly environment: Readonly<Record<string, string>>
  /** A message of the protocol, checked. */
  readonly parse: (text: string) => Message
  /** A request is sent to it. */
  readonly onRequest: (id: string | number) => void
  /** A line of its standard error. */
  readonly onStderr: (text: string) => void
}

/** How long a program may take to end after its input has ended, and again after SIGTERM. */
const GRACE_MS = 2000

/** How long a program may live after it has closed its output. */
const SILENT_MS = 200

const LONGEST_STDERR_LINE = 4096
const MOST_HELD = 1000

/** The programs that run: what is left of them ends with this process. */
const running = new Set<ServerProcess>()

function endAll(): void {
  for (const each of running) each.kill('SIGKILL')
}

/**
 * A server as a program of its own, with all that it starts. It leads a group of processes, so that its children end with it, and so that an
 * interrupt of the terminal reaches it only through us. The SDK's own transport ends the program alone.
 */
export class ServerProcess implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  /** The SDK knows a program by these two. */
  readonly stderr = null
  #process: ChildProcess | undefined
  readonly #options: ServerProcessOptions
  #isClosed = false
  readonly #inbox: Message[] = []
  #isHolding = false
  #late: CancelTimer | undefined
  #silent: CancelTimer | undefined
  /** A report of progress was passed on, and no turn has ended since as far as is known. */
  #hasReported = false
  #closing: Promise<void> | undefined
  /** How the program ended, for messages. */
  ending: string | undefined

  constructor(options: ServerProcessOptions) {
    this.#options = options
  }

  get pid(): number | null {
    return this.#process?.pid ?? null
  }

  start(): Promise<void> {
    const { program, environment, maxBytes } = this.#options
    const { command, args = [], env, cwd } = program
    const child = spawn(command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...environment, ...env },
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.#process = child
    if (running.size === 0) process.once('exit', endAll)
    running.add(this)
    const messages = new MessageLines(maxBytes, (line) => this.#read(line))
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.#isClosed && !messages.push(chunk)) this.#giveUp(`it sent a message of more than ${maxBytes} bytes`)
    })
    const notes = new MessageLines(LONGEST_STDERR_LINE, (line) => this.#options.onStderr(line))
    child.stderr.on('data', (chunk: Buffer) => {
      if (!notes.push(chunk)) notes.skipLine()
    })
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', (error) => this.onerror?.(error))
    child.once('exit', (code, signal) => {
      this.#silent?.()
      this.ending ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
    })
    // A child of the program may hold its output open. What the program has written before its end is still read.
    child.once('exit', () => {
      this.kill('SIGKILL')
      this.#late = this.#options.clock.timer(GRACE_MS, () => this.#ended())
    })
    child.once('close', () => this.#ended())
    // A program that ends closes its output too, and says next how it ended.
    child.stdout.once('end', () => {
      if (!this.#isClosed) this.#silent = this.#options.clock.timer(SILENT_MS, () => this.#giveUp('it has closed its output'))
    })
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => {
        this.#ended()
        reject(error)
      })
    })
  }

  send(message: Message): Promise<void> {
    const stdin = this.#process?.stdin
    if (this.#isClosed || stdin === undefined || stdin === null || !stdin.writable)
      return Promise.reject(Object.assign(new Error('The program has ended.'), { code: 'NOT_CONNECTED' }))
    if ('method' in message && 'id' in message) this.#options.onRequest(message.id)
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error === undefined || error === null ? resolve() : reject(error)))
    })
  }

  /** Ends the program as a shell would: its input first, then SIGTERM, then SIGKILL, for all processes of the group. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    const child = this.#process
    if (child === undefined) return this.#ended()
    child.stdin?.end()
    if (!(await this.#hasEnded(child))) {
      this.kill('SIGTERM')
      await this.#hasEnded(child)
    }
    this.kill('SIGKILL')
    this.#ended()
  }

  /** Sends a signal to the program and all that it has started. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const pid = this.#process?.pid
    if (pid === undefined) return
    try {
      if (process.platform === 'win32') spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
      else process.kill(-pid, signal)
    } catch {
      // The group has ended.
    }
  }

  #hasEnded(child: ChildProcess): Promise<boolean> {
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true)
    return new Promise((resolve) => {
      const stop = this.#options.clock.timer(GRACE_MS, () => resolve(false))
      child.once('exit', () => {
        stop()
        resolve(true)
      })
    })
  }

  #read(line: string): void {
    if (line.trim() === '') return
    if (isUnheard(line)) return
    let message: Message
    try {
      message = this.#options.parse(line)
    } catch (error) {
      // Some programs print to their standard output; whatever it is, it is no message.
      this.onerror?.(new Error('A line of its output is no message of the protocol.', { cause: error }))
      return
    }
    this.#inbox.push(message)
    this.#deliver()
  }

  /** The SDK loses a report of progress if the answer comes in the same turn: the answer waits for the next one. A flood waits for nothing. */
  #deliver(): void {
    while (!this.#isHolding) {
      const [message] = this.#inbox
      if (message === undefined) return
      if (this.#hasReported && !('method' in message) && this.#inbox.length <= MOST_HELD) return this.#hold()
      this.#inbox.shift()
      this.onmessage?.(message)
      if (isProgress(message)) this.#hasReported = true
    }
  }

  #hold(): void {
    this.#isHolding = true
    nextTurn(() => {
      this.#isHolding = false
      this.#hasReported = false
      this.#deliver()
    })
  }

  #giveUp(why: string): void {
    this.ending = why
    this.onerror?.(new Error(why))
    this.kill('SIGKILL')
    this.#ended()
  }

  #ended(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // What the program has started goes with it.
    this.kill('SIGKILL')
    this.#late?.()
    this.#silent?.()
    running.delete(this)
    if (running.size === 0) process.removeListener('exit', endAll)
    const { stdin, stdout, stderr } = this.#process ?? {}
    for (const stream of [stdin, stdout, stderr]) stream?.destroy()
    this.#isHolding = false
    this.#hasReported = false
    this.#deliver()
    this.onclose?.()
  }
}

function isProgress(message: Message): boolean {
  return 'method' in message && message.method === 'notifications/progress'
}

/** Notifications that nobody listens to. To check each of a flood of them would take longer than the server needs to write it. */
const UNHEARD = ['message', 'resources/updated', 'resources/list_changed', 'prompts/list_changed'].map((name) => `"notifications/${name}"`)

/** How far the method stands from the beginning of a line, as libraries write it. */
const BEGINNING = 80

function isUnheard(line: string): boolean {
  const method = /^\{"(?:jsonrpc":"2\.0",")?method":("[^"]{1,60}")/.exec(line.slice(0, BEGINNING))?.[1]
  return method !== undefined && UNHEARD.includes(method) && !line.includes('"id":')
}
