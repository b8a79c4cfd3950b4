import type { Claimed, IdempotencyStore, KeyClaim } from '../../tool/idempotency-store.ts'
import { hadBegun, passOver, withoutPatience } from '../../tool/seam/recorded.ts'
import { closedError, forAtMost, isTimeUp, pause, underWay, whileOpen } from '../../tool/seam/waiting.ts'
import { isClosed, isDurable, type Whole } from '../../tool/seam/whole.ts'
import { LABEL } from './key-request.ts'
import { storeFailed } from './refusals.ts'

/** What waiting for a busy key ends with. */
export type Answered = Exclude<Claimed, { readonly state: 'busy' }>

export interface KeyUse {
  readonly store: IdempotencyStore
  readonly key: string
  readonly claim: KeyClaim
}

const SHORTEST_WAIT_MS = 10
const LONGEST_WAIT_MS = 5000
/** How long a durable run asks a store that is away, and for how long where it had begun something under the key. */
const LONGEST_CLAIMING_MS = 30_000
const LONGEST_TAKING_UP_MS = 300_000
/** A store that wakes its callers for nothing does not keep them busy. */
const MAX_WAKES = 50
/** A durable run that waits for longer than this sleeps, and costs nothing meanwhile. */
const LONGEST_SLEEP_MS = 600_000

/** Claims a key; while another one holds it, waits for as long as the call may. */
export async function claimKey(whole: Whole, use: KeyUse): Promise<Answered> {
  for (let turn = 0; ; turn++) {
    const claimed = await inTime(whole, () =>
      isDurable(whole) || hadBegun(whole, LABEL) ? claimPatiently(whole, use) : claimOnce(whole, use),
    )
    if (claimed.state !== 'busy') return claimed
    // Another call has the key, perhaps one of this run that waits until the run has come by everything: it must not wait for this one.
    passOver(whole, LABEL)
    await waitForChange(whole, use, { turn, retryInMs: claimed.retryInMs })
  }
}

async function claimOnce(whole: Whole, use: KeyUse): Promise<Claimed> {
  const { store, key, claim } = use
  const claiming = store.claim(key, claim)
  try {
    return await whileOpen(whole, claiming)
  } catch (error) {
    // The time is over, and the store may still give the key to somebody who is gone.
    claiming.then((late) => giveBack(use, late)).catch(() => {})
    throw error
  }
}

/**
 * A durable run asks again while its store is away: where an answer was lost it has the key already, for as long as it may take. A claim of
 * its own is taken up whatever has become of the run: what was done under the key must be known.
 */
function claimPatiently(whole: Whole, use: KeyUse): Promise<Claimed> {
  return withoutPatience(whole, () => askUntilAnswered(whole, use))
}

async function askUntilAnswered(whole: Whole, use: KeyUse): Promise<Claimed> {
  const { store, key, claim } = use
  const { clock } = whole
  // What was begun under the key is recorded: the claim is this run's own.
  const isTakenUp = hadBegun(whole, LABEL)
  const until = clock.now() + (isTakenUp ? LONGEST_TAKING_UP_MS : LONGEST_CLAIMING_MS)
  for (let ms = SHORTEST_WAIT_MS; ; ms = Math.min(LONGEST_WAIT_MS, ms * 2)) {
    const claiming = store.claim(key, claim)
    try {
      return await (isTakenUp ? forAtMost(whole, LONGEST_WAIT_MS, claiming) : whileOpen(whole, claiming))
    } catch (error) {
      if (isTimeUp(error) && !isTakenUp) await withdraw(whole, use, claiming)
      if ((isTimeUp(error) && !isTakenUp) || clock.now() > until) throw error
    }
    await pause(whole, ms)
  }
}

/** Nobody goes on with this claim. Whoever claims once more as the same holder learns whether it was given, and gives the key back. */
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

/** Nothing was done under it. */
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
  // A note of its own: a run that is taken up may find the key free, and does not wait again.
  await whole.sleep(pauseMs, '.waiting').catch((error: unknown) => {
    throw isClosed(whole) ? cutOff(whole) : error
  })
}

/** What a store throws means that nothing was called; the end of the call's time, that another one may be doing it. */
async function inTime<T>(whole: Whole, work: () => Promise<T>): Promise<T> {
  try {
    return await underWay(whole, work)
  } catch (error) {
    if (isTimeUp(error)) throw cutOff(whole)
    throw storeFailed(whole.tool, error)
  }
}

function cutOff(whole: Whole): Error {
  return closedError(whole, `'${whole.tool}' waited for another call with the same key`, 'unknown')
}
