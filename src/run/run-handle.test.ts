import { describe, expect, test } from 'vitest'
import { durableRuns } from '../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../test/fixtures/run/noting-tools.ts'
import { gate } from '../combinators/gate/gate.ts'
import { saga } from '../combinators/saga/saga.ts'
import type { Alert } from '../tool/alert.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { inEntry } from './journal/place.ts'
import type { OpenedRuns } from './open-runs.ts'

const database = durableRuns()

/** A saga whose last step fails, and whose first compensation fails until that is mended. */
function settling() {
  const { noting, done, keys } = notingTools()
  let isMended = false
  const release = noting('release', {
    meanwhile: () => {
      if (!isMended) throw new Error('the warehouse is closed')
    },
  })
  const mail = noting('mail', {
    meanwhile: () => {
      throw new ToolError('no such mailbox', { outcome: 'failed' })
    },
  })
  const undo = (by: AgentTool<string, string>) => ({ with: by, class: 'reversible', attempts: 1, input: () => 'ann' }) as const
  const settle = saga({ name: 'settle', description: 'Settles.' })
    .step('reserve', noting('reserve'), { compensate: undo(release) })
    .step('charge', noting('charge'), { compensate: undo(noting('pay_back')) })
    .step('mail', mail)
    .build()
  return { settle, done, keys, mend: () => (isMended = true) }
}

/** The states of the saga, as the database has them. */
async function stateOf({ store, context }: OpenedRuns, run: string): Promise<unknown> {
  const { rows } = await store.pool.query<{ path: string; data: string }>(
    "SELECT path, data FROM toolwright.entry WHERE run = $1 AND path LIKE '%:saga'",
    [run],
  )
  return (
    context.values.unseal(rows[0]?.data ?? 'null', inEntry(run, rows[0]?.path ?? '', 'data')) as {
      readonly undoing?: { readonly state?: string }
    }
  ).undoing?.state
}

describe('a compensation that failed in a durable run', () => {
  test('is told once, and tried again on a person’s word, in another process and under the same key [G3] [G4]', async () => {
    const { settle, done, keys, mend } = settling()
    const alerts: Alert[] = []
    const first = await database.open([settle], { shared: { alert: (alert) => void alerts.push(alert) } })
    const { id } = await first.start(settle, 'ann')
    expect(await (await first.get(id)).result()).toMatchObject({
      ok: false,
      error: { outcome: 'unknown' },
      compensation: { state: 'compensation_failed', durable: true, failedStep: 'mail' },
    })
    expect(await stateOf(first, id)).toBe('compensation_failed')
    expect(done).toEqual(['reserve ann', 'charge ann', 'mail ann', 'pay_back ann', 'release ann'])
    expect(alerts).toHaveLength(1)
    await first.close()
    mend()
    const second = await database.open([settle], { shared: { alert: (alert) => void alerts.push(alert) } })
    const run = await second.get(id)
    await run.retryCompensation('ada')
    expect(await run.result()).toMatchObject({ ok: false, error: { outcome: 'failed' }, compensation: { state: 'compensated' } })
    expect(await stateOf(second, id)).toBe('compensated')
    expect(done.slice(5)).toEqual(['release ann'])
    expect(keys[5]).toBe(keys[4])
    expect(alerts).toHaveLength(1)
  })

  test('may be tried again more than once', async () => {
    const { settle, done, mend } = settling()
    const runs = await database.open([settle])
    const run = await runs.start(settle, 'ann')
    await run.result()
    await run.retryCompensation()
    expect(await run.result()).toMatchObject({ compensation: { state: 'compensation_failed' } })
    mend()
    await run.retryCompensation()
    expect(await run.result()).toMatchObject({ compensation: { state: 'compensated' } })
    expect(done.filter((each) => each === 'release ann')).toHaveLength(3)
    await expect(run.retryCompensation()).rejects.toMatchObject({ code: 'run_not_open' })
  })

  test('is not tried again while nothing failed', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const runs = await database.open([pay])
    const run = await runs.start(pay, 'ann')
    await run.result()
    await expect(run.retryCompensation()).rejects.toMatchObject({ code: 'run_not_open' })
  })
})

test('a cancelled run undoes what its saga did before it ends [G3]', async () => {
  const { noting, done } = notingTools()
  const begun = Promise.withResolvers<void>()
  const slow = noting('slow', {
    meanwhile: (_input, { signal }) => {
      begun.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    },
  })
  const settle = saga({ name: 'settle', description: 'Settles.' })
    .step('reserve', noting('reserve'), { compensate: { with: noting('release'), class: 'reversible', input: () => 'ann' } })
    .step('slow', slow, { compensate: { with: noting('undo_slow'), class: 'reversible', input: () => 'ann' } })
    .build()
  const runs = await database.open([settle])
  const run = await runs.start(settle, 'ann')
  await begun.promise
  await run.cancel('not wanted')
  expect(await run.result()).toMatchObject({ ok: false, error: { class: 'cancelled' }, compensation: { state: 'aborted' } })
  expect(await run.status()).toMatchObject({ status: 'cancelled' })
  expect(done).toEqual(['reserve ann', 'slow ann', 'undo_slow ann', 'release ann'])
})

test('tells whether its start began it, and waits for a status, or for the end if that comes first', async () => {
  const { noting } = notingTools()
  const pay = gate(noting('pay'))
  const runs = await database.open([pay])
  const run = await runs.start(pay, 'ann', { key: 'once' })
  const same = await runs.start(pay, 'ann', { key: 'once' })
  expect([run.isNew, same.isNew, (await runs.get(run.id)).isNew, same.id]).toEqual([true, false, false, run.id])
  expect(await run.until(({ status }) => status === 'waiting')).toMatchObject({ status: 'waiting', why: { code: 'person' } })
  const controller = new AbortController()
  const never = run.until(() => false, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(never).rejects.toThrow('enough')
  const blocked = run.until(({ status }) => status === 'blocked')
  const [item] = await runs.inbox.list({ run: run.id })
  await runs.inbox.approve(item?.request.id ?? '')
  expect(await blocked).toMatchObject({ status: 'completed' })
})
