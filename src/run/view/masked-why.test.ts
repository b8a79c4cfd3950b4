import { expect, test } from 'vitest'
import { z } from 'zod'
import { durableRuns, openRequest } from '../../../test/fixtures/run/durable-runs.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { tool } from '../../tool/tool.ts'
import { drawRun } from './run-timeline.ts'

const database = durableRuns()

const SECRETS = /opensesame|90210-1/

const login = tool({
  name: 'login',
  description: 'Logs in.',
  inputSchema: z.object({ user: z.string(), password: z.string(), pin: z.string().meta({ sensitive: true }) }),
  effect: 'read',
  execute: ({ user, password, pin }) => {
    throw new Error(`No entry for ${user} with ${password} and ${pin}.`)
  },
})

const INPUT = { user: 'ann', password: 'opensesame', pin: '90210-1' }

test('why a run failed is told without its secrets, wherever it stands', async () => {
  const runs = await database.open([login])
  const run = await runs.start(login, INPUT)
  // The caller gets the true message: it is theirs.
  expect(await run.result()).toMatchObject({ ok: false, error: { message: expect.stringMatching(SECRETS) as string } })
  const told: unknown[] = []
  for await (const event of run.events()) if (event.type === 'status') told.push(event)
  const shown = await runs.show(run.id)
  const { rows } = await runs.store.pool.query('SELECT why FROM toolwright.run')
  const views = [told, await run.status(), await runs.list(), shown, drawRun(shown, { width: 200 }), await runs.export(run.id), rows]
  for (const view of views.map((each) => JSON.stringify(each))) {
    expect(view).toContain('No entry for ann with ••••••')
    expect(view).not.toMatch(SECRETS)
  }
})

test('a reason that was written unmasked is masked where the run is shown', async () => {
  const runs = await database.open([login])
  const run = await runs.start(login, INPUT)
  await run.result()
  await runs.store.pool.query('UPDATE toolwright.run SET why = $1', [JSON.stringify({ code: 'x', message: 'It was opensesame.' })])
  expect(await runs.show(run.id)).toMatchObject({ why: { message: 'It was ••••••.' } })
  expect(await runs.export(run.id)).toMatchObject({ run: { why: { message: 'It was ••••••.' } } })
})

test('what a schema says of a secret field is no secret', async () => {
  const gated = gate(login)
  const runs = await database.open([gated])
  const run = await runs.start(gated, INPUT)
  await runs.inbox.reject(await openRequest(runs, run.id), 'a string, and no object')
  await run.result()
  const shown = await runs.show(run.id)
  expect(shown.approvals).toMatchObject([
    { decision: { reason: 'a string, and no object' }, request: { inputSchema: { properties: { password: { type: 'string' } } } } },
  ])
  const { journal } = await runs.export(run.id)
  expect(journal.find(({ kind }) => kind === 'review')).toMatchObject({
    request: { input: { user: 'ann', password: '••••••' }, inputSchema: { properties: { password: { type: 'string' } } } },
    decision: { reason: 'a string, and no object' },
  })
})

test('a misspelled edit is refused by the durable inbox, and the request stays open [T14] [T15]', async () => {
  const pay = gate(
    tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.number() }),
      effect: 'write',
      execute: ({ amount }) => amount,
    }),
  )
  const runs = await database.open([pay])
  const run = await runs.start(pay, { amount: 1 })
  const request = await openRequest(runs, run.id)
  await expect(runs.inbox.edit(request, { patch: { amuont: 2 } }, 'ada')).rejects.toMatchObject({
    code: 'invalid_answer',
    message: `The edit does not fit request '${request}', which stays open: there is no field 'amuont'. Did you mean 'amount'?`,
  })
  await runs.inbox.edit(request, { patch: { amount: 2 } }, 'ada')
  expect(await run.result()).toMatchObject({ ok: true, value: 2 })
})
