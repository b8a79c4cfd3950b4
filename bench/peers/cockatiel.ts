import { bulkhead, circuitBreaker, ConsecutiveBreaker, ExponentialBackoff, handleAll, retry } from 'cockatiel'
import type { Input, Job, PeerRuns } from '../peer-job.ts'
import { buildPlain } from '../peer-plain.ts'

/** Each policy around one checked call, as its guide shows it. */
export function build(job: Job): PeerRuns {
  const { retry: checked } = buildPlain(job)
  const retried = retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() })
  const guarded = circuitBreaker(handleAll, { halfOpenAfter: 30_000, breaker: new ConsecutiveBreaker(5) })
  const limited = bulkhead(10, Infinity)
  const calling = (given: Input) => () => checked(given)
  return {
    retry: (given) => retried.execute(calling(given)),
    breaker: (given) => guarded.execute(calling(given)),
    limit: (given) => limited.execute(calling(given)),
  }
}
