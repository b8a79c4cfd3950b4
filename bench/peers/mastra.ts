import { createStep, createWorkflow } from '@mastra/core/workflows'
import { z } from 'zod'
import { BRANCHES, type Job, type PeerRuns, STEPS } from '../peer-job.ts'

/** A workflow of ten steps, and one with `.parallel` over a hundred; a run is made for each and started. */
export function build({ schema, pass }: Job): PeerRuns {
  const passing = (id: string) => createStep({ id, inputSchema: schema, outputSchema: schema, execute: ({ inputData }) => pass(inputData) })
  const ten = STEPS.reduce(
    (flow, name) => flow.then(passing(name)),
    createWorkflow({ id: 'ten', inputSchema: schema, outputSchema: schema }),
  ).commit()
  const hundred = createWorkflow({ id: 'hundred', inputSchema: schema, outputSchema: z.record(z.string(), schema) })
    .parallel(BRANCHES.map(passing))
    .commit()

  return {
    pipe: async (given) => resultOf(await (await ten.createRun()).start({ inputData: given })),
    parallel: async (given) => resultOf(await (await hundred.createRun()).start({ inputData: given })),
  }
}

type Outcome<Value> = { readonly status: 'success'; readonly result: Value } | { readonly status: string }

function resultOf<Value>(outcome: Outcome<Value>): Value {
  if (!('result' in outcome)) throw new Error(`The workflow ended as '${outcome.status}'.`)
  return outcome.result
}
