import { fenced } from '../review/describe-request.ts'
import { isRecord } from '../schema/json-schema.ts'
import { reviewableData, reviewableJson } from '../tool/reviewable-json.ts'
import { KnownSecrets } from '../tool/secrets/known-secrets.ts'
import { reviewView } from '../tool/secrets/review-view.ts'
import { NotShowable } from '../tool/secrets/walk.ts'
import { printable } from '../tool/printable.ts'
import type { ReviewRequest } from '../tool/review.ts'
import { ParkedCalls, type ParkedCallsOptions } from './parked-calls.ts'
import type { Clock } from '../tool/ports/clock.ts'
import { type CallIdentity, hashOfInput } from './call-identity.ts'
import { FairLatest } from './fair-latest.ts'
import type { ProgressFeed } from './progress-feed.ts'
import type { ToolRun } from './tool-run.ts'
import { namelessVotes } from './votes-text.ts'

interface RunParts {
  readonly run: ToolRun
  readonly feed: ProgressFeed | undefined
}

/** What a person was shown at one time as one call. A decision that answers it counts for these requests, and for nothing else. */
interface Asking {
  /** The ids of the requests. */
  readonly requests: ReadonlySet<string>
  /** Names of answers that were there before: they answer something else. */
  readonly earlier: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** A run that a person may be asked about, with every name by which the peer knows it. */
export class ParkedRun {
  readonly run: ToolRun
  readonly feed: ProgressFeed | undefined
  /** The last call of the model that led to it. */
  identity: CallIdentity
  /** Set where a person has denied it. */
  denial: Denial | undefined
  /** Why nobody can decide about it any more. */
  withdrawn: string | undefined
  /** How many calls were told to call again: as many equal calls ask about this run, also where another call has asked already. */
  callsAwaited = 0
  expiresAt = Infinity
  readonly #first: string
  readonly #askings = new Map<string, Asking>()
  /** By when each request must be decided, by the clock of the runs. */
  readonly #dueAt = new Map<string, number>()

  constructor(identity: CallIdentity, { run, feed }: RunParts) {
    this.identity = identity
    this.#first = identity.key
    this.run = run
    this.feed = feed
  }

  /** The keys of its calls, and the other names of what was asked as them. */
  get names(): readonly string[] {
    return [...new Set([this.#first, ...this.#askings.keys()])]
  }

  /** A person has been asked about it, now or before. */
  get wasAsked(): boolean {
    return this.#askings.size > 0
  }

  /** A person has been shown something that still waits. */
  get isAsked(): boolean {
    return [...this.#askings.keys()].some((name) => this.isAskedAs(name))
  }

  /** Something that was shown under this name still waits. */
  isAskedAs(name: string): boolean {
    return this.openAs(name).length > 0
  }

  /** The requests that were shown under this name, and still wait. */
  openAs(name: string): readonly ReviewRequest[] {
    const shown = this.#askings.get(name)?.requests ?? NONE
    return this.run.open.flatMap(({ request }) => (shown.has(request.id) ? [request] : []))
  }

  /** The open requests are shown to a person as this call. Shown again, they are the same asking. */
  ask(identity: CallIdentity, { earlier = NONE, now }: { readonly earlier?: ReadonlySet<string> | undefined; readonly now: number }): void {
    this.identity = identity
    const open = this.run.open.map(({ request }) => request.id)
    for (const { request } of this.run.open)
      if (!this.#dueAt.has(request.id)) this.#dueAt.set(request.id, now + (request.timeoutMs ?? Infinity))
    const known = this.#askings.get(identity.key)
    if (known === undefined && this.callsAwaited > 0) this.callsAwaited--
    const asking = known !== undefined && open.every((id) => known.requests.has(id)) ? known : { requests: new Set(open), earlier }
    this.#askings.set(identity.key, asking)
  }

  /** Until when an approval of what waits can count: a gate whose time is over is decided. */
  get decidableUntil(): number {
    return Math.min(this.expiresAt, ...this.run.open.map(({ request }) => this.#dueAt.get(request.id) ?? Infinity))
  }

  /** Gives one more name to what was asked under another; false where the name was there before, and means something else. */
  alsoBy(name: string, asked: string): boolean {
    const asking = this.#askings.get(asked)
    if (asking === undefined || asking.earlier.has(name)) return false
    this.#askings.set(name, asking)
    return true
  }

  /** Approves what was shown under this name, as far as it still waits. */
  approve(name: string): void {
    this.run.approve(this.#askings.get(name)?.requests ?? NONE)
  }

  /** What the name stands for is what the run was asked about last: whoever gives up that call gives up the run. */
  isLatest(name: string): boolean {
    return this.#askings.get(name) === this.#askings.get(this.identity.key)
  }

  /** The reasons of the open requests. The reason of a part names the part and its input. */
  get reason(): string {
    return reasonsOf(
      this.run.open.map(({ request }) => request),
      this.identity.input,
    )
  }
}

/** The reasons of requests, for a person who approves them all, and to whom the peer shows what the model has given. */
export function reasonsOf(requests: readonly ReviewRequest[], given: unknown): string {
  return requests.map((request) => reasonOf(request, given)).join('\n')
}

/**
 * All of it, each reason on a line of its own: no text of a model can pass for another reason, or hide. The input belongs to it if it is not
 * the one that the model has given: that of a part, or one with a default.
 */
function reasonOf(request: ReviewRequest, given: unknown): string {
  const { tool, input, parts = [], why, path } = request
  const shown = why.trimEnd().includes('\n') ? fenced(why.trimEnd()).trim() : printable(why)
  const isKnown = !path.includes('/') && (request.kind === 'question' || isAsGiven(request, given))
  const inputs = [...(isKnown ? [] : [{ tool, input }]), ...parts.map((part) => ({ ...part, tool: `${part.tool} at ${part.path}` }))]
  const reason = inputs.length === 0 ? shown : `${shown} (${inputs.map(inputText).join('; ')})`
  const votes = namelessVotes(request, 'this conversation')
  return votes === '' ? reason : `${reason} [${votes}]`
}

/** Whether a request shows what the model has given. An input that is no object stands under `input`. */
function isAsGiven({ input, inputSchema = {} }: ReviewRequest, given: unknown): boolean {
  const asShown = hashOfInput(reviewableData(input))
  return [given, isRecord(given) ? given['input'] : undefined].some((each) => {
    try {
      return hashOfInput(reviewableData(reviewView(each, inputSchema, NO_SECRETS))) === asShown
    } catch (error) {
      if (error instanceof NotShowable) return false
      throw error
    }
  })
}

const NO_SECRETS = new KnownSecrets()

function inputText({ tool, input }: Pick<ReviewRequest, 'tool' | 'input'>): string {
  return printable(`${tool}: ${typeof input === 'string' ? input : reviewableJson(input)}`)
}

export interface ParkedRunsOptions extends Omit<ParkedCallsOptions<ParkedRun>, 'onDrop'> {
  readonly expiryMs: number
}

/** The denial of a call by a person. */
export interface Denial {
  readonly reason: string | undefined
}

/** What is left of a run that is kept no longer. */
export interface Ending {
  readonly denial: Denial | undefined
}

const MOST_OTHERS = 1000
/** How many names are remembered of which only the ending is known. */
const MOST_ENDINGS = 100_000

/**
 * The runs that people are asked about: those that wait, and, for a while, those that have ended, however they did. What is left of a run is
 * found by each of its names, so that nothing which a peer has stored begins it anew.
 */
export class ParkedRuns {
  /** How long an approval may take. */
  readonly expiryMs: number
  readonly #waiting: ParkedCalls<ParkedRun>
  /** Those that do not wait: they move, or they have ended. */
  readonly #others: ParkedCalls<ParkedRun>
  readonly #clock: Clock | undefined
  readonly #byName = new Map<string, ParkedRun>()
  readonly #endings = new FairLatest<Ending>(MOST_ENDINGS)

  constructor(options: ParkedRunsOptions) {
    this.expiryMs = options.expiryMs
    this.#clock = options.clock
    this.#waiting = new ParkedCalls({
      ...options,
      onDrop: (parked, cause) => {
        const why = cause === 'expired' ? 'Nobody decided about the call in time.' : 'Too many calls wait for a decision.'
        if (parked.run.end === undefined) parked.withdrawn = why
        parked.run.withdraw(new DOMException(why, 'TimeoutError'))
        this.moves(parked)
      },
    })
    // No timer: a program may end while it remembers runs that nobody waits for.
    const unlimited = { expiryMs: undefined, maxCalls: MOST_OTHERS, clock: undefined }
    this.#others = new ParkedCalls({ ...unlimited, onDrop: (parked) => this.#remember(parked) })
  }

  /** The run that has this name. */
  get(name: string): ParkedRun | undefined {
    return this.#byName.get(name)
  }

  /** What is left of a run that is kept no longer. */
  endingOf(owner: string, name: string): Ending | undefined {
    return this.get(name) === undefined ? this.#endings.get(owner, name) : undefined
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#clock?.now() ?? Date.now()
  }

  /** The runs that wait for a decision, the oldest first. */
  get waiting(): readonly ParkedRun[] {
    return this.#waiting.all.filter(({ run }) => run.isParked)
  }

  /**
   * The oldest run of the same tool with the same input that waits for a decision about which nobody has been asked, or whose caller was told to
   * call again: the next equal call asks. Equal calls are several runs, and each of them is found once.
   */
  unasked({ binding }: CallIdentity): ParkedRun | undefined {
    return this.waiting.find((each) => each.identity.binding === binding && (!each.isAsked || each.callsAwaited > 0))
  }

  /** The oldest run of the same tool with the same input that was withdrawn after its caller was told to call again. */
  withdrawnFor({ binding }: CallIdentity): ParkedRun | undefined {
    return this.#others.all.find((each) => each.identity.binding === binding && each.withdrawn !== undefined && each.callsAwaited > 0)
  }

  /** Gives one more name to what was asked under another; false where the name means something else. */
  bind(parked: ParkedRun, name: string, asked: string): boolean {
    if (!parked.alsoBy(name, asked)) return false
    this.#byName.set(name, parked)
    return true
  }

  /** Keeps a run that waits; its time begins anew. */
  waits(parked: ParkedRun): void {
    this.#others.forget(parked)
    parked.expiresAt = this.#waiting.keep(parked, [])
    this.#name(parked)
  }

  /** Keeps a run that waits, after the model was told to call again. */
  awaitsCall(parked: ParkedRun): void {
    parked.callsAwaited++
    this.waits(parked)
  }

  /** Keeps a run that does not wait: it is not withdrawn any more. */
  moves(parked: ParkedRun): void {
    this.#waiting.forget(parked)
    parked.expiresAt = this.now() + this.expiryMs
    this.#others.keep(parked, [], parked.identity.owner)
    this.#name(parked)
    for (const oldest of this.#others.all) {
      if (oldest.expiresAt > this.now()) break
      this.#others.forget(oldest)
      this.#remember(oldest)
    }
  }

  /** Keeps a run that begins as this call, or is shown as it: the key of the call means this run from now on. */
  takes({ key }: CallIdentity, parked: ParkedRun): void {
    this.#byName.set(key, parked)
    if (parked.run.isParked) this.waits(parked)
    else this.moves(parked)
  }

  /** Keeps a run about which a person was asked as this call in another process. */
  asked(parked: ParkedRun, identity: CallIdentity): void {
    parked.ask(identity, { now: this.now() })
    this.takes(identity, parked)
  }

  /** Removes a run that nobody was asked about, and that has been given to its call. */
  forget(parked: ParkedRun): void {
    this.#others.forget(parked)
    this.#unname(parked)
  }

  /** Approves what was shown under a name. */
  approve(parked: ParkedRun, name: string): void {
    parked.approve(name)
    if (!parked.run.isParked) this.moves(parked)
  }

  /** Rejects the runs whose askings were denied, of one owner or of all. */
  rejectDenied(denialOf: (parked: ParkedRun) => Denial | undefined, owner?: string): void {
    for (const parked of this.waiting) {
      if (!parked.isAsked || (owner !== undefined && parked.identity.owner !== owner)) continue
      const denial = denialOf(parked)
      if (denial === undefined) continue
      parked.denial = denial
      parked.run.deny(denial.reason)
      this.moves(parked)
    }
  }

  /** Remembers a denial of which no run is known here: an answer of this name does not approve later. */
  rememberDenial(owner: string, name: string, denial: Denial): void {
    if (this.get(name) === undefined) this.#endings.set(owner, name, { denial })
  }

  /** The denial that a name stands for. */
  denialOf(owner: string, name: string): Denial | undefined {
    return (this.get(name) ?? this.#endings.get(owner, name))?.denial
  }

  /** A name that another run has taken over stays with it. */
  #name(parked: ParkedRun): void {
    for (const name of parked.names) if (!this.#byName.has(name)) this.#byName.set(name, parked)
  }

  #unname(parked: ParkedRun): void {
    for (const name of parked.names) if (this.#byName.get(name) === parked) this.#byName.delete(name)
  }

  #remember(parked: ParkedRun): void {
    const { identity, names, denial } = parked
    this.#unname(parked)
    // A read may be made again.
    if (identity.tool.effect === 'read' && denial === undefined) return
    for (const name of names) this.#endings.set(identity.owner, name, { denial })
  }
}
