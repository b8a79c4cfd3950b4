import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { type AgentTool, createRuntime, type Runtime } from 'toolwright'
import { openStore, type StoreOptions } from 'toolwright/store'
import { ownStore } from '../test/fixtures/run/own-store.ts'
import { AT_ONCE, durableJob, Ledger, type Place, STEPS } from './durable-job.ts'
import { SERVERS, type ServerKind } from './durable-servers.ts'
import type { Effort, Figure } from './figure.ts'
import { quantileOf } from './quartiles.ts'
import { elapsed, ratioOf, takeTurns } from './take-turns.ts'

/** Measured when they were set: 2.7x to 3.5x, and 0.3x to 0.9x. The rest is head room. A step has two commits, the baseline has one. */
const MOST_TIMES = { one: 4.5, many: 1.2 }

/** What a step of a durable run costs, beside a plain commit on the same server and beside the same tools called in the process. */
export function measureSteps(kind: ServerKind, effort: Effort): Promise<readonly Figure[]> {
  return SERVERS[kind](async (database: StoreOptions) => {
    const ledger = new Ledger()
    const job = durableJob(ledger)
    const runtime = createRuntime({ tools: [job], database })
    const store = await openStore(database)
    try {
      const client = await store.pool.connect()
      await client.query('CREATE TABLE public.plain (key text PRIMARY KEY, data json)')
      await verify({ runtime, job, runs: 1 }, ledger, ownStore(store).pool)
      const undurable = durableJob(new Ledger())
      const one = await takeTurns(
        { insert: () => insertEach(client), inProcess: () => callOnce(undurable), durable: () => runDurably({ runtime, job, runs: 1 }) },
        { rounds: effort.starts * 2 },
      )
      const oneGaps = gapsOf(ledger)
      const many = await takeTurns(
        { insert: () => insertEach(client), durable: () => runDurably({ runtime, job, runs: AT_ONCE }) },
        { rounds: 4 + effort.processes * 2, warmUp: 1 },
      )
      const manyGaps = gapsOf(ledger)
      client.release()
      const name = `durable-${kind}`
      const where = kind === 'embedded' ? 'embedded' : 'by URL'
      const unit = 'us'
      return [
        {
          ...{ name, unit, budget: MOST_TIMES.one, ...ratioOf(one.insert, one.durable) },
          about: `a step of a durable run, ${where}, beside an INSERT and its commit: ${speedOf(one.durable)}, ${oneGaps}`,
        },
        {
          ...{ name: `${name}-at-once`, unit, budget: MOST_TIMES.many, ...ratioOf(many.insert, many.durable) },
          about: `the same with ${AT_ONCE} runs at once: ${speedOf(many.durable)}, ${manyGaps}`,
        },
        {
          ...{ name: `${name}-in-process`, unit, ...ratioOf(one.inProcess, one.durable) },
          about: `a step of a durable run, ${where}, beside a call of the same tools without a record`,
        },
      ]
    } finally {
      await runtime.close()
      await store.close()
    }
  })
}

interface Durably {
  readonly runtime: Runtime
  readonly job: AgentTool<Place, number>
  readonly runs: number
}

/** Microseconds a step, from the start of the runs to the last result. */
export async function runDurably({ runtime, job, runs }: Durably): Promise<number> {
  const ms = await elapsed(() =>
    Promise.all(
      Array.from({ length: runs }, async () => {
        const handle = await runtime.start(job, { run: randomUUID(), count: 0 })
        const result = await handle.result()
        if (!result.ok || result.value !== STEPS) throw new Error(`A durable run went wrong: ${result.text}`)
      }),
    ),
  )
  return (ms * 1000) / (runs * STEPS)
}

/** Throws unless each step of a run took effect once and is on record with its key and its result. */
async function verify(durably: Durably, ledger: Ledger, database: Pick<ClientBase, 'query'>): Promise<void> {
  await runDurably(durably)
  const { rows } = await database.query<{ key: string }>('SELECT key FROM toolwright.entry WHERE data IS NOT NULL AND ended_no IS NOT NULL')
  const isWhole = rows.length === STEPS && ledger.effects.size === STEPS && rows.every(({ key }) => ledger.effects.has(key))
  if (!isWhole) throw new Error(`${rows.length} steps are on record and ${ledger.effects.size} took effect, instead of ${STEPS}.`)
  ledger.forget()
}

async function callOnce(job: AgentTool<Place, number>): Promise<number> {
  const ms = await elapsed(async () => {
    const result = await job.call({ run: 'in-process', count: 0 })
    if (!result.ok) throw new Error(result.text)
  })
  return (ms * 1000) / STEPS
}

/** A row with a key and a value of the size that a step has, each in a transaction of its own. */
async function insertEach(client: ClientBase): Promise<number> {
  const data = JSON.stringify({ run: randomUUID(), count: 0 })
  const ms = await elapsed(async () => {
    for (let step = 0; step < STEPS; step++)
      await client.query({ name: 'plain', text: 'INSERT INTO public.plain VALUES ($1, $2)', values: [randomUUID(), data] })
  })
  return (ms * 1000) / STEPS
}

function speedOf(microseconds: readonly number[]): string {
  return `${Math.round(1e6 / quantileOf(microseconds, 0.5))} steps/s`
}

/** From one step of a run to the next. */
function gapsOf(ledger: Ledger): string {
  const [p50, p95] = [quantileOf(ledger.gaps, 0.5), quantileOf(ledger.gaps, 0.95)]
  ledger.forget()
  return `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`
}
