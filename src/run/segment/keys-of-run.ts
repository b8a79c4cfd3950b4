import type { Claimed, IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { sealedIdempotency } from '../journal/sealed-idempotency.ts'
import { never } from '../never.ts'
import type { RunsContext } from '../runs-context.ts'
import type { Claim } from '../store/run-queue.ts'

/**
 * The keys of the store, for the steps of a run. Once the run is somebody else's, a claim is not answered, and `onLost` is told. While the
 * database is away, a claim waits like everything else of the run: one that is given up may have been granted, and would be held for nobody.
 */
export function keysOfRun(
  { store: { idempotency: keys }, values, patiently }: RunsContext,
  run: Claim,
  onLost: () => void,
): IdempotencyStore {
  /** Who asks again while a claim is under way waits for that one. */
  const underWay = new Map<string, Promise<Claimed>>()
  const claim: IdempotencyStore['claim'] = (key, wanted) => {
    const place = `${key}\n${wanted.holder}\n${wanted.inputHash}`
    const asked = underWay.get(place) ?? ask(key, wanted).finally(() => underWay.delete(place))
    underWay.set(place, asked)
    return asked
  }
  const ask: IdempotencyStore['claim'] = async (key, wanted) => {
    const claimed = await patiently(() => keys.claimIn(run, key, wanted))
    if (claimed !== undefined) return claimed
    onLost()
    return never()
  }
  const { changed } = keys
  const heard = changed && { changed: (...given: Parameters<typeof changed>) => patiently(() => changed(...given)) }
  return sealedIdempotency({ ...keys, ...heard, claim }, values)
}
