import { randomUUID } from 'node:crypto'
import { createRuntime } from 'toolwright'
import { AT_ONCE, durableJob, Ledger, STEPS } from './durable-job.ts'
import type { DurablePeer, OpenDurablePeer } from './durable-peer.ts'
import { withUrl } from './durable-servers.ts'
import { runDurably } from './durable-steps.ts'
import type { Benchmark, Effort, Figure } from './figure.ts'
import { peerVersions } from './install-peers.ts'
import { quantileOf } from './quartiles.ts'
import { elapsed, ratioOf, takeTurns } from './take-turns.ts'

/** The most of the peer's time that a step may take here. */
const MOST_TIMES = 0.4
/** So many make a round: one run is over so soon that a hiccup of the machine is most of it. */
const RUNS_IN_A_ROW = 3
const PEER = 'peers/dbos.ts'
const PACKAGE = '@dbos-inc/dbos-sdk'

/** The steps of `durable.ts` beside raw steps of DBOS, on the same server, by turns. */
export const durablePeerBenchmark: Benchmark = { name: 'durable-dbos', run: (effort) => withUrl(({ url }) => measure(url, effort)) }

async function measure(url: string, { starts, processes }: Effort): Promise<readonly Figure[]> {
  const ledgers = { ours: new Ledger(), theirs: new Ledger() }
  const job = durableJob(ledgers.ours)
  const runtime = createRuntime({ tools: [job], database: { url } })
  const open = await loadPeer()
  const peer = await open({ url, steps: STEPS, put: (key, given) => ledgers.theirs.put(key, given) })
  try {
    const both = (runs: number) => ({ theirs: () => runPeer(peer, runs), ours: () => runDurably({ runtime, job, runs }) })
    const gaps = { theirs: [] as number[], ours: [] as number[] }
    const alone = both(1)
    const inARow = (side: 'theirs' | 'ours') => async () => {
      ledgers[side].forget()
      const perStep: number[] = []
      for (let run = 0; run < RUNS_IN_A_ROW; run++) perStep.push(await alone[side]())
      checkEffects(ledgers[side], RUNS_IN_A_ROW)
      gaps[side].push(1000 * quantileOf(ledgers[side].gaps, 0.5))
      return perStep.reduce((sum, each) => sum + each, 0) / RUNS_IN_A_ROW
    }
    const one = await takeTurns({ theirs: inARow('theirs'), ours: inARow('ours') }, { rounds: starts })
    const many = await takeTurns(both(AT_ONCE), { rounds: 4 + processes * 2, warmUp: 1 })
    const peerName = `${PACKAGE} ${peerVersions()[PACKAGE]}`
    return [
      figure(
        'durable-dbos',
        `a step of a durable run beside a step of ${peerName}, one run after the other`,
        ratioOf(one.theirs, one.ours),
      ),
      {
        ...figure(
          'durable-dbos-gap',
          'the same from one step to the next, start and end of the runs left out',
          ratioOf(gaps.theirs, gaps.ours),
        ),
        budget: undefined,
      },
      figure('durable-dbos-at-once', `the same, ${AT_ONCE} runs at once`, ratioOf(many.theirs, many.ours)),
    ]
  } finally {
    await runtime.close()
    await peer.close()
  }
}

function figure(name: string, about: string, ratio: ReturnType<typeof ratioOf>): Figure {
  return { name, unit: 'us', ...ratio, budget: MOST_TIMES, about }
}

async function runPeer(peer: DurablePeer, runs: number): Promise<number> {
  const ms = await elapsed(() =>
    Promise.all(
      Array.from({ length: runs }, async () => {
        const count = await peer.run(randomUUID())
        if (count !== STEPS) throw new Error(`A run of the peer ended with ${count} instead of ${STEPS}.`)
      }),
    ),
  )
  return (ms * 1000) / (runs * STEPS)
}

/** Neither side may leave an effect out, or do without a key of its own for each. */
function checkEffects({ effects }: Ledger, runs: number): void {
  if (effects.size !== runs * STEPS) throw new Error(`There were ${effects.size} effects instead of ${runs * STEPS}.`)
}

/** The address is put together here so that the compiler does not follow it: what it leads to is installed for this bench only. */
async function loadPeer(): Promise<OpenDurablePeer> {
  // With these set, it would report to a service.
  for (const name of Object.keys(process.env)) if (name.startsWith('DBOS_')) delete process.env[name]
  const module = (await import(new URL(PEER, import.meta.url).href)) as { readonly open: OpenDurablePeer }
  return module.open
}
