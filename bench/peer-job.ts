import { z } from 'zod'

const schema = z.object({ name: z.string(), count: z.number() })

export type Input = z.infer<typeof schema>

/** What every peer makes ten steps in a row, a hundred branches side by side, or one guarded step of: check the input, await the function. */
export interface Job {
  readonly schema: z.ZodType<Input, Input>
  readonly pass: (given: Input) => Promise<Input>
}

/** The job as one peer does it, as far as it can. All give what a user of the peer would go on with, and reject when an input does not fit. */
export interface PeerRuns {
  readonly pipe?: (given: Input) => Promise<Input>
  /** A list, or an object with a key for each branch. */
  readonly parallel?: (given: Input) => Promise<Readonly<Record<string, Input>> | readonly Input[]>
  /** One step, which would be repeated if it failed. */
  readonly retry?: (given: Input) => Promise<Input>
  /** One step behind a circuit breaker, which is closed. */
  readonly breaker?: (given: Input) => Promise<Input>
  /** One step within a limit of ten at a time, which is not reached. */
  readonly limit?: (given: Input) => Promise<Input>
}

export type PeerKind = keyof PeerRuns

export type BuildPeer = (job: Job) => PeerRuns

export const STEPS: readonly string[] = Array.from({ length: 10 }, (_, index) => `step_${index}`)
export const BRANCHES: readonly string[] = Array.from({ length: 100 }, (_, index) => `branch_${index}`)

export const input: Input = { name: 'Ada', count: 3 }

/** The job that is measured, the same as in the contests of the door. */
export const passOn: Job = { schema, pass: async (given) => given }

export interface CountedJob extends Job {
  readonly seen: { checks: number; runs: number }
}

/** The same job, telling how often it was done: `count` grows by one with every step. */
export function countedJob(): CountedJob {
  const seen = { checks: 0, runs: 0 }
  const counting = schema.refine(() => {
    seen.checks++
    return true
  })
  const pass = async ({ name, count }: Input): Promise<Input> => {
    seen.runs++
    return { name, count: count + 1 }
  }
  return { schema: counting, pass, seen }
}
