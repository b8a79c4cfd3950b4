import { isRecord } from '../../schema/json-schema.ts'
import { excerpt } from '../../schema/quote.ts'
import { isConfigurationError } from '../errors/configuration-error.ts'
import type { CallFinished, CallRetried, Listener, MetricRecorded, Observer, ToolEvent } from '../event.ts'
import type { Logger } from '../ports/logger.ts'
import { logView, maskText } from '../secrets/mask.ts'
import { failureData } from '../result/failure-details.ts'
import type { Usage } from '../result/result.ts'
import { loggedRequest } from './logged-request.ts'
import { noted, type SettledResult } from '../result/settled.ts'
import { printable } from '../printable.ts'
import { textOf } from '../result/text-of.ts'
import type { Call } from './call.ts'
import { runOf } from './call-log.ts'
import { hideDeclaredOutput, secretsWithOutput } from './call-view.ts'
import { drive, isGenerator } from './drive.ts'
import type { Replay } from './replay.ts'

const NOBODY: readonly Listener[] = []

/** Calls all listeners. If a listener or a logger throws, a process warning is emitted, and the call continues. */
function announce(call: Call, event: ToolEvent): void {
  const { root } = call
  const { listeners = NOBODY } = root
  for (let index = 0; index < listeners.length; index++) {
    const listener = listeners[index] as Listener
    try {
      const heard: unknown = typeof listener === 'function' ? listener(event) : listener.onEvent(event)
      if (heard instanceof Promise) heard.catch((error: unknown) => warn('A listener of tool events', error))
    } catch (error) {
      warn('A listener of tool events', error)
    }
  }
  if (root.options.log === undefined) return
  try {
    logEvent(root.options.log, event, call)
  } catch (error) {
    warn('The logger', error)
  }
}

/** An event without what every event has. */
type Body<E> = E extends ToolEvent ? Omit<E, 'at' | 'call'> : never

/** A tool that was cut off at its deadline announces nothing more. */
export function announceNow(call: Call, body: Body<Exclude<ToolEvent, CallFinished>>): void {
  if (call.end !== undefined) return
  announce(call, { ...masked(call, body), at: call.root.clock.now(), call } as ToolEvent)
}

/** Tells of an attempt that has failed and will be followed by another. One that was only replayed was told before. */
export function announceRetry(call: Call, body: Omit<CallRetried, 'type' | 'at' | 'call'>): void {
  if (!call.root.observed || call.replayed) return
  announce(call, { ...masked(call, { type: 'call.retried', ...body }), at: call.root.clock.now(), call })
}

/** Progress and logs of a tool may contain secrets too. */
function masked<B extends Body<ToolEvent>>(call: Call, body: B): B {
  if (body.type === 'metric.recorded')
    return {
      ...body,
      name: call.maskText(body.name),
      attributes: logView(body.attributes, {}, call.secrets) as MetricRecorded['attributes'],
    }
  if (body.type === 'review.requested' || body.type === 'review.decided')
    return { ...body, request: loggedRequest(body.request, call.secrets) }
  if (body.type === 'call.retried') return { ...body, error: maskedError(call, body.error) }
  if (body.type === 'call.progressed' && typeof body.message === 'string') return { ...body, message: call.maskText(body.message) }
  return body
}

function maskedError<E extends NonNullable<CallFinished['error']>>(call: Call, error: E): E {
  return { ...error, code: call.maskText(error.code), message: call.maskText(error.message), hint: call.maskText(error.hint) }
}

/** Texts are masked when they are read. */
class Finished implements CallFinished {
  declare readonly type: 'call.finished'
  declare readonly at: number
  declare readonly call: Call
  declare readonly durationMs: number
  readonly #result: SettledResult

  /** Declared fields are written once. */
  constructor(call: Call, result: SettledResult) {
    this.type = 'call.finished'
    this.call = call
    this.at = call.endedAt
    this.durationMs = call.root.clock.tick() - call.startedAt
    this.#result = result
  }

  get outcome(): CallFinished['outcome'] {
    if (this.fatal) return 'error'
    return this.#result.ok ? 'success' : this.#result.thrown ? 'error' : 'failure'
  }
  get text(): string {
    const { call } = this
    const { fatal } = call
    if (fatal !== undefined) return call.maskText(`Error: ${fatal instanceof Error ? fatal.message : String(fatal)}`)
    const result = this.#result
    if (!result.ok) return call.maskText(result.text)
    if (result.ownText === undefined) return call.maskText(noted(result, textOf(call.output)))
    return maskText(noted(result, result.ownText), secretsWithOutput(call))
  }
  get error(): CallFinished['error'] {
    if (this.#result.ok || this.fatal) return undefined
    const { call } = this
    return maskedError(call, failureData(this.#result.error))
  }
  get code(): string | undefined {
    const failed: unknown = this.fatal ? this.call.fatal : this.#result.ok ? undefined : this.#result.error
    return isRecord(failed) && typeof failed['code'] === 'string' ? this.call.maskText(failed['code']) : undefined
  }
  get usage(): Usage | undefined {
    return this.#result.usage ?? this.call.used
  }
  get fatal(): boolean {
    return this.call.fatal !== undefined
  }
  get replayed(): boolean {
    return this.call.replayed
  }
  toJSON(): object {
    const { type, at, call, outcome, durationMs, text, error, code, usage, fatal, replayed, counts } = this
    return { type, at, call, outcome, durationMs, text, error, code, usage, fatal, replayed, counts }
  }
  get counts(): boolean {
    return this.call.layer === undefined || this.call.children === undefined
  }
}

export function announceStart(call: Call): void {
  call.startedAt = call.root.clock.tick()
  announce(call, { type: 'call.started', at: call.scope.stamp().at, call })
}

export function announceEnd(call: Call, result: SettledResult): void {
  hideDeclaredOutput(call)
  if (call.root.replay !== undefined && isWalkedAgain(call, call.root.replay, result)) call.markReplayed()
  announce(call, new Finished(call, result))
}

/** A compound that ended before the run was resumed: all that it does is recorded. One that is cut off now ends for the first time. */
function isWalkedAgain(call: Call, replay: Replay, result: SettledResult): boolean {
  const { parent, journal, behaviour, rare, scope } = call
  if (parent === undefined || journal === undefined || behaviour.leaf || rare?.isNew === true) return false
  return (scope.closed === undefined || result.ok) && (replay.isCatchingUp || replay.hasBegun(call.path))
}

/** Runs a tool's function, a generator to its end, inside the `around` functions of the observers. */
export function surround(call: Call, input: unknown): unknown {
  let wrapped = (): unknown => {
    const output = call.behaviour.run(input, call)
    return isGenerator(output) ? drive(output, call) : output
  }
  for (const listener of call.root.listeners ?? []) {
    if (typeof listener === 'function' || listener.around === undefined) continue
    const inner = wrapped
    wrapped = () => runOnce(call, listener, inner)
  }
  return wrapped()
}

/** The function runs exactly once and its own output counts, even if an observer throws, does not call it, or calls it twice. */
function runOnce(call: Call, observer: Observer, run: () => unknown): unknown {
  let ran: Ran | undefined
  const once = (): unknown => {
    ran ??= outcomeOf(run)
    if (ran.threw) throw ran.output
    return ran.output
  }
  try {
    const given: unknown = observer.around?.(call, once)
    if (given instanceof Promise && given !== ran?.output) given.catch(() => {})
  } catch (error) {
    if (ran?.threw !== true || ran.output !== error) warn('An observer around a tool', error)
  }
  return once()
}

interface Ran {
  readonly threw: boolean
  readonly output: unknown
}

function outcomeOf(run: () => unknown): Ran {
  try {
    return { threw: false, output: run() }
  } catch (thrown) {
    return { threw: true, output: thrown }
  }
}

function warn(who: string, error: unknown): void {
  const message = error instanceof Error ? error.message : textOf(error)
  process.emitWarning(printable(`${who} threw: ${message}`), 'ToolwrightWarning')
}

const MAX_SHOWN = 200

/** One line for every ended call: input, output, duration. No text is made for a level that is off. A replayed call had its line when it ran. */
function logEvent(log: Logger, event: ToolEvent, call: Call): void {
  if (event.type !== 'call.finished' || !event.counts || event.replayed) return
  const { tool, path } = call
  const level = isConfigurationError(call.fatal) ? 'error' : event.outcome === 'success' ? 'info' : 'warn'
  const isTold = log.isLevelEnabled?.(level) !== false
  const isToldInFull = log.isLevelEnabled?.('debug') !== false
  if (!isTold && !isToldInFull) return
  // A large input is masked once for both.
  const { input } = call
  if (isTold) log[level](fieldsOf(event, call), lineOf(event, call, input))
  if (isToldInFull) log.debug({ tool, path, ...runOf(call), input, output: call.output ?? event.text }, `${tool} in full`)
}

function fieldsOf(event: CallFinished, call: Call): object {
  const { tool, path, agent } = call
  return {
    tool,
    path,
    ...runOf(call),
    durationMs: Math.round(event.durationMs * 1000) / 1000,
    outcome: event.outcome,
    ...(agent === undefined ? {} : { agent }),
    ...(event.code === undefined ? {} : { code: event.code }),
  }
}

/** One line that any logger may write as it is: texts of a model cannot break it, colour it or reorder it. */
function lineOf(event: CallFinished, call: Call, input: unknown): string {
  const shown = `${call.tool}(${excerpt(textOf(input), MAX_SHOWN)})`
  if (event.outcome === 'success') return printable(`${shown} -> ${excerpt(event.text, MAX_SHOWN)} [${Math.round(event.durationMs)} ms]`)
  return printable(`${shown} -> Error: ${excerpt(event.text.replace(/^Error: /, ''), MAX_SHOWN)}`)
}
