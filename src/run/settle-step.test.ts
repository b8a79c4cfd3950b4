import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { durableRuns, untilStatus } from '../../test/fixtures/run/durable-runs.ts'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { saga } from '../combinators/saga/saga.ts'
import { autoReview } from '../review/auto-review.ts'
import { createRuntime, type RuntimeOptions } from '../runtime/create-runtime.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { isExitEarly } from '../tool/errors/exit-early.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import type { Metadata } from '../tool/metadata.ts'
import { tool } from '../tool/tool.ts'
import type { RunHandle } from './run-handle.ts'

const Receipt = z.object({ receipt: z.string() })

interface Till {
  readonly pay: AgentTool<{ to: string }, { receipt: string }>
  /** The key and the input of each time that it ran. */
  readonly paid: { readonly key: string; readonly to: string }[]
}

type Mood = 'lost' | 'silent' | 'fine'

/** Pays. Each time it is in the next mood: the answer is lost, there is never one, or all is well. */
function till(moods: readonly Mood[], more: Metadata & { readonly requireApproval?: boolean } = {}): Till {
  const paid: { key: string; to: string }[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays somebody.',
    effect: 'write',
    inputSchema: z.object({ to: z.string() }),
    outputSchema: Receipt,
    ...more,
    execute: async ({ to }, { idempotencyKey: key }) => {
      const mood = moods[paid.length] ?? 'fine'
      paid.push({ key, to })
      if (mood === 'lost') throw new ToolError('The bank did not answer.', { code: 'service_unavailable', outcome: 'unknown' })
      if (mood === 'silent') await new Promise(() => {})
      return { receipt: `r${paid.length}` }
    },
  })
  return { pay: pay as Till['pay'], paid }
}

const thank = tool({
  name: 'thank',
  description: 'Thanks.',
  effect: 'read',
  inputSchema: Receipt,
  execute: ({ receipt }) => `thanks for ${receipt}`,
})

function scene(tools: readonly AgentTool<never>[], options: RuntimeOptions = {}) {
  const clock = fakeClock()
  const database = memoryRuns({ clock })
  const open = () => createRuntime({ tools, database, unknownOutcome: 'ask', ...options })
  return { clock, database, open }
}

async function asked(paying: Till, options: RuntimeOptions = {}) {
  const whole = pipe(paying.pay, thank)
  const world = scene([whole], options)
  const runtime = world.open()
  const run = await runtime.start(whole, { to: 'bob' })
  await world.database.idle()
  return { ...world, runtime, run, path: `${whole.name}/pay` }
}

const codeOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => 'it was accepted',
    (error: unknown) => (error as { readonly code?: unknown }).code,
  )

describe('a step whose outcome is not known', () => {
  test('waits for the word of a person, which is its result, and the run goes on [O6]', async () => {
    const paying = till(['lost'])
    const { runtime, run, path } = await asked(paying)
    expect(await run.status()).toMatchObject({ status: 'waiting', why: { code: 'person' } })
    const [item] = await runtime.inbox.list()
    expect(item?.request).toMatchObject({ kind: 'question', about: 'outcome', tool: 'pay', input: { to: 'bob' }, path: `${path}:outcome` })
    expect(item?.request.why).toContain('The bank did not answer. Did it take effect?')
    await run.settle(path, { happened: true, value: { receipt: 'r-of-the-bank' } }, 'ada')
    const result = await run.result()
    expect(result.text).toBe('thanks for r-of-the-bank')
    expect(paying.paid).toHaveLength(1)
    const record = await (await runtime.runs()).show(run.id)
    expect(record.approvals[0]).toMatchObject({
      status: 'decided',
      decision: { by: 'ada', identity: 'claimed', value: { happened: true } },
    })
    expect(record.steps.map(({ path: step, output }) => [step, output])).toEqual([
      [path, { receipt: 'r-of-the-bank' }],
      [path.replace('/pay', '/thank'), 'thanks for r-of-the-bank'],
    ])
  })

  test('runs again under the same key if the person says that it did not happen, and may ask again', async () => {
    const paying = till(['lost', 'lost'])
    const { runtime, run, path, database } = await asked(paying)
    await run.settle(path, { happened: false }, 'ada')
    await database.idle()
    expect((await runtime.inbox.list()).map(({ request }) => request.path)).toEqual([`${path}:outcome.2`])
    await run.settle(path, { happened: false }, 'bob')
    expect((await run.result()).text).toBe('thanks for r3')
    expect(new Set(paying.paid.map(({ key }) => key)).size).toBe(1)
    const { steps } = await (await runtime.runs()).show(run.id)
    expect(steps[0]?.attempts).toHaveLength(3)
  })

  test.each<Mood>(['lost', 'silent'])('survives the end of its process at any time, and runs no second time: %s', async (mood) => {
    const paying = till([mood])
    const { clock, database, open, run, path } = await mightHang(paying)
    database.crash()
    const second = open()
    await second.runs()
    await database.idle()
    database.crash()
    const third = open()
    await third.runs()
    await database.idle()
    await (await third.run(run.id)).settle(path, { happened: true, value: { receipt: 'r0' } }, 'ada')
    database.crash()
    const last = await open().run(run.id)
    expect((await clock.until(last.result())).text).toBe('thanks for r0')
    expect(paying.paid).toHaveLength(1)
  })

  test('asks also if its own time is over, in a run of several steps and of one', async () => {
    for (const wrap of [(pay: Till['pay']) => pipe(pay, thank) as AgentTool<unknown>, (pay: Till['pay']) => pay as AgentTool<unknown>]) {
      const paying = till(['silent'])
      const whole = wrap(paying.pay)
      const { clock, database, open } = scene([whole])
      const runtime = open()
      const run = await runtime.start(whole, { to: 'bob' })
      await started(paying)
      await clock.advance(60_000)
      await database.idle()
      const [item] = await runtime.inbox.list()
      expect(item?.request.why).toContain("The deadline passed: 'pay' was still running.")
      await clock.advance(3 * 24 * 3_600_000)
      await run.settle((item?.request.path ?? '').replace(':outcome', ''), { happened: false }, 'ada')
      expect((await run.result()).ok).toBe(true)
      expect(paying.paid).toHaveLength(2)
    }
  })

  test('shows the input that ran, also after an edit', async () => {
    const paying = till(['lost'], { requireApproval: true })
    const { runtime, run, path, database } = await asked(paying)
    const [approval] = await runtime.inbox.list()
    await runtime.inbox.edit(approval?.request.id ?? '', { input: { to: 'carol' } }, 'ada')
    await database.idle()
    const [item] = await runtime.inbox.list()
    expect(item?.request).toMatchObject({ about: 'outcome', input: { to: 'carol' } })
    await run.settle(path, { happened: false }, 'ada')
    expect((await run.result()).ok).toBe(true)
    expect(paying.paid.map(({ to }) => to)).toEqual(['carol', 'carol'])
  })

  test('fails as before if nobody is to be asked, or if the person does not know either', async () => {
    const failing = await asked(till(['lost']), { unknownOutcome: 'fail' })
    expect(await failing.run.result()).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
    const { runtime, run } = await asked(till(['lost']))
    const [item] = await runtime.inbox.list()
    await runtime.inbox.reject(item?.request.id ?? '', 'I cannot tell.', 'ada')
    expect(await run.result()).toMatchObject({ ok: false, error: { code: 'service_unavailable', outcome: 'unknown' } })
  })

  test('of a tool that may be repeated asks nobody', async () => {
    const { run } = await asked(till(['lost'], { idempotent: 'keyed' }))
    expect((await run.result()).ok).toBe(false)
  })

  test('is not asked of a handler that only approves', async () => {
    const { run, path } = await asked(till(['lost']), { review: autoReview() })
    expect((await run.status()).status).toBe('waiting')
    await run.settle(path, { happened: true, value: { receipt: 'r' } })
    expect((await run.result()).ok).toBe(true)
  })

  test('is undone by a saga when the run is cancelled meanwhile', async () => {
    const { pay } = till(['lost'])
    const undone: unknown[] = []
    const refund = tool({
      name: 'refund',
      description: 'd',
      effect: 'write',
      idempotent: true,
      inputSchema: z.object({ to: z.string() }),
      execute: ({ to }) => undone.push(to),
    })
    const whole = saga({ name: 'order', description: 'd', inputSchema: z.object({ to: z.string() }) })
      .step('pay', pay, { compensate: { with: refund, class: 'reversible', input: ({ stepInput }) => stepInput } })
      .build()
    const { database, open } = scene([whole])
    const run = await open().start(whole, { to: 'bob' })
    await database.idle()
    expect((await run.status()).status).toBe('waiting')
    await run.cancel()
    expect((await run.result()).compensation?.state).toBe('aborted')
    expect(undone).toEqual(['bob'])
  })

  test('ends with the run that a person stops', async () => {
    const { runtime, run } = await asked(till(['lost']))
    const [item] = await runtime.inbox.list()
    await runtime.inbox.stop(item?.request.id ?? '', 'Enough.', 'ada')
    const error: unknown = await run.result().catch((thrown: unknown) => thrown)
    expect(isExitEarly(error)).toBe(true)
  })
})

describe('a word that does not count', () => {
  test('is refused with a code, and the run goes on waiting', async () => {
    const { runtime, run, path } = await asked(till(['lost']))
    const value = { receipt: 'r' }
    expect(await codeOf(run.settle(path, { happened: true, value: { receipt: 7 } }))).toBe('invalid_answer')
    expect(await codeOf(run.settle(path, { happened: true }))).toBe('invalid_answer')
    expect(await codeOf(run.settle(path, { happened: 'yes' } as never))).toBe('invalid_option')
    expect(await codeOf(run.settle(path, { happened: false, value } as never))).toBe('invalid_option')
    await expect(run.settle('nowhere', { happened: false })).rejects.toThrow(`asks nobody about 'nowhere'. It asks about '${path}'.`)
    expect(await codeOf(run.settle('nowhere', { happened: false }))).toBe('nothing_to_settle')
    const other = { ...run, id: 'no-such-run' } satisfies RunHandle
    expect(await codeOf(runtime.run(other.id))).toBe('unknown_run')
    expect((await run.status()).status).toBe('waiting')
  })

  test('gives a result that only the tool itself would refuse, however it is said', async () => {
    const Even = z.object({ receipt: z.string().refine(async (text) => text.length % 2 === 0, 'has an odd length') })
    const lost = tool({
      name: 'pay',
      description: 'Pays.',
      effect: 'write',
      inputSchema: z.object({ to: z.string() }),
      outputSchema: Even,
      execute: () => {
        throw new ToolError('The bank did not answer.', { code: 'service_unavailable', outcome: 'unknown' })
      },
    })
    const whole = pipe(gate(lost, { approval: false }), thank)
    const { database, open } = scene([whole])
    const runtime = open()
    const run = await runtime.start(whole, { to: 'bob' })
    await database.idle()
    const [item] = await runtime.inbox.list()
    const { id = '', path = '' } = item?.request ?? {}
    const odd = { happened: true, value: { receipt: 'r12' } } as const
    await expect(run.settle(path.replace(':outcome', ''), odd)).rejects.toThrow(
      `The result does not fit the output of 'pay', and request '${id}' stays open: 'receipt': has an odd length`,
    )
    expect(await codeOf(runtime.inbox.answer(id, odd, 'ada'))).toBe('invalid_answer')
    expect((await runtime.inbox.get(id))?.status).toBe('open')
    await runtime.inbox.answer(id, { happened: true, value: { receipt: 'r1' } }, 'ada')
    expect((await run.result()).text).toBe('thanks for r1')
  })

  test('is not taken by a process that cannot check it, and may be given by another one', async () => {
    const { runtime, run, path, database } = await asked(till(['lost']))
    const blind = createRuntime({ database, worker: false })
    const there = await blind.run(run.id)
    const value = { receipt: 'r9' }
    await expect(there.settle(path, { happened: true, value }, 'ada')).rejects.toThrow(
      /does not know the tool 'pay', and cannot check it\. Settle it where the tool is known/,
    )
    await run.settle(path, { happened: true, value }, 'ada')
    expect((await run.result()).text).toBe('thanks for r9')
    await blind.close()
    await runtime.close()
  })

  test('comes after another one, or after the end', async () => {
    const { runtime, run, path } = await asked(till(['lost', 'lost']))
    const both = await Promise.all([
      codeOf(run.settle(path, { happened: false }, 'ada')),
      codeOf(run.settle(path, { happened: true, value: { receipt: 'r' } }, 'bob')),
    ])
    expect(both[0]).toBe('it was accepted')
    expect(both[1]).toBe('already_decided')
    await run.cancel()
    await run.result()
    expect(await codeOf(run.settle(path, { happened: false }))).toBe('run_not_open')
    await runtime.close()
  })

  test('comes from somebody who may not decide', async () => {
    const { run, path } = await asked(till(['lost']), { reviewers: {} })
    expect(await codeOf(run.settle(path, { happened: false }, 'ada'))).toBe('not_permitted')
    expect(await codeOf(run.settle(path, { happened: false }, { id: 'eve', permissions: ['review:mail'] }))).toBe('not_permitted')
    await run.settle(path, { happened: false }, { id: 'ada', permissions: ['review:pay'] })
    expect((await run.result()).ok).toBe(true)
  })
})

/** A run whose step has begun, and may never answer. */
async function mightHang(paying: Till) {
  const whole = pipe(paying.pay, thank)
  const world = scene([whole])
  const run = await world.open().start(whole, { to: 'bob' })
  await started(paying)
  return { ...world, run, path: `${whole.name}/pay` }
}

async function started({ paid }: Till): Promise<void> {
  while (paid.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

describe('in PostgreSQL', () => {
  const { open } = durableRuns()

  test('a settlement is recorded with its decider, and the run goes on', async () => {
    const paying = till(['lost', 'lost'])
    const whole = pipe(paying.pay, thank)
    const runs = await open([whole], { shared: { unknownOutcome: 'ask' } })
    const run = await runs.start(whole as AgentTool<unknown>, { to: 'bob' })
    await untilStatus(runs, run.id, 'waiting')
    await run.settle(`${whole.name}/pay`, { happened: false }, 'ada')
    for (;;) if ((await runs.inbox.list()).some(({ request }) => request.path.endsWith(':outcome.2'))) break
    await run.settle(`${whole.name}/pay`, { happened: true, value: { receipt: 'r9' } }, 'bob')
    expect((await run.result()).text).toBe('thanks for r9')
    expect(paying.paid).toHaveLength(2)
    const { approvals } = await runs.show(run.id)
    expect(approvals.map(({ decision }) => decision?.by)).toEqual(['ada', 'bob'])
  })
})
test('the question whether a step took effect shows no secret that its input declares', async () => {
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    inputSchema: z.object({ pin: z.string().meta({ sensitive: true }) }),
    execute: ({ pin }): string => {
      throw new ToolError(`No answer for ${pin}.`, { code: 'service_unavailable', outcome: 'unknown' })
    },
  })
  const runtime = createRuntime({ tools: [pay], database: memoryRuns(), unknownOutcome: 'ask' })
  const run = await runtime.start(pay, { pin: 'k-4711-asked-89' })
  await run.until(({ status }) => status === 'waiting')
  const [item] = await runtime.inbox.list()
  expect(item?.request.why).toContain('No answer for ')
  expect(JSON.stringify(item)).not.toContain('k-4711-asked-89')
  await runtime.close()
})
