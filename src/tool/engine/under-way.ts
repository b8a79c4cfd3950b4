import type { Call } from './call.ts'

/** Work of this call outside its journal: meanwhile the call does not end and its run is not parked. */
export async function underWay<T>(call: Call, work: () => PromiseLike<T>): Promise<T> {
  const { journal } = call
  call.began()
  journal?.inFlight?.(1)
  try {
    return await work()
  } finally {
    journal?.inFlight?.(-1)
    call.ended()
  }
}
