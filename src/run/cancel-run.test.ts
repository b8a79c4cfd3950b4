import { describe, expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../../test/fixtures/run/durable-runs.ts'
import { latch } from '../../test/fixtures/run/latch.ts'
import { notingTools } from '../../test/fixtures/run/noting-tools.ts'
import { gate } from '../combinators/gate/gate.ts'
import { saga } from '../combinators/saga/saga.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { failure } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'

const database = durableRuns()

const HOUR_MS = 3_600_000

describe('a run that is cancelled', () => {
  test('before its start ends now, and does nothing [G5]', async () => {
    const { noting, done } = notingTools()
    const pay = noting('pay')
    const runs = await database.open([pay])
    const startAt = new Date(Date.now() + HOUR_MS)
    const run = await runs.start(pay, 'ann', { startAt })
    expect(await run.status()).toMatchObject({ status: 'queued', wakeAt: startAt.getTime() })
    expect(await run.cancel('not wanted')).toBe(true)
    expect(await run.result()).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(await run.cancel()).toBe(false)
    expect(done).toEqual([])
  })

  test('while its tool has no room for it ends now', async () => {
    const { noting, done } = notingTools()
    const held = latch()
    const pay = noting('pay', { meanwhile: held.wait })
    const runs = await database.open([pay], { worker: { limits: { pay: { concurrency: 1 } } } })
    const first = await runs.start(pay, 'ann')
    await held.begun
    const second = await runs.start(pay, 'bob')
    await expect.poll(() => isHeldBack(second.id)).toBe(true)
    await second.cancel()
    expect(await second.result()).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    held.open()
    expect(await first.result()).toMatchObject({ ok: true })
    expect(done).toEqual(['pay ann'])

    async function isHeldBack(id: string): Promise<boolean | undefined> {
      const { rows } = await runs.store.pool.query<{ held_back: boolean }>('SELECT held_back FROM toolwright.run WHERE id = $1', [id])
      return rows[0]?.held_back
    }
  })

  test('has its requests withdrawn at once, and nobody decides them any more', async () => {
    const { noting } = notingTools()
    const pay = gate(noting('pay'))
    const runs = await database.open([pay])
    const run = await runs.start(pay, 'ann')
    const request = await openRequest(runs, run.id)
    await untilStatus(runs, run.id, 'waiting')
    await runs.close()
    const starter = await database.open([pay], { worker: false })
    const withdrawn: string[] = []
    starter.inbox.on('withdrawn', ({ request: { id } }) => withdrawn.push(id))
    await (await starter.get(run.id)).cancel()
    expect(await starter.inbox.list()).toEqual([])
    const refused = { code: 'withdrawn', message: expect.stringContaining('Its run was cancelled.') }
    await expect(starter.inbox.stop(request)).rejects.toMatchObject(refused)
    await expect(starter.inbox.edit(request, { input: 'bob' })).rejects.toMatchObject(refused)
    expect(await starter.inbox.get(request)).toMatchObject({ status: 'withdrawn', closedAt: expect.any(Number) })
    await expect.poll(() => withdrawn).toEqual([request])
  })

  test('can still be asked about by what is being undone', async () => {
    const { noting, done } = notingTools()
    const giveBack = gate(noting('give_back'))
    const fail = tool({ name: 'fail', description: 'Fails.', effect: 'read', execute: () => failure('No.') })
    const order = saga({ name: 'order', description: 'Orders.' })
      .step('take', noting('take'), { compensate: { with: giveBack, class: 'reversible', input: ({ input }) => String(input) } })
      .step('fail', fail)
      .build() as AgentTool<string>
    const runs = await database.open([order])
    const run = await runs.start(order, 'a lamp')
    const request = await openRequest(runs, run.id)
    await untilStatus(runs, run.id, 'waiting')
    await run.cancel()
    // Taken up, and put away once more: it waits for the person, and only for that.
    await expect.poll(async () => (await runs.show(run.id)).history.map(({ status }) => status)).toContain('queued')
    await untilStatus(runs, run.id, 'waiting')
    await runs.inbox.approve(request)
    await run.result()
    expect(done).toEqual(['take a lamp', 'give_back a lamp'])
    const { history } = await runs.show(run.id)
    expect(history.filter(({ status }) => status === 'running').length).toBeLessThanOrEqual(3)
  })

  test.each([
    { moment: 'was asked before', isParked: true },
    { moment: 'is asked later', isParked: false },
  ])('still waits for a person whom a shielded call asks, who $moment', async ({ isParked }) => {
    const { noting, done } = notingTools()
    const held = latch()
    const pay = noting('pay', { meanwhile: isParked ? async () => {} : held.wait })
    const tidy = gate(noting('tidy'))
    const order = compound({
      name: 'order',
      description: 'Pays, and tidies up however that ends.',
      parts: { pay, tidy },
      run: async (text, context) => {
        try {
          return await context.call('pay', pay, text)
        } finally {
          await context.call('tidy', tidy, text, { shielded: true })
        }
      },
    })
    const runs = await database.open([order])
    const run = await runs.start(order, 'a lamp')
    await (isParked ? openRequest(runs, run.id) : held.begun)
    await run.cancel()
    held.open()
    await runs.inbox.approve(await openRequest(runs, run.id))
    await run.result()
    expect(done).toContain('tidy a lamp')
  })
})
