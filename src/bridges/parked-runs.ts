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
import type { ProgressFeed } from './progress-feed.ts'
import type { ToolRun } from './tool-run.ts'

interface ParkedParts {
  readonly run: ToolRun
  readonly feed: ProgressFeed | undefined
  /** The length of the conversation when the run began, where the peer shows it: an earlier denial is about another call. */
  readonly from?: number | undefined
}

/** A run that waits for a person, and the call that it belongs to. */
export class ParkedRun {
  readonly run: ToolRun
  readonly feed: ProgressFeed | undefined
  readonly from: number
  /** The last call of the model that led to it. */
  identity: CallIdentity
  /** The key of the call whose approval counts; undefined until a person has been shown the open requests. */
  awaits: string | undefined
  expiresAt = Infinity

  constructor(identity: CallIdentity, { run, feed, from = 0 }: ParkedParts) {
    this.identity = identity
    this.run = run
    this.feed = feed
    this.from = from
  }

  /** The open requests are shown to a person as this call. */
  show(identity: CallIdentity): void {
    this.identity = identity
    this.awaits = identity.key
    for (const each of this.run.open) each.isShown = true
  }

  /** An approval counts once. */
  approve(key: string): void {
    if (this.awaits !== key) return
    this.awaits = undefined
    this.run.approve()
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
  const shown = why.trimEnd().includes('\n') ? `\n${fenced(why.trimEnd()).trimEnd()}` : printable(why)
  const isKnown = !path.includes('/') && (request.kind === 'question' || isAsGiven(request, given))
  const inputs = [...(isKnown ? [] : [{ tool, input }]), ...parts.map((part) => ({ ...part, tool: `${part.tool} at ${part.path}` }))]
  return inputs.length === 0 ? shown.trimStart() : `${shown} (${inputs.map(inputText).join('; ')})`
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

export type ParkedRunsOptions = Omit<ParkedCallsOptions<ParkedRun>, 'onDrop'>

/** The denial of a call by a person. */
export interface Denial {
  readonly reason: string | undefined
}

const MOST_DENIALS = 10_000

/** The runs that wait for people, and, for a while, those that ended after an approval. */
export class ParkedRuns {
  /** How long an approval may take. */
  readonly expiryMs: number
  readonly #calls: ParkedCalls<ParkedRun>
  readonly #clock: Clock | undefined
  /** The reasons of denials, by the key of the call. */
  readonly #denials = new Map<string, string | undefined>()

  constructor(options: ParkedRunsOptions) {
    this.expiryMs = options.expiryMs
    this.#clock = options.clock
    this.#calls = new ParkedCalls({
      ...options,
      onDrop: ({ run }, cause) => {
        const why = cause === 'expired' ? 'Nobody decided about the call in time.' : 'Too many calls wait for a decision.'
        run.withdraw(new DOMException(why, 'TimeoutError'))
      },
    })
  }

  get(key: string): ParkedRun | undefined {
    return this.#calls.get(key)
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#clock?.now() ?? Date.now()
  }

  /** The runs that wait for a decision, the oldest first. */
  get waiting(): readonly ParkedRun[] {
    return this.#calls.all.filter(({ run }) => run.isParked)
  }

  /**
   * The oldest run of the same tool with the same input that waits for a decision about which nobody has been asked: the next equal call asks.
   * Equal calls are several runs, and each of them is found once.
   */
  unasked({ binding }: CallIdentity): ParkedRun | undefined {
    return this.waiting.find(({ identity, awaits }) => identity.binding === binding && awaits === undefined)
  }

  /** Keeps a run under the key of its call, besides those that it had before; its time begins anew. */
  keep(parked: ParkedRun): void {
    const { key } = parked.identity
    // The person is asked anew.
    this.#denials.delete(key)
    parked.expiresAt = this.#calls.keep(parked, [key])
  }

  /** Rejects the runs whose calls were denied, of one owner or of all. */
  rejectDenied(denialOf: (parked: ParkedRun) => Denial | undefined, owner?: string): void {
    for (const parked of this.waiting) {
      if (owner !== undefined && parked.identity.owner !== owner) continue
      const denial = denialOf(parked)
      if (denial === undefined) continue
      parked.run.deny(denial.reason)
      this.#calls.forget(parked)
      this.deny(parked.identity, denial.reason)
    }
  }

  /** Remembers that a call was denied: a conversation from which the denial is missing later does not approve it. */
  deny({ key }: CallIdentity, reason: string | undefined): void {
    this.#denials.set(key, reason)
    for (const oldest of this.#denials.keys()) {
      if (this.#denials.size <= MOST_DENIALS) break
      this.#denials.delete(oldest)
    }
  }

  /** The denial of a call that this process has seen. */
  denialOf({ key }: CallIdentity): Denial | undefined {
    return this.#denials.has(key) ? { reason: this.#denials.get(key) } : undefined
  }
}
