import { excerpt } from '../../schema/quote.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import type { CallIdentity } from './call-identity.ts'
import { textOf } from '../../tool/result/text-of.ts'
import type { ProgressFeed } from './progress-feed.ts'
import type { ToolRun } from './tool-run.ts'

interface ParkedParts {
  readonly run: ToolRun
  readonly feed: ProgressFeed | undefined
  /** The length of the conversation when the run began: what was denied before is about another call. */
  readonly from: number
}

/** A run that waits for a person, and what it is known by. */
export class ParkedRun {
  readonly run: ToolRun
  readonly feed: ProgressFeed | undefined
  readonly from: number
  /** The last call of the model that led to it. */
  identity: CallIdentity
  /** The key of the call whose approval counts; undefined until a person has been shown what is open. */
  awaits: string | undefined
  expiresAt = Infinity

  constructor(identity: CallIdentity, { run, feed, from }: ParkedParts) {
    this.identity = identity
    this.run = run
    this.feed = feed
    this.from = from
  }

  /** What is open now is put before a person as this call. */
  show(identity: CallIdentity): void {
    this.identity = identity
    this.awaits = identity.key
    for (const each of this.run.open.values()) each.isShown = true
  }

  /** An approval counts once. */
  approve(key: string): void {
    if (this.awaits !== key) return
    this.awaits = undefined
    this.run.approve()
  }

  /** Why a person is asked, in words. What is asked about a part of the tool says which and with what. */
  get reason(): string {
    return [...this.run.open.values()].map(({ request }) => reasonOf(request)).join('\n')
  }
}

const LONGEST_INPUT = 500

function reasonOf({ tool, input, why, path }: ReviewRequest): string {
  return path.includes('/') ? `${why} (${tool}: ${excerpt(textOf(input), LONGEST_INPUT)})` : why
}
