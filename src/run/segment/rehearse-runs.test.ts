import { expect, test } from 'vitest'
import { durableRuns, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { gate } from '../../combinators/gate/gate.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { tool } from '../../tool/tool.ts'

const { open } = durableRuns()

/** A hand-written program in versions; `done` is what took effect, here and in every version. */
function versions(done: string[]) {
  const effect = (name: string): AgentTool<string, string> =>
    tool({
      name,
      description: 'd',
      effect: 'write',
      idempotent: 'keyed',
      execute: () => {
        done.push(name)
        return name
      },
    })
  const parts = { pay: effect('pay'), mail: effect('mail'), asked: gate(effect('asked')) }
  const look = tool({ name: 'look', description: 'd', effect: 'read', execute: () => (done.push('look'), 'seen') })
  const version = (payLabel: string, isPatched = false, looks = false): AgentTool<string, unknown> =>
    compound({
      name: 'order',
      description: 'd',
      parts: { ...parts, look },
      run: async (input, context, { pay, mail, asked }) => {
        if (looks) await context.call('look', look, input)
        if (isPatched && (await context.patched('mail'))) await context.call('mail', mail, input)
        await context.call(payLabel, pay, input)
        return context.call('asked', asked, input)
      },
    })
  return { first: version('pay'), renamed: version('pay_out'), patched: version('pay', true), looking: version('pay', false, true) }
}

test('tells before a deploy which open runs could not go on, by name, and does nothing [O3]', async () => {
  const done: string[] = []
  const { first, renamed, patched, looking } = versions(done)
  const began = await open([first])
  const run = await began.start(first, 'x')
  await untilStatus(began, run.id, 'waiting')
  const ended = await began.start(first, 'y')
  await untilStatus(began, ended.id, 'waiting')
  await ended.cancel()
  await ended.result()
  await began.close()
  done.length = 0

  const wrong = await open([renamed], { worker: false })
  expect(await wrong.rehearse()).toMatchObject([
    {
      run: run.id,
      tool: 'order',
      status: 'waiting',
      problem: { code: 'replay_diverged', message: expect.stringContaining("'order/pay'") },
    },
  ])
  const right = await open([patched], { worker: false })
  expect(await right.rehearse()).toEqual([{ run: run.id, tool: 'order', status: 'waiting' }])
  const unsure = await open([looking], { worker: false })
  expect(await unsure.rehearse()).toMatchObject([{ run: run.id, doubt: expect.stringContaining("read 'order/look' first") }])
  const without = await open([], { worker: false })
  expect(await without.rehearse()).toMatchObject([{ problem: { code: 'unknown_tool' } }])
  expect(done).toEqual([])
  expect(await (await without.get(run.id)).status()).toMatchObject({ status: 'waiting' })
})

test('a run that is refused under other code names run, step and cure, does nothing twice, and goes on under patched code [O3] [G5]', async () => {
  const done: string[] = []
  const { first, renamed, patched } = versions(done)
  const began = await open([first])
  const { id } = await began.start(first, 'x')
  await untilStatus(began, id, 'waiting')
  const [request] = await began.inbox.list({ run: id })
  await began.close()

  const wrong = await open([renamed])
  await wrong.inbox.approve(request?.request.id ?? '')
  await untilStatus(wrong, id, 'blocked')
  const { why } = await (await wrong.get(id)).status()
  expect(why).toMatchObject({ code: 'replay_diverged' })
  for (const word of ["'order/pay'", "'order/pay_out'", 'context.patched']) expect(why?.message).toContain(word)
  expect(done).toEqual(['pay'])
  await wrong.close()

  const right = await open([patched])
  const run = await right.get(id)
  if ((await run.status()).status === 'blocked') await run.resume().catch(() => {})
  expect(await run.result()).toMatchObject({ ok: true, value: 'asked' })
  expect(done).toEqual(['pay', 'asked'])
})

test('a cancelled run that no longer comes by what it did says that this is not undone [O3] [G2]', async () => {
  const done: string[] = []
  const { first, renamed } = versions(done)
  const began = await open([first])
  const { id } = await began.start(first, 'x')
  await untilStatus(began, id, 'waiting')
  await began.close()

  const other = await open([renamed])
  const run = await other.get(id)
  await run.cancel()
  const result = await run.result()
  expect(result).toMatchObject({ ok: false, error: { code: 'cancelled', message: expect.stringContaining('Not undone: pay.') } })
  expect(done).toEqual(['pay'])
})
