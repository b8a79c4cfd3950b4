import type { AgentTool } from '../agent-tool.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { CallOptions, PartOptions } from '../context.ts'
import { toMilliseconds } from '../duration.ts'
import type { Listener } from '../event.ts'
import { type Logger, silentLogger } from '../logger.ts'
import type { Journal } from '../journal/journal.ts'
import type { ToolResult } from '../result.ts'
import type { Call } from './call.ts'
import { beginReplay, type Replay } from './replay.ts'

/** What a call says when it calls one of its parts. */
export interface PartCall {
  readonly label: string
  readonly tool: AgentTool
  readonly input: unknown
  readonly options?: PartOptions | undefined
  /** The label is known to occur once in the caller, so that it need not be numbered. */
  readonly isUnique?: boolean | undefined
  /** Instead of the caller's. */
  readonly journal?: Journal | undefined
}

/** Calls a tool inside another call. */
export type CallPart = (parent: Call, part: PartCall) => Promise<ToolResult>

const NO_OPTIONS: CallOptions = {}

/** What all calls below one root call share. */
export class RootCall {
  /** Handed in, since a call that can call others and the door that makes calls need each other. */
  readonly callPart: CallPart
  readonly options: CallOptions
  readonly clock: Clock
  readonly listeners: readonly Listener[] | undefined
  /** Somebody reads events: without one, none is made. */
  readonly observed: boolean
  /** The time of a leaf that names none. */
  readonly stepDeadlineMs: number | undefined
  /** What the run had recorded when it was taken up; undefined for one that begins. */
  readonly replay: Replay | undefined
  #traceId: string | undefined
  #runId: string | undefined
  #spoken: Set<string> | undefined

  constructor(callPart: CallPart, options: CallOptions = NO_OPTIONS) {
    this.callPart = callPart
    this.options = options
    this.clock = options.clock ?? systemClock
    this.listeners = options.on === undefined ? undefined : listOf(options.on)
    this.stepDeadlineMs = options.stepDeadline === undefined ? undefined : toMilliseconds(options.stepDeadline, 'A step deadline')
    this.observed = this.listeners !== undefined || options.log !== undefined
    this.replay =
      options.journal?.past === undefined ? undefined : beginReplay(options.journal, { clock: this.clock, run: options.idempotencyKey })
  }

  get log(): Logger {
    return this.options.log ?? silentLogger
  }

  /** Some observer wants to run the tools' functions itself. */
  get surrounded(): boolean {
    return this.listeners !== undefined && this.listeners.some((each) => typeof each !== 'function' && each.around !== undefined)
  }

  get traceId(): string {
    return (this.#traceId ??= this.options.traceId ?? this.newId())
  }

  /** What idempotency keys are derived from: the caller's key, where there is one. */
  get runId(): string {
    return (this.#runId ??= this.options.idempotencyKey ?? this.newId())
  }

  /** Secrets that were handed out in this call, to be masked in texts. */
  get spoken(): Set<string> {
    return (this.#spoken ??= new Set())
  }

  get hasSpoken(): boolean {
    return this.#spoken !== undefined
  }

  newId(): string {
    return this.options.ids === undefined ? crypto.randomUUID() : this.options.ids()
  }
}

function listOf(on: NonNullable<CallOptions['on']>): readonly Listener[] | undefined {
  const list = (Array.isArray as (value: unknown) => value is readonly Listener[])(on) ? on : [on]
  return list.length === 0 ? undefined : list
}
