import type { Call } from './call.ts'

/** Something of this call that goes on outside its journal: meanwhile neither the call ends nor is its recorded run put away. */
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
