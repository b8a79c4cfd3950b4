import { describe, expect, test } from 'vitest'
import { durableRuns, openRequest } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { compound } from '../../tool/compound.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { tool } from '../../tool/tool.ts'
import { isStorable, storable } from './storable.ts'

const database = durableRuns()

const NUL = 'zero: \0 end'
const HALF = 'price: 😀'.slice(0, 8)
const ODD: readonly (readonly [name: string, text: string])[] = [
  ['NUL', NUL],
  ['half a surrogate pair', HALF],
]

test('what cannot be stored is replaced by signs that show it', () => {
  expect([NUL, HALF].map(isStorable)).toEqual([false, false])
  expect(storable(NUL)).toBe('zero: ␀ end')
  expect(storable(HALF)).toBe('price: �')
  expect(storable('price: 😀')).toBe('price: 😀')
})

describe.each(ODD)('a text with %s', (_name, odd) => {
  const failing = (message: string) =>
    tool({
      name: 'failing',
      description: 'Fails.',
      effect: 'read',
      execute: (): string => {
        throw new Error(message)
      },
    })

  test('in the message of a failure ends the run: the result has it whole, the reason visibly replaced [G5]', async () => {
    const fails = pipe(failing(odd))
    const runs = await database.open([fails])
    const run = await runs.start(fails, 'x')
    expect(await run.result()).toMatchObject({ ok: false, error: { message: odd } })
    expect(await run.status()).toMatchObject({ status: 'failed', why: { message: `Step 'failing' failed: ${storable(odd)}` } })
    expect((await runs.show(run.id)).history.at(-1)).toMatchObject({
      status: 'failed',
      why: { message: `Step 'failing' failed: ${storable(odd)}` },
    })
  })

  test('quoted by a rejection, said by a reviewer or given as a reason ends the run', async () => {
    const { noting } = notingTools()
    const quoting = compound({
      name: 'quoting',
      description: 'Rejects.',
      parts: {},
      run: () => Promise.reject(new ConfigurationError('replay_diverged', odd)),
    })
    const asks = gate(noting('asks'))
    const runs = await database.open([quoting, asks])
    const blocked = await runs.start(quoting, 'x')
    await expect(blocked.result()).rejects.toMatchObject({ code: 'replay_diverged', message: storable(odd) })
    const run = await runs.start(asks, odd)
    const request = await openRequest(runs, run.id)
    await runs.inbox.assign(request, odd)
    expect(await runs.inbox.list({ assignee: odd })).toMatchObject([{ assignee: storable(odd), request: { input: odd } }])
    await runs.inbox.stop(request, odd, odd)
    await expect(run.result()).rejects.toMatchObject({ code: 'exit_early' })
    expect((await runs.inbox.get(request))?.decision).toEqual({ action: 'stop', reason: odd, by: odd, identity: 'claimed' })
    const cancelled = await runs.start(asks, 'x')
    await openRequest(runs, cancelled.id)
    await cancelled.cancel(odd)
    expect(await cancelled.result()).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  })

  test('as input and output is kept whole', async () => {
    const echo = pipe(
      tool({ name: 'echo', description: 'Echoes.', effect: 'read', execute: (text) => `${text}!` }),
      tool({ name: 'again', description: 'Echoes.', effect: 'read', execute: (text) => `${text}?` }),
    )
    const runs = await database.open([echo])
    const run = await runs.start(echo, odd)
    expect(await run.result()).toMatchObject({ ok: true, value: `${odd}!?` })
    expect((await runs.show(run.id)).steps.map(({ output }) => output)).toEqual([`${odd}!`, `${odd}!?`])
  })

  test('is refused as the key of a run, and is the id of none', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const runs = await database.open([pay], { worker: false })
    await expect(runs.start(pay, 'x', { key: odd })).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(runs.get(odd)).rejects.toMatchObject({ code: 'unknown_run' })
    await expect(runs.show(odd)).rejects.toMatchObject({ code: 'unknown_run' })
    await expect(runs.inbox.approve(odd)).rejects.toMatchObject({ code: 'unknown_request' })
    expect(await runs.list({ key: odd, tool: odd })).toEqual([])
    expect(await runs.inbox.list({ run: odd, tool: odd, assignee: odd })).toEqual([])
  })
})

test('an ending that the database refuses is recorded as a failed one: the run ends', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay])
  await runs.store.pool.query(
    `ALTER TABLE toolwright.run ADD CONSTRAINT no_such_result CHECK (result IS NULL OR result::text NOT LIKE '%unwelcome%')`,
  )
  try {
    const run = await runs.start(pay, 'unwelcome')
    expect(await run.result()).toMatchObject({ ok: false, error: { code: 'journal_failed', message: expect.stringContaining('refused') } })
    expect(await run.status()).toMatchObject({ status: 'failed', why: { code: 'journal_failed' } })
  } finally {
    await runs.store.pool.query('ALTER TABLE toolwright.run DROP CONSTRAINT no_such_result')
  }
})
