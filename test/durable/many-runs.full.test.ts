import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import type { OpenedRuns } from '../../src/run/open-runs.ts'
import { LEFT_TO_OTHERS } from '../../src/run/segment/run-segment.ts'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'

const database = durableRuns()
const FINISHED = 20_000
const WAITING = 3000
const MOST_MS = 20

/** Makes many of one run, with all that hangs on it; the first was made a second before the run itself, and so on. */
async function multiply({ store }: OpenedRuns, run: string, name: string, count: number): Promise<void> {
  const copy = (table: string, changes: string, where: string): Promise<unknown> =>
    store.pool.query(
      `INSERT INTO toolwright.${table} SELECT (jsonb_populate_record(x, jsonb_build_object(${changes}))).*
       FROM toolwright.${table} x, generate_series(1, $2::int) n WHERE x.${where} = $1`,
      [run, count],
    )
  await copy('run', `'id', '${name}' || n, 'created_at', x.created_at - n * interval '1 second', 'ended_at', x.ended_at`, 'id')
  for (const table of ['entry', 'event']) await copy(table, `'run', '${name}' || n`, 'run')
  await copy('approval', `'run', '${name}' || n, 'id', '${name}' || n`, 'run')
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < 15; time++) {
    const since = performance.now()
    await work()
    times.push(performance.now() - since)
  }
  return times.toSorted((a, b) => a - b)[7] ?? Infinity
}

test('with 20,000 runs that have ended and 3,000 that wait, nothing that is asked of them takes 20 ms', { timeout: 300_000 }, async () => {
  const { noting } = notingTools()
  const [pay, asks] = [noting('pay'), gate(noting('asks'))]
  const runs = await database.open([pay, asks])
  const ended = await runs.start(pay, 'ann')
  await ended.result()
  const waiting = await runs.start(asks, 'bob')
  await openRequest(runs, waiting.id)
  await untilStatus(runs, waiting.id, 'waiting')
  await runs.close()
  const desk = await database.open([pay, asks], { worker: false })
  await multiply(desk, ended.id, 'ended', FINISHED)
  await multiply(desk, waiting.id, 'waiting', WAITING)
  await desk.store.pool.query('ANALYZE')
  let started = 0
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    list: () => desk.list(),
    'list of those that wait': () => desk.list({ status: ['waiting', 'blocked'] }),
    'list of a tool': () => desk.list({ tool: 'asks' }),
    inbox: () => desk.inbox.list({ limit: 50 }),
    'inbox of a run': () => desk.inbox.list({ run: 'waiting7' }),
    'inbox of a person': () => desk.inbox.list({ assignee: 'ada' }),
    start: () => desk.start(pay, String(started++)),
    recovery: () => desk.context.store.recover(LEFT_TO_OTHERS),
  }
  const figures: Record<string, number> = {}
  for (const [name, work] of Object.entries(asked)) figures[name] = await median(work)
  console.log(
    Object.entries(figures)
      .map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`)
      .join(', '),
  )
  expect(Object.entries(figures).filter(([, ms]) => ms >= MOST_MS)).toEqual([])
})

test('the memory of a worker does not grow with the runs that it has carried on', { timeout: 600_000 }, async () => {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  const { noting, done, keys } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay])
  const carry = async (count: number): Promise<number> => {
    for (let index = 0; index < count; index += 100) {
      const started = await Promise.all(Array.from({ length: 100 }, (_, each) => runs.start(pay, String(index + each))))
      await Promise.all(started.map((run) => run.result()))
      done.length = 0
      keys.length = 0
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await carry(2000)
  const after = await carry(8000)
  console.log(`heap after 2,000 runs ${(before / 1e6).toFixed(1)} MB, after 10,000 ${(after / 1e6).toFixed(1)} MB`)
  expect((after - before) / 8000).toBeLessThan(200)
})
