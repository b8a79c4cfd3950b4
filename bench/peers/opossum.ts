import CircuitBreaker from 'opossum'
import type { Input, Job, PeerRuns } from '../peer-job.ts'
import { buildPlain } from '../peer-plain.ts'

/** A breaker around one checked call, and one with a capacity, without a time-out of their own. */
export function build(job: Job): PeerRuns {
  const { breaker: checked } = buildPlain(job)
  const breakerWith = (options: object): CircuitBreaker<[Input], Input> => new CircuitBreaker(checked, { timeout: false, ...options })
  const [guarded, limited] = [breakerWith({}), breakerWith({ capacity: 10 })]
  // Its windows are kept by timers, which would keep the process.
  for (const each of [guarded, limited]) process.once('beforeExit', () => each.shutdown())
  return { breaker: (given) => guarded.fire(given), limit: (given) => limited.fire(given) }
}
