import { type Clock, systemClock } from '../ports/clock.ts'
import type { CallOptions } from '../context.ts'
import { toMilliseconds } from '../duration.ts'
import type { Listener } from '../event.ts'
import { type Principal, sealedPrincipal, stillPermitted } from '../principal.ts'
import { callerNow } from '../returning-caller.ts'
import { KnownSecrets } from '../secrets/known-secrets.ts'
import { systemId } from '../ports/randomness.ts'
import { type ApprovedPart, ApprovedParts } from './approved-parts.ts'
import type { CallPart } from './call.ts'
import { beginReplay, type Replay } from './replay.ts'

/** The options of a root call, read once. */
class RootSettings {
  readonly options: CallOptions
  readonly clock: Clock
  readonly listeners: readonly Listener[] | undefined
  readonly observed: boolean
  readonly surrounded: boolean
  readonly stepDeadlineMs: number | undefined
  readonly isUnjudged: boolean
  readonly isPlain: boolean
  readonly isBare: boolean
  principal: Principal | undefined
  readonly callPart: CallPart
  readonly replay: Replay | undefined

  constructor(callPart: CallPart, options: CallOptions) {
    this.callPart = callPart
    this.options = options
    this.principal = options.principal === undefined ? undefined : sealedPrincipal(options.principal)
    this.clock = options.clock ?? systemClock
    const { on } = options
    this.listeners = on === undefined ? undefined : typeof on === 'function' ? [on] : listOf(on)
    this.stepDeadlineMs = options.stepDeadline === undefined ? undefined : toMilliseconds(options.stepDeadline, 'A step deadline')
    this.surrounded = this.listeners !== undefined && typeof on !== 'function' && this.listeners.some(isAround)
    this.observed = this.listeners !== undefined || options.log !== undefined
    const { policy, journal, review } = options
    this.isUnjudged = policy === undefined && journal === undefined && review === undefined && !this.surrounded
    this.isPlain = this.isUnjudged && !this.observed
    this.isBare = this.isPlain && options.overrides === undefined && this.stepDeadlineMs === undefined
    this.replay = journal?.past === undefined ? undefined : beginReplay(journal, { clock: this.clock, run: options.idempotencyKey })
  }
}

/** Shared by all calls without options: such a call has few fields of its own, since every call pays for them. */
let noSettings: RootSettings | undefined

const NO_SECRETS: ReadonlySet<string> = new Set()

/** Made on first use. */
class RootNames {
  traceId: string | undefined
  runId: string | undefined
  revealedSecrets: KnownSecrets | undefined
  loggedSecrets: KnownSecrets | undefined
  madeSecrets: Set<string> | undefined
  approvedParts: ApprovedParts | undefined
}

/** The state that all calls below one root call share. */
export class RootCall {
  readonly #settings: RootSettings
  #names: RootNames | undefined

  constructor(callPart: CallPart, options?: CallOptions) {
    this.#settings = options === undefined ? (noSettings ??= new RootSettings(callPart, {})) : new RootSettings(callPart, options)
  }

  /** Passed in, because a call and the door need each other. */
  get callPart(): CallPart {
    return this.#settings.callPart
  }

  /** The records of a resumed run; undefined for a new one. */
  get replay(): Replay | undefined {
    return this.#settings.replay
  }

  get options(): CallOptions {
    return this.#settings.options
  }

  get clock(): Clock {
    return this.#settings.clock
  }

  get listeners(): readonly Listener[] | undefined {
    return this.#settings.listeners
  }

  /** There is a listener: without one, no event is made. */
  get observed(): boolean {
    return this.#settings.observed
  }

  /** The time of a leaf that names none. */
  get stepDeadlineMs(): number | undefined {
    return this.#settings.stepDeadlineMs
  }

  /** Nothing is judged by a policy or a person, or recorded, and no observer runs the tools' functions. */
  get isUnjudged(): boolean {
    return this.#settings.isUnjudged
  }

  /** Nothing is observed, judged by a policy or a person, or recorded. */
  get isPlain(): boolean {
    return this.#settings.isPlain
  }

  /** It is plain, and says nothing about its parts either. */
  get isBare(): boolean {
    return this.#settings.isBare
  }

  /** Some observer wants to run the tools' functions itself. */
  get surrounded(): boolean {
    return this.#settings.surrounded
  }

  get traceId(): string {
    return (this.#lazily.traceId ??= this.options.traceId ?? this.newId())
  }

  /** The base of idempotency keys: the caller's key, if there is one. */
  get runId(): string {
    return (this.#lazily.runId ??= this.options.idempotencyKey ?? this.newId())
  }

  /** Secrets that tools have read in this call, to be masked in texts. */
  get revealedSecrets(): KnownSecrets {
    return (this.#lazily.revealedSecrets ??= new KnownSecrets())
  }

  /** The same with the secrets of answers: no log repeats them. A person who decides is shown them, as they are shown those of an input. */
  get loggedSecrets(): KnownSecrets {
    return (this.#lazily.loggedSecrets ??= new KnownSecrets([], this.revealedSecrets))
  }

  /** Secrets that validation has made of answers. */
  get madeSecrets(): ReadonlySet<string> {
    return this.#names?.madeSecrets ?? NO_SECRETS
  }

  /** Masks these secrets in all texts of the run. */
  hideInLogs(secrets: Iterable<string>): void {
    for (const secret of secrets) this.loggedSecrets.add(secret)
  }

  /** The same for secrets that no record shows. */
  hideMade(secrets: Iterable<string>): void {
    const made = (this.#lazily.madeSecrets ??= new Set())
    for (const secret of secrets) {
      if (!this.loggedSecrets.has(secret)) made.add(secret)
      this.loggedSecrets.add(secret)
    }
  }

  get hasRevealedSecrets(): boolean {
    return this.#names?.revealedSecrets !== undefined
  }

  /** The one copy for permissions, policies and tools, taken when the call began: nobody can change it, and a wait can take permissions from it. */
  get principal(): Principal | undefined {
    return this.#settings.principal
  }

  /** A person has been waited for: what the caller has lost meanwhile, the call has lost too. */
  lookAtCallerAgain(): void {
    const settings = this.#settings
    const { principal, options } = settings
    if (principal !== undefined) settings.principal = stillPermitted(principal, callerNow(options))
  }

  /** The inputs of parts that were approved with a whole; undefined where no part gets another input than the whole. */
  get approvedParts(): ApprovedParts | undefined {
    return this.#names?.approvedParts
  }

  /** The parts of the call at this path run with these inputs. */
  approveParts(path: string, parts: readonly ApprovedPart[]): void {
    if (parts.length > 0 || this.approvedParts !== undefined) (this.#lazily.approvedParts ??= new ApprovedParts()).approve(path, parts)
  }

  newId(): string {
    return this.options.ids === undefined ? systemId() : this.options.ids()
  }

  get #lazily(): RootNames {
    return (this.#names ??= new RootNames())
  }
}

function isAround(listener: Listener): boolean {
  return typeof listener !== 'function' && listener.around !== undefined
}

function listOf(on: NonNullable<CallOptions['on']>): readonly Listener[] | undefined {
  const list = (Array.isArray as (value: unknown) => value is readonly Listener[])(on) ? on : [on]
  return list.length === 0 ? undefined : list
}
