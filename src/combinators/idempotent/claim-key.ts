import type { Call } from '../../tool/calls/call.ts'
import { cutError } from '../../tool/calls/cut-error.ts'
import { isCut, Scope } from '../../tool/calls/scope.ts'
import type { Claimed, IdempotencyStore, KeyClaim } from '../../tool/idempotency-store.ts'
import { LABEL } from './key-request.ts'
import { isDurable } from './recorded-claim.ts'
import { storeFailed } from './refusals.ts'
import { underWay } from '../../tool/calls/under-way.ts'

/** What waiting for a busy key ends with. */
export type Answered = Exclude<Claimed, { readonly state: 'busy' }>

export interface KeyUse {
  readonly store: IdempotencyStore
  readonly key: string
  readonly claim: KeyClaim
}

const SHORTEST_WAIT_MS = 10
const LONGEST_WAIT_MS = 5000
const LONGEST_CLAIMING_MS = 300_000
const LONGEST_WITHDRAWAL_MS = 30_000
/** A store that wakes its callers for nothing does not keep them busy. */
const MOST_WAKES = 50
/** A durable run that waits for longer than this sleeps, and costs nothing meanwhile. */
const LONGEST_SLEEP_MS = 600_000

/** Claims a key; while another one holds it, waits for as long as the call may. */
export async function claimKey(call: Call, use: KeyUse): Promise<Answered> {
  for (let turn = 0; ; turn++) {
    const claimed = await inTime(call, () => (isOwn(call) ? claimPatiently(call, use) : claimOnce(call, use)))
    if (claimed.state !== 'busy') return claimed
    await waitForChange(call, use, { turn, retryInMs: claimed.retryInMs })
  }
}

async function claimOnce(call: Call, use: KeyUse): Promise<Claimed> {
  const { store, key, claim } = use
  const claiming = store.claim(key, claim)
  try {
    return await scopeOfClaim(call).race(claiming)
  } catch (error) {
    if (isOwn(call)) throw error
    if (isDurable(call.journal)) void underWay(call, () => withdraw(call, use, claiming))
    else claiming.then((late) => giveBack(use, late)).catch(() => {})
    throw error
  }
}

/**
 * Nobody goes on with this claim, and the store may have given the key all the same, for as long as a durable run may take. Whoever claims
 * once more as the same holder learns of that, and gives the key back: nothing was done under it.
 */
async function withdraw(call: Call, use: KeyUse, first: Promise<Claimed>): Promise<void> {
  const { store, key, claim } = use
  const scope = new Scope(call.root.clock, LONGEST_WITHDRAWAL_MS)
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

/** What was begun under the key is recorded: the claim is this run's own. */
export function isOwn({ root, path }: Call): boolean {
  return root.replay?.holds(`${path}/${LABEL}`) === true
}

/** A claim of its own is taken up whatever has become of the run, and again while the store is away: what was done under the key must be known. */
async function claimPatiently(call: Call, use: KeyUse): Promise<Claimed> {
  const { clock } = call.root
  const until = clock.now() + LONGEST_CLAIMING_MS
  for (let pause = SHORTEST_WAIT_MS; ; pause = Math.min(LONGEST_WAIT_MS, pause * 2)) {
    try {
      return await claimOnce(call, use)
    } catch (error) {
      if (clock.now() > until) throw error
    }
    await pauseFor(call, pause)
  }
}

function scopeOfClaim(call: Call): Scope {
  return isOwn(call) ? new Scope(call.root.clock, LONGEST_WAIT_MS) : call.scope
}

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
