import { Effect } from 'effect'
import { BRANCHES, type Input, type Job, type PeerRuns, STEPS } from '../peer-job.ts'

/** One effect of ten steps, and `Effect.all` over a hundred without a bound, each run by `Effect.runPromise`. */
export function build({ schema, pass }: Job): PeerRuns {
  const checked = (given: unknown): Effect.Effect<Input, Error> =>
    Effect.suspend(() => {
      const parsed = schema.safeParse(given)
      return parsed.success ? Effect.succeed(parsed.data) : Effect.fail(parsed.error)
    })
  const step = (given: unknown): Effect.Effect<Input, Error> => Effect.flatMap(checked(given), (value) => Effect.promise(() => pass(value)))
  const ten = (given: Input): Effect.Effect<Input, Error> =>
    Effect.gen(function* () {
      let value = given
      for (let done = 0; done < STEPS.length; done++) value = yield* step(value)
      return value
    })
  const hundred = (given: Input): Effect.Effect<Record<string, Input>, Error> =>
    Effect.all(Object.fromEntries(BRANCHES.map((name) => [name, step(given)])), { concurrency: 'unbounded' })
  return {
    pipe: (given) => Effect.runPromise(ten(given)),
    parallel: (given) => Effect.runPromise(hundred(given)),
  }
}
