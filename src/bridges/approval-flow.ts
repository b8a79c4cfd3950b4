import type { ToolError } from '../tool/errors/tool-error.ts'
import type { CallIdentity } from './call-identity.ts'
import { droppedError } from './dropped-calls.ts'
import type { CallEnd } from './parked-call.ts'
import type { ParkedRun, ParkedRuns } from './parked-runs.ts'
import { denied, withdrawn } from './told-to-peer.ts'
import type { ToolRun } from './tool-run.ts'

interface Calling {
  /** A person may be asked in the call. */
  readonly mayAsk: boolean
  readonly begin: () => ParkedRun
  /** Cancels the run with the step of the peer, where that has a signal, until the returned function is called. */
  readonly follow?: ((run: ToolRun) => () => void) | undefined
  /** The names of answers that the peer has already: they answer something else. */
  readonly earlier?: ReadonlySet<string> | undefined
}

/**
 * What the id of a call stands for with a peer: for one call for ever (`unique`), however often the peer asks about it; or for the latest call
 * that has it (`repeats`), so that a peer which asks means another call, and tells askings apart by other names.
 */
export type CallIds = 'unique' | 'repeats'

/**
 * Calls of a peer that first asks whether a call needs an approval, and executes it later. The call begins when the peer asks; it is executed
 * once, whatever the peer does.
 */
export class ApprovalFlow {
  readonly parked: ParkedRuns
  readonly #ids: CallIds

  constructor(parked: ParkedRuns, ids: CallIds) {
    this.parked = parked
    this.#ids = ids
  }

  /** The run of a call, with requests that the peer now shows to a person as this call; undefined where it shows none. */
  async ask(identity: CallIdentity, { mayAsk, begin, follow, earlier }: Calling): Promise<ParkedRun | undefined> {
    // An id that is one call for ever is shown for no other.
    if (this.#ids === 'unique' && this.parked.endingOf(identity.owner, identity.key) !== undefined) return undefined
    const known = this.#known(identity)
    if (known !== undefined) {
      // Nothing is awaited for a run that waits: of equal calls at the same time, each finds another one.
      if (!known.run.isParked) await known.run.settled()
      // A decision that the peer has stored names the call alone: it must not count for what the call did not show then.
      const isNamed = this.#ids === 'unique' && known.names.includes(identity.key)
      if (!isNamed) return this.#show(known, identity, earlier)
      if (!known.isAskedAs(identity.key)) return undefined
      this.parked.waits(known)
      return known
    }
    if (!mayAsk) return undefined
    const withdrawnRun = this.parked.withdrawnFor(identity)
    if (withdrawnRun !== undefined) {
      // What the call was to go on with is gone: it hears so, and begins nothing.
      withdrawnRun.callsAwaited--
      this.parked.takes(identity, withdrawnRun)
      return undefined
    }
    const begun = begin()
    // It is found from now on: the peer may ask twice at a time.
    this.parked.takes(identity, begun)
    const stopFollowing = follow?.(begun.run)
    await begun.run.settled()
    stopFollowing?.()
    return this.#show(begun, identity, earlier)
  }

  /** The failure of a call that is kept no longer under this name; undefined where there was none. */
  ended({ owner, name }: CallIdentity, asked: string): ToolError | undefined {
    const ending = this.parked.endingOf(owner, asked)
    if (ending === undefined) return undefined
    return ending.denial === undefined ? droppedError(name, GONE) : denied(name, ending.denial.reason)
  }

  /** The end of a run, for the call that the peer executes under this name; undefined where the run waits for a person. */
  async resume(known: ParkedRun, name: string, signal: AbortSignal | undefined): Promise<CallEnd | undefined> {
    const { run } = known
    // Who gives up an earlier call, or one that nobody has approved, does not give up what waits.
    const stopFollowing = known.isLatest(name) && !run.isParked ? run.follow(signal) : undefined
    await run.settled()
    stopFollowing?.()
    const { end } = run
    if (end === undefined) this.parked.awaitsCall(known)
    else if (!known.wasAsked) this.parked.forget(known)
    if (end === undefined || known.withdrawn === undefined || ('result' in end && end.result.ok)) return end
    return { thrown: withdrawn(known.identity.name, known.withdrawn, end) }
  }

  #known(identity: CallIdentity): ParkedRun | undefined {
    const same = this.parked.get(identity.key)
    const isMeant = this.#ids === 'unique' || (same?.run.isParked === true && same.identity.key === identity.key)
    return same !== undefined && isMeant ? same : this.parked.unasked(identity)
  }

  #show(parked: ParkedRun, identity: CallIdentity, earlier: Calling['earlier']): ParkedRun | undefined {
    if (!parked.run.isParked) return undefined
    parked.ask(identity, { earlier, now: this.parked.now() })
    this.parked.takes(identity, parked)
    return parked
  }
}

const GONE = 'it is too long ago, or too many calls of the same caller came after it.'
