import type { Call } from '../../tool/engine/call.ts'
import { cutError } from '../../tool/engine/cut-error.ts'
import { isCut, Scope } from '../../tool/engine/scope.ts'
import type { Claimed, IdempotencyStore, KeyClaim } from '../../tool/idempotency-store.ts'
import { LABEL } from './key-request.ts'
import { isDurable } from './recorded-claim.ts'
import { storeFailed } from './refusals.ts'
import { underWay } from '../../tool/engine/under-way.ts'

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
const MOST_WAKES = 50
/** A durable run that waits for longer than this sleeps, and costs nothing meanwhile. */
const LONGEST_SLEEP_MS = 600_000

/** Claims a key; while another one holds it, waits for as long as the call may. */
export async function claimKey(call: Call, use: KeyUse): Promise<Answered> {
  for (let turn = 0; ; turn++) {
    const claimed = await inTime(call, () => (isDurable(call.journal) || isOwn(call) ? claimPatiently(call, use) : claimOnce(call, use)))
    if (claimed.state !== 'busy') return claimed
    // Another call has the key, perhaps one of this run that waits until the run has come by everything: it must not wait for this one.
    call.root.replay?.passOver(`${call.path}/${LABEL}`)
    await waitForChange(call, use, { turn, retryInMs: claimed.retryInMs })
  }
}

async function claimOnce(call: Call, use: KeyUse): Promise<Claimed> {
  const { store, key, claim } = use
  const claiming = store.claim(key, claim)
  try {
    return await call.scope.race(claiming)
  } catch (error) {
    // The time is over, and the store may still give the key to somebody who is gone.
    claiming.then((late) => giveBack(use, late)).catch(() => {})
    throw error
  }
}

/** What was begun under the key is recorded: the claim is this run's own. */
export function isOwn({ root, path }: Call): boolean {
  return root.replay?.holds(`${path}/${LABEL}`) === true
}

/**
 * A durable run asks again while its store is away: where an answer was lost it has the key already, for as long as it may take. A claim of
 * its own is taken up whatever has become of the run: what was done under the key must be known.
 */
async function claimPatiently(call: Call, use: KeyUse): Promise<Claimed> {
  const { replay } = call.root
  replay?.waits(1)
  try {
    return await askUntilAnswered(call, use)
  } finally {
    replay?.waits(-1)
  }
}

async function askUntilAnswered(call: Call, use: KeyUse): Promise<Claimed> {
  const { store, key, claim } = use
  const { clock } = call.root
  const isTakenUp = isOwn(call)
  const until = clock.now() + (isTakenUp ? LONGEST_TAKING_UP_MS : LONGEST_CLAIMING_MS)
  for (let pause = SHORTEST_WAIT_MS; ; pause = Math.min(LONGEST_WAIT_MS, pause * 2)) {
    const claiming = store.claim(key, claim)
    try {
      return await (isTakenUp ? new Scope(clock, LONGEST_WAIT_MS) : call.scope).race(claiming)
    } catch (error) {
      if (isCut(error) && !isTakenUp) await withdraw(call, use, claiming)
      if ((isCut(error) && !isTakenUp) || clock.now() > until) throw error
    }
    await pauseFor(call, pause)
  }
}

/** Nobody goes on with this claim. Whoever claims once more as the same holder learns whether it was given, and gives the key back. */
async function withdraw(call: Call, use: KeyUse, first: Promise<Claimed>): Promise<void> {
  const { store, key, claim } = use
  const scope = new Scope(call.root.clock, LONGEST_CLAIMING_MS)
  let claiming = first
  for (let pause = SHORTEST_WAIT_MS; ; pause = Math.min(LONGEST_WAIT_MS, pause * 2)) {
    try {
      return await scope.race(claiming.then((late) => giveBack(use, late)))
    } catch (error) {
      if (isCut(error)) return
    }
    await pauseFor(call, pause)
    claiming = store.claim(key, claim)
  }
}

/** Nothing was done under it. */
async function giveBack({ store, key }: KeyUse, late: Claimed): Promise<void> {
  if (late.state === 'mine') await store.settle(key, late.fence, undefined)
}

function pauseFor({ root }: Call, ms: number): Promise<void> {
  return new Promise((resolve) => void root.clock.timer(ms, resolve))
}

interface Wait {
  readonly turn: number
  readonly retryInMs: number
}

async function waitForChange(call: Call, { store, key }: KeyUse, { turn, retryInMs }: Wait): Promise<void> {
  const sleeps = isDurable(call.journal)
  if (store.changed !== undefined && turn < (sleeps ? 1 : MOST_WAKES)) {
    const { changed } = store
    const ms = Math.min(Math.max(retryInMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
    await inTime(call, () => call.scope.race(changed(key, ms, call.signal)))
    return
  }
  const first = store.changed === undefined ? SHORTEST_WAIT_MS : LONGEST_WAIT_MS
  const pause = Math.min(first * 2 ** Math.min(turn, 30), sleeps ? LONGEST_SLEEP_MS : LONGEST_WAIT_MS)
  // A note of its own: a run that is taken up may find the key free, and does not wait again.
  await call.sleep(pause, '.waiting').catch((error: unknown) => {
    throw call.scope.closed === undefined ? error : cutOff(call)
  })
}

/** What a store throws means that nothing was called; the end of the call's time, that another one may be doing it. */
async function inTime<T>(call: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await underWay(call, work)
  } catch (error) {
    if (isCut(error)) throw cutOff(call)
    throw storeFailed(call.tool, error)
  }
}

function cutOff(call: Call): Error {
  return cutError(call.scope.closed ?? { kind: 'cancelled' }, `'${call.tool}' waited for another call with the same key`, 'unknown')
}
