import { isDeepStrictEqual } from 'node:util'
import { BRANCHES, type BuildPeer, countedJob, type Input, input, type PeerKind, STEPS } from './peer-job.ts'

/** Throws unless a peer does the whole job: each step is run once, each checks its input, the value is right, and a bad input is refused. */
export async function verifyPeer(build: BuildPeer, kind: PeerKind): Promise<void> {
  const job = countedJob()
  const run = build(job)[kind]
  if (run === undefined) throw new Error(`It has no ${kind}.`)
  const value = await run(input)
  const { checks, runs } = job.seen
  const parts = kind === 'pipe' ? STEPS.length : kind === 'parallel' ? BRANCHES.length : 1
  const wanted = kind === 'parallel' ? BRANCHES.map(() => passed(1)) : passed(parts)
  if (!isDeepStrictEqual(kind === 'parallel' ? Object.values(value) : value, wanted))
    throw new Error(`It gave a wrong value: ${JSON.stringify(value)}.`)
  if (runs !== parts) throw new Error(`It ran ${runs} functions instead of ${parts}.`)
  if (checks < parts) throw new Error(`It checked ${checks} inputs instead of ${parts}.`)
  if (!(await isRefused(() => run(JSON.parse('{"name":"Ada","count":"three"}') as Input))))
    throw new Error('It took an input that does not fit.')
}

function passed(times: number): Input {
  return { ...input, count: input.count + times }
}

async function isRefused(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return false
  } catch {
    return true
  }
}
