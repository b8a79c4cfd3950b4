import { expect, test } from 'vitest'
import { durableRuns, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { MASK } from '../../tool/secrets/mask.ts'
import { tool } from '../../tool/tool.ts'
import { drawRun } from './run-timeline.ts'

const database = durableRuns()

const look = (name: string, execute: () => Promise<unknown>) =>
  tool({ name, description: 'd', effect: 'read', execute: async (input: string) => (await execute(), `${input}>${name}`) })

test('steps stand in the record as they happened, however long the database took to write each of them [G4]', async () => {
  const { noting } = notingTools()
  const others = await database.open([], { worker: false })
  const holder = await others.store.pool.connect()
  const held = { run: '' }
  const whole = ToolPipeline.of(
    'whole',
    'd',
    look('first', async () => {
      // Nothing of the run is written until this ends.
      await holder.query('BEGIN')
      await holder.query('SELECT FROM toolwright.run WHERE id = $1 FOR UPDATE', [held.run])
    }),
    look('second', () => holder.query('SELECT pg_sleep(0.06)')),
    look('third', async () => {
      await holder.query('SELECT pg_sleep(0.02)')
      await holder.query('COMMIT')
    }),
    gate(noting('pay')),
    noting('mail'),
  )
  const runs = await database.open([whole], { worker: false })
  const run = await runs.start(whole, 'x')
  held.run = run.id
  const working = await database.open([whole])
  await untilStatus(working, run.id, 'waiting')
  holder.release()
  const [item] = await working.inbox.list({ run: run.id })
  await working.inbox.approve(item?.request.id ?? '')
  await run.result()
  const record = await runs.show(run.id)
  const steps = record.steps.map(({ tool: name, startedAt, endedAt = 0 }) => ({ name, startedAt, endedAt }))
  expect(steps.map(({ name }) => name)).toEqual(['first', 'second', 'third', 'pay', 'mail'])
  for (const [index, { name, startedAt, endedAt }] of steps.entries()) {
    expect(startedAt, name).toBeGreaterThanOrEqual(steps[index - 1]?.endedAt ?? 0)
    expect(endedAt, name).toBeGreaterThanOrEqual(startedAt)
  }
  expect(record.steps[1]?.durationMs).toBeGreaterThanOrEqual(58)
  // Each within the stretch of work in which it ran.
  const running = record.history.filter(({ status }) => status === 'running').map(({ at }) => at)
  expect(steps[0]?.startedAt).toBeGreaterThanOrEqual(running[0] ?? Infinity)
  expect(steps[3]?.startedAt).toBeGreaterThanOrEqual(running.at(-1) ?? Infinity)
  expect(steps[2]?.endedAt).toBeLessThanOrEqual(record.history.find(({ status }) => status === 'waiting')?.at ?? 0)
  const drawn = drawRun(record)
    .split('\n')
    .flatMap((line) => /[├└]─ (\w+)/.exec(line)?.[1] ?? [])
  expect(drawn).toEqual(['first', 'second', 'third', 'pay', 'gated', 'mail'])
})

test('a record says who started its run, without secrets', async () => {
  const { noting } = notingTools()
  const mail = noting('mail')
  const runs = await database.open([mail], { shared: { agent: 'desk' } })
  const principal = { id: 'ada', tenant: 'acme', permissions: ['mail'], token: 'sk-live-1234567890' }
  const run = await runs.start(mail, 'x', { principal, session: 's-1', task: 'with sk-live-1234567890' })
  await run.result()
  expect((await runs.show(run.id)).starter).toEqual({
    principal: { ...principal, token: MASK },
    session: expect.any(String) as string,
    agent: 'desk',
    task: `with ${MASK}`,
  })
  expect((await runs.show(run.id, { includeSecrets: true })).starter).toMatchObject({ session: 's-1', principal })
  const other = await database.open([mail])
  expect((await other.show((await other.start(mail, 'y')).id)).starter).toBeUndefined()
})
