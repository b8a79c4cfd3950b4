import { isConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { Claimed, IdempotencyStore, KeyClaim } from '../../tool/ports/idempotency-store.ts'
import { hadBegun, withoutPatience } from '../../tool/seam/recorded.ts'
import { passOver } from '../../tool/seam/undoing.ts'
import { checkMayWait, closedError, forAtMost, isTimeUp, pause, underWay, whileOpen } from '../../tool/seam/waiting.ts'
import { isClosed, isDurable, type Whole } from '../../tool/seam/whole.ts'
import { LABEL } from './key-request.ts'
import { storeFailed } from './refusals.ts'

/** The answer after waiting for a busy key. */
export type Answered = Exclude<Claimed, { readonly state: 'busy' }>

export interface KeyUse {
  readonly store: IdempotencyStore
  readonly key: string
  readonly claim: KeyClaim
}

const SHORTEST_WAIT_MS = 10
const LONGEST_WAIT_MS = 5000
/** How long a durable run retries a store that is down; longer if it had begun something under the key. */
const LONGEST_CLAIMING_MS = 30_000
const LONGEST_TAKING_UP_MS = 300_000
/** Limits wake-ups by a store that wakes its callers without reason. */
const MAX_WAKES = 50
/** A durable run that waits longer than this sleeps, and uses no resources. */
const LONGEST_SLEEP_MS = 600_000

/** Claims a key. While another call holds it, waits as long as this call may. */
export async function claimKey(whole: Whole, use: KeyUse): Promise<Answered> {
  for (let turn = 0; ; turn++) {
    const claimed = await inTime(whole, () =>
      isDurable(whole) || hadBegun(whole, LABEL) ? claimPatiently(whole, use) : claimOnce(whole, use),
    )
    if (claimed.state !== 'busy') return claimed
    // Another call has the key, perhaps a call of this run that waits until the run has reached all its records: the two must not wait for
    // each other.
    passOver(whole, LABEL)
    checkMayWait(whole, 'unknown')
    await waitForChange(whole, use, { turn, retryInMs: claimed.retryInMs })
  }
}

async function claimOnce(whole: Whole, use: KeyUse): Promise<Claimed> {
  const { store, key, claim } = use
  const claiming = store.claim(key, claim)
  try {
    return await whileOpen(whole, claiming)
  } catch (error) {
    // The time is over, but the store may still grant the key to this call.
    claiming.then((late) => giveBack(use, late)).catch(() => {})
    throw error
  }
}

/**
 * A durable run retries while its store is down: if only the answer was lost, it holds the key already. A run resumes its own claim even if
 * it was cancelled: the outcome under the key must be known.
 */
function claimPatiently(whole: Whole, use: KeyUse): Promise<Claimed> {
  return withoutPatience(whole, () => askUntilAnswered(whole, use))
}

async function askUntilAnswered(whole: Whole, use: KeyUse): Promise<Claimed> {
  const { store, key, claim } = use
  const { clock } = whole
  // Work under the key is recorded, so the claim is this run's own.
  const isTakenUp = hadBegun(whole, LABEL)
  const until = clock.now() + (isTakenUp ? LONGEST_TAKING_UP_MS : LONGEST_CLAIMING_MS)
  for (let ms = SHORTEST_WAIT_MS; ; ms = Math.min(LONGEST_WAIT_MS, ms * 2)) {
    const claiming = store.claim(key, claim)
    try {
      return await (isTakenUp ? forAtMost(whole, LONGEST_WAIT_MS, claiming) : whileOpen(whole, claiming))
    } catch (error) {
      // It does not pass by itself, and the store has granted nothing.
      if (isConfigurationError(error)) throw error
      if (isTimeUp(error) && !isTakenUp) await withdraw(whole, use, claiming)
      if ((isTimeUp(error) && !isTakenUp) || clock.now() > until) throw error
    }
    await pause(whole, ms)
  }
}

/** The claim is no longer needed. A second claim by the same holder finds out whether it was granted, and then the key is released. */
async function withdraw(whole: Whole, use: KeyUse, first: Promise<Claimed>): Promise<void> {
  const { store, key, claim } = use
  const until = whole.clock.now() + LONGEST_CLAIMING_MS
  let claiming = first
  for (let ms = SHORTEST_WAIT_MS; ; ms = Math.min(LONGEST_WAIT_MS, ms * 2)) {
    try {
      return await forAtMost(
        whole,
        until - whole.clock.now(),
        claiming.then((late) => giveBack(use, late)),
      )
    } catch (error) {
      if (isTimeUp(error)) return
    }
    await pause(whole, ms)
    claiming = store.claim(key, claim)
  }
}

/** Nothing was done under the key. */
async function giveBack({ store, key }: KeyUse, late: Claimed): Promise<void> {
  if (late.state === 'mine') await store.settle(key, late.fence, undefined)
}

interface Wait {
  readonly turn: number
  readonly retryInMs: number
}

async function waitForChange(whole: Whole, { store, key }: KeyUse, { turn, retryInMs }: Wait): Promise<void> {
  const sleeps = isDurable(whole)
  if (store.changed !== undefined && turn < (sleeps ? 1 : MAX_WAKES)) {
    const { changed } = store
    const ms = Math.min(Math.max(retryInMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
    await inTime(whole, () => whileOpen(whole, changed(key, ms, whole.signal)))
    return
  }
  const first = store.changed === undefined ? SHORTEST_WAIT_MS : LONGEST_WAIT_MS
  const pauseMs = Math.min(first * 2 ** Math.min(turn, 30), sleeps ? LONGEST_SLEEP_MS : LONGEST_WAIT_MS)
  // Not recorded as a sleep: a resumed run may find the key free, and then does not wait again.
  await whole.sleep(pauseMs, '.waiting').catch((error: unknown) => {
    throw isClosed(whole) ? cutOff(whole) : error
  })
}

/** If the store throws, nothing was called. If the call's time ends, another call may be doing the work. */
async function inTime<T>(whole: Whole, work: () => Promise<T>): Promise<T> {
  try {
    return await underWay(whole, work)
  } catch (error) {
    if (isTimeUp(error)) throw cutOff(whole)
    if (isConfigurationError(error)) throw error
    throw storeFailed(whole.tool, error)
  }
}

function cutOff(whole: Whole): Error {
  return closedError(whole, `'${whole.tool}' waited for another call with the same key`, 'unknown')
}
