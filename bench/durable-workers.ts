import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type AgentTool, createRuntime } from 'toolwright'
import type { RunHandle } from 'toolwright'
import { openStore } from 'toolwright/store'
import { ownStore } from '../test/fixtures/run/own-store.ts'
import { AT_ONCE, durableJob, Ledger, type Place } from './durable-job.ts'
import { withUrl } from './durable-servers.ts'
import type { Effort, Figure } from './figure.ts'
import { quartilesOf } from './quartiles.ts'
import { ratioOf, takeTurns } from './take-turns.ts'
import { WORK, type WorkerMessage } from './worker-message.ts'

const MOST_WORKERS = 4
/** The time of the same runs beside that with one worker: 0.57x to 0.63x and 0.37x to 0.50x when they were set. Where steps cost nothing there is no budget: the cores of the machine are the limit. */
const MOST_TIMES = { 2: 0.75, 4: 0.6 } as const

/** How much sooner the same runs are done by more worker processes on one database. */
export function measureWorkers({ processes }: Effort): Promise<readonly Figure[]> {
  return withUrl(async ({ url }) => {
    const children = await Promise.all(Array.from({ length: MOST_WORKERS }, startWorker))
    try {
      const figures: Figure[] = []
      for (const kind of ['waiting', 'free'] as const) {
        const way = (workers: number) => () => timeOf({ url, kind, workers: children.slice(0, workers) })
        const times = await takeTurns({ one: way(1), two: way(2), four: way(4) }, { rounds: 2 + processes, warmUp: 1 })
        figures.push(figureOf(kind, 2, [times.one, times.two]), figureOf(kind, 4, [times.one, times.four]))
      }
      return figures
    } finally {
      for (const child of children) if (child.connected) child.disconnect()
    }
  })
}

type Kind = keyof typeof WORK

function figureOf(kind: Kind, workers: 2 | 4, [alone, together]: readonly [readonly number[], readonly number[]]): Figure {
  const { runs, steps } = WORK[kind]
  const rate = (ms: readonly number[]): string => `${Math.round(runs / (quartilesOf(ms).median / 1000))} runs/s`
  const doing = kind === 'free' ? 'steps that cost nothing' : `steps that wait ${WORK.waiting.waitMs} ms`
  return {
    name: `durable-workers-${workers}${kind === 'free' ? '-free' : ''}`,
    unit: 'ms',
    ...ratioOf(alone, together),
    budget: kind === 'free' ? undefined : MOST_TIMES[workers],
    about: `${runs} runs of ${steps} ${doing}, ${workers} workers beside one: ${rate(alone)} > ${rate(together)}`,
  }
}

async function startWorker(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('durable-worker.ts', import.meta.url)), { execArgv: ['--conditions=toolwright-source'] })
  await once(child, 'message')
  return child
}

interface Timing {
  readonly url: string
  readonly kind: Kind
  readonly workers: readonly ChildProcess[]
}

/** All runs are queued before the first worker comes. By the clock of the database, from the first that is taken up to the end of the last. */
async function timeOf({ url, kind, workers }: Timing): Promise<number> {
  const job: AgentTool<Place, number> = durableJob(new Ledger(), WORK[kind])
  const runtime = createRuntime({ tools: [job], database: { url }, worker: false })
  const store = ownStore(await openStore({ url }))
  try {
    const handles: RunHandle<number>[] = []
    while (handles.length < WORK[kind].runs)
      handles.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => runtime.start(job, { run: randomUUID(), count: 0 })))))
    await Promise.all(workers.map((worker) => tell(worker, { order: 'open', url })))
    for (const handle of handles) {
      const result = await handle.result()
      if (!result.ok || result.value !== WORK[kind].steps) throw new Error(`A durable run went wrong: ${result.text}`)
    }
    const { rows } = await store.pool.query<{ ms: number }>(
      'SELECT (1000 * extract(epoch FROM max(ended_at) - min(started_at)))::float8 AS ms FROM toolwright.run WHERE id = ANY($1::text[])',
      [handles.map(({ id }) => id)],
    )
    await Promise.all(workers.map((worker) => tell(worker, { order: 'close' })))
    return rows[0]?.ms ?? Number.NaN
  } finally {
    await runtime.close()
    await store.close()
  }
}

async function tell(worker: ChildProcess, message: WorkerMessage): Promise<void> {
  const listening = new AbortController()
  const { signal } = listening
  const answered = once(worker, 'message', { signal })
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('A worker of the bench ended before its time.')
  })
  worker.send(message)
  try {
    await Promise.race([answered, ended])
  } finally {
    for (const waiting of [answered, ended]) waiting.catch(() => {})
    listening.abort()
  }
}
