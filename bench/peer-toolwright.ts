import { breaker, limit, parallel, retry, ToolPipeline, tool, type ToolResult } from 'toolwright'
import { BRANCHES, type Job, type PeerRuns, STEPS } from './peer-job.ts'

/** A pipeline of ten tools, a `parallel` of a hundred, and each layer around one. */
export function buildToolwright({ schema, pass }: Job): PeerRuns {
  const passing = (name: string) => tool({ name, description: 'Hands its input on.', inputSchema: schema, effect: 'read', execute: pass })
  const [first = '', ...others] = STEPS
  const ten = others.reduce((builder, name) => builder.step(passing(name)), ToolPipeline.builder().name('ten').step(passing(first))).build()
  const hundred = parallel(Object.fromEntries(BRANCHES.map((name) => [name, passing(name)])), {
    name: 'hundred',
    concurrency: BRANCHES.length,
  })
  const one = passing('one')
  const [retried, guarded, limited] = [retry(one), breaker(one), limit(one, { concurrency: 10 })]
  return {
    retry: async (given) => valueOf(await retried.call(given)),
    breaker: async (given) => valueOf(await guarded.call(given)),
    limit: async (given) => valueOf(await limited.call(given)),
    pipe: async (given) => valueOf(await ten.call(given)),
    parallel: async (given) => valueOf(await hundred.call(given)),
  }
}

function valueOf<Value>(result: ToolResult<Value>): Value {
  if (!result.ok) throw new Error(result.text)
  return result.value
}
