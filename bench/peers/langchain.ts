import { type RunnableLike, RunnableMap, RunnableSequence } from '@langchain/core/runnables'
import { tool } from '@langchain/core/tools'
import { BRANCHES, type Input, type Job, type PeerRuns, STEPS } from '../peer-job.ts'

/** A `RunnableSequence` of ten tools and a `RunnableMap` of a hundred. */
export function build({ schema, pass }: Job): PeerRuns {
  // Its types allow for a message instead, which comes only where the call of a model is invoked.
  const passing = (name: string) =>
    tool(pass, { name, description: 'Hands its input on.', schema }) as unknown as RunnableLike<Input, Input>
  const ten = RunnableSequence.from<Input, Input>(
    STEPS.map(passing) as [RunnableLike<Input>, ...RunnableLike[], RunnableLike<Input, Input>],
  )
  const hundred = RunnableMap.from<Input, Record<string, Input>>(Object.fromEntries(BRANCHES.map((name) => [name, passing(name)])))
  return {
    pipe: (given) => ten.invoke(given),
    parallel: (given) => hundred.invoke(given),
  }
}
