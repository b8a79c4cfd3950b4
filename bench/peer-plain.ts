import { BRANCHES, type Input, type Job, type PeerRuns, STEPS } from './peer-job.ts'

/** What a program does without any library: ten awaits in a row, `Promise.all` over a hundred, or one, each with a zod check before it. */
export function buildPlain({ schema, pass }: Job): Required<PeerRuns> {
  async function checked(given: unknown): Promise<Input> {
    const parsed = schema['~standard'].validate(given) as { readonly value: Input; readonly issues?: unknown }
    if (parsed.issues !== undefined) throw new Error('The input does not fit.')
    return await pass(parsed.value)
  }
  return {
    async pipe(given) {
      let value = given
      for (let step = 0; step < STEPS.length; step++) value = await checked(value)
      return value
    },
    parallel: (given) => Promise.all(BRANCHES.map(() => checked(given))),
    retry: checked,
    breaker: checked,
    limit: checked,
  }
}
