import type { AgentTool } from '../tool/agent-tool.ts'
import type { ToolError } from '../tool/errors/tool-error.ts'
import type { CallIdentity } from './call-identity.ts'
import { droppedError } from './dropped-calls.ts'
import { FairLatest } from './fair-latest.ts'
import type { CallEnd } from './parked-call.ts'
import type { ParkedRun, ParkedRuns } from './parked-runs.ts'
import type { ToolRun } from './tool-run.ts'

interface Asking {
  /** A person may be asked in the call. */
  readonly mayAsk: boolean
  readonly begin: () => ParkedRun
  /** Cancels the run with the step of the peer, where that has a signal, until the returned function is called. */
  readonly follow?: ((run: ToolRun) => () => void) | undefined
}

const MOST_FINISHED = 1000
/** How many calls are remembered of which only that is known that they may have taken effect. */
const MOST_LOST = 100_000

/**
 * Calls of a peer that first asks whether a call needs an approval, and executes it later. The call begins when the peer asks; it is executed
 * once, whatever the peer does.
 */
export class ApprovalFlow {
  readonly parked: ParkedRuns
  /** Runs that ended before they were executed. */
  readonly #finished = new FairLatest<ParkedRun>(MOST_FINISHED, (key, { run, identity }, owner) => {
    if (run.end === undefined || mayHaveActed(run.end, identity.tool)) this.#lost.set(owner, key, true)
  })
  /** Those of them that were too many, and may have taken effect. */
  readonly #lost = new FairLatest<true>(MOST_LOST)

  constructor(parked: ParkedRuns) {
    this.parked = parked
  }

  /** The run of a call, with requests that the peer now shows to a person; undefined where it needs nobody. */
  async ask(identity: CallIdentity, { mayAsk, begin, follow }: Asking): Promise<ParkedRun | undefined> {
    const known = this.parked.get(identity.key)
    const open = known?.run.isParked === true ? known : this.parked.unasked(identity)
    if (open !== undefined) return this.#show(open, identity)
    if (!mayAsk || this.#isFinished(identity)) return undefined
    const begun = begin()
    const stopFollowing = follow?.(begun.run)
    await begun.run.settled()
    stopFollowing?.()
    if (begun.run.isParked) return this.#show(begun, identity)
    this.#finished.set(identity.owner, identity.key, begun)
    return undefined
  }

  /** The run of a call that is executed. A run that needed nobody is given once. */
  known(identity: CallIdentity, isApproved: boolean): ParkedRun | undefined {
    return (isApproved ? undefined : this.#finished.take(identity.owner, identity.key)) ?? this.parked.get(identity.key)
  }

  /** The failure of a call that no run is known of, but that may have taken effect; undefined where it may begin. */
  lost({ owner, key, name }: CallIdentity): ToolError | undefined {
    return this.#lost.get(owner, key) === undefined ? undefined : droppedError(name, TOO_MANY)
  }

  #isFinished({ owner, key }: CallIdentity): boolean {
    return this.#finished.get(owner, key) !== undefined || this.#lost.get(owner, key) !== undefined
  }

  /** The end of a run; undefined where it waits for a person again, for the next equal call. */
  async resume(known: ParkedRun, signal: AbortSignal | undefined): Promise<CallEnd | undefined> {
    const { run } = known
    const stopFollowing = run.follow(signal)
    await run.settled()
    stopFollowing()
    if (run.end === undefined) this.parked.keep(known)
    return run.end
  }

  #show(known: ParkedRun, identity: CallIdentity): ParkedRun {
    known.show(identity)
    this.parked.keep(known)
    return known
  }
}

const TOO_MANY = 'too many calls of the same caller ended before they were executed.'

function mayHaveActed(end: CallEnd, { effect }: AgentTool): boolean {
  if (effect === 'read') return false
  return !('result' in end) || end.result.ok || end.result.error.outcome === 'unknown'
}
