import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { sealedIdempotency } from '../journal/sealed-idempotency.ts'
import { never } from '../never.ts'
import type { RunsContext } from '../runs-context.ts'
import type { Claim } from '../store/run-queue.ts'

/** The keys of the store, for the steps of a run. Once the run is somebody else's, a claim is not answered, and `onLost` is told. */
export function keysOfRun({ store: { idempotency: keys }, values }: RunsContext, run: Claim, onLost: () => void): IdempotencyStore {
  const claim: IdempotencyStore['claim'] = async (key, wanted) => {
    const claimed = await keys.claimIn(run, key, wanted)
    if (claimed !== undefined) return claimed
    onLost()
    return never()
  }
  return sealedIdempotency({ ...keys, claim }, values)
}
