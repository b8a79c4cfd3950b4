import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  classifyError,
  createRuntime,
  failure,
  fallback,
  heal,
  idempotent,
  memoryIdempotency,
  type Metadata,
  pipe,
  retry,
  saga,
  tool,
  ToolError,
  type ToolResult,
} from '../../src/index.ts'
import { fakeClock } from '../../src/testing/fake-clock.ts'
import { memoryRuns } from '../../src/testing/memory-runs.ts'

interface Row {
  readonly title: string
  readonly fail: () => unknown
  readonly outcome: 'failed' | 'unknown' | 'not_started'
}

const throws = (thrown: () => unknown) => (): never => {
  throw thrown()
}
const systemError = (code: string): Error => Object.assign(new Error(code), { code })

/** How the function of a tool that takes effect ends, and whether anybody can know that nothing happened. */
const ROWS: readonly Row[] = [
  { title: 'a plain error', fail: throws(() => new Error('x')), outcome: 'unknown' },
  { title: 'a text', fail: throws(() => 'x'), outcome: 'unknown' },
  { title: 'nothing', fail: throws(() => undefined), outcome: 'unknown' },
  { title: 'a TypeError', fail: throws(() => new TypeError('x')), outcome: 'unknown' },
  { title: 'a full disk', fail: throws(() => systemError('ENOSPC')), outcome: 'unknown' },
  { title: 'a ToolError that says nothing', fail: throws(() => new ToolError('x', { hint: 'y' })), outcome: 'unknown' },
  { title: 'a ToolError around another error', fail: throws(() => new ToolError('x', { cause: new Error('y') })), outcome: 'unknown' },
  { title: 'an error that was classified before', fail: throws(() => classifyError(new Error('x'))), outcome: 'unknown' },
  { title: 'a returned error', fail: () => failure(new Error('x')), outcome: 'unknown' },
  { title: 'a returned error with a hint', fail: () => failure(new Error('x'), { hint: 'y' }), outcome: 'unknown' },
  { title: 'a lost connection', fail: throws(() => systemError('ECONNRESET')), outcome: 'unknown' },
  { title: 'a returned text', fail: () => failure('The card was declined.'), outcome: 'failed' },
  { title: 'a returned error with its outcome', fail: () => failure(new Error('x'), { outcome: 'failed' }), outcome: 'failed' },
  { title: 'a returned error with a class', fail: () => failure(new Error('x'), { class: 'not_found' }), outcome: 'failed' },
  { title: 'a ToolError with its outcome', fail: throws(() => new ToolError('x', { outcome: 'failed' })), outcome: 'failed' },
  { title: 'a ToolError with a class', fail: throws(() => new ToolError('x', { class: 'semantic' })), outcome: 'failed' },
  { title: 'a ToolError with a code', fail: throws(() => new ToolError('x', { code: 'sold_out' })), outcome: 'failed' },
  { title: 'a refused connection', fail: throws(() => systemError('ECONNREFUSED')), outcome: 'not_started' },
  { title: 'a name that is not found', fail: throws(() => systemError('ENOTFOUND')), outcome: 'not_started' },
  { title: 'a missing right', fail: throws(() => systemError('EACCES')), outcome: 'failed' },
  { title: 'a refused request', fail: throws(() => Object.assign(new Error('x'), { status: 422 })), outcome: 'failed' },
]

const UNSAFE: Metadata = { effect: 'write' }

function scene(fail: () => unknown, more: Metadata = UNSAFE) {
  const ran: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ to: z.string() }),
    ...more,
    execute: ({ to }) => {
      ran.push(`pay ${to}`)
      return fail() as string
    },
  })
  const other = (name: string, effect: 'write' | 'read' = 'write') =>
    tool({
      name,
      description: name,
      effect,
      inputSchema: z.object({ to: z.string() }),
      execute: ({ to }) => void ran.push(`${name} ${to}`),
    })
  return { ran, pay, other }
}

const outcomeOf = (result: ToolResult): string => (result.ok ? 'ok' : result.error.outcome)

describe.each(ROWS)('after $title a tool that takes effect', ({ fail, outcome }) => {
  const isUnknown = outcome === 'unknown'

  test('ends with its outcome, and no hint advises to repeat it', async () => {
    const result = await scene(fail).pay.call({ to: 'bob' })
    expect(outcomeOf(result)).toBe(outcome)
    if (isUnknown && !result.ok && result.error.hint !== 'y') expect(result.error.hint).toContain('Check that before you call again')
  })

  test('has the same outcome without a declared effect, if it is idempotent, in a pipeline and in a retry', async () => {
    expect(outcomeOf(await scene(fail, {}).pay.call({ to: 'bob' }))).toBe(outcome)
    for (const safe of [true, 'keyed'] as const)
      expect(outcomeOf(await scene(fail, { ...UNSAFE, idempotent: safe }).pay.call({ to: 'bob' }))).toBe(outcome)
    const { pay, other } = scene(fail)
    expect(outcomeOf(await pipe(pay, other('thank')).call({ to: 'bob' }))).toBe(outcome)
    expect(outcomeOf(await retry(pay, { attempts: 1 }).call({ to: 'bob' }))).toBe(outcome)
  })

  test('is called again by retry only if it may have had no effect, or if that is safe', async () => {
    const policy = { attempts: 2, base: 0, retryIf: () => true }
    const unsafe = scene(fail)
    await retry(unsafe.pay, policy).call({ to: 'bob' })
    expect(unsafe.ran).toHaveLength(isUnknown ? 1 : 2)
    const keyed = scene(fail, { ...UNSAFE, idempotent: 'keyed' })
    await retry(keyed.pay, policy).call({ to: 'bob' })
    expect(keyed.ran).toHaveLength(2)
  })

  test('is undone by its saga if it may have had an effect', async () => {
    const { ran, pay, other } = scene(fail)
    const order = saga({ name: 'order', description: 'Orders.', inputSchema: z.object({ to: z.string() }) })
      .step('hold', other('hold'), {
        input: ({ input }) => input,
        compensate: { with: other('release'), class: 'reversible', input: ({ stepInput }) => stepInput },
      })
      .step('pay', pay, {
        input: ({ input }) => input,
        compensate: { with: other('refund'), class: 'reversible', input: ({ stepInput }) => stepInput },
      })
      .build()
    const result = await order.call({ to: 'bob' })
    expect(ran).toEqual(['hold bob', 'pay bob', ...(isUnknown ? ['refund bob'] : []), 'release bob'])
    expect(outcomeOf(result)).toBe('failed')
  })

  test('is followed by the next level of a fallback only if it had no effect', async () => {
    const { ran, pay, other } = scene(fail)
    await fallback({ name: 'any', description: 'Any.' }, [pay, other('cash')]).call({ to: 'bob' })
    expect(ran).toEqual(isUnknown ? ['pay bob'] : ['pay bob', 'cash bob'])
  })

  test('is healed by another input only if it had no effect', async () => {
    const { ran, pay } = scene(fail)
    const healed = heal(pay, { attempts: 2, base: 0, repairers: [() => ({ input: { to: 'ann' } })] })
    const result = await healed.call({ to: 'bob' })
    const isAboutInput = !result.ok && ['semantic', 'not_found', 'input_validation'].includes(result.error.class)
    // Failures that are not about the input are tried again as they are.
    const expected = isUnknown ? ['pay bob'] : isAboutInput ? ['pay bob', 'pay ann'] : ran.map(() => 'pay bob')
    expect(ran).toEqual(expected)
  })

  test('keeps its key in use only if it may have had an effect', async () => {
    const { ran, pay } = scene(fail)
    const once = idempotent(pay, { key: ({ to }) => to, store: memoryIdempotency() })
    await once.call({ to: 'bob' })
    const again = await once.call({ to: 'bob' })
    expect(ran).toHaveLength(isUnknown ? 1 : 2)
    expect(again.ok ? '' : again.error.code === 'outcome_unknown').toBe(isUnknown)
  })

  test('is asked about in a durable run only if it may have had an effect, and the word of a person counts', async () => {
    const { ran, pay } = scene(fail)
    const database = memoryRuns({ clock: fakeClock() })
    const runtime = createRuntime({ tools: [pay], database, unknownOutcome: 'ask' })
    const run = await runtime.start(pay, { to: 'bob' })
    await database.idle()
    if (!isUnknown) {
      expect(outcomeOf(await run.result())).toBe(outcome)
      return
    }
    expect(await run.status()).toMatchObject({ status: 'waiting' })
    await run.settle('pay', { happened: true, value: 'r1' }, 'ann')
    await database.idle()
    expect(await run.result()).toMatchObject({ ok: true, value: 'r1' })
    expect(ran).toEqual(['pay bob'])
  })
})

describe('after a plain error', () => {
  test.each(ROWS)('$title: a tool that only reads has failed, unless the error itself knows more', async ({ fail, outcome, title }) => {
    const expected = title === 'a lost connection' ? 'unknown' : outcome === 'not_started' ? 'not_started' : 'failed'
    expect(outcomeOf(await scene(fail, { effect: 'read' }).pay.call({ to: 'bob' }))).toBe(expected)
  })

  test('a compensation that is not safe to repeat is not repeated, and a person is told', async () => {
    const { ran, pay, other } = scene(throws(() => new Error('x')))
    const step = (safe: boolean) => {
      const undo = tool({
        name: 'undo',
        description: 'Undoes.',
        effect: 'write',
        idempotent: safe,
        inputSchema: z.object({ to: z.string() }),
        execute: ({ to }) => {
          ran.push(`undo ${to}`)
          throw new Error('y')
        },
      })
      return saga({ name: 'order', description: 'Orders.', inputSchema: z.object({ to: z.string() }) })
        .step('hold', other('hold'), {
          input: ({ input }) => input,
          compensate: { with: undo, class: 'reversible', attempts: 3, input: ({ stepInput }) => stepInput },
        })
        .step('pay', pay, { input: ({ input }) => input })
        .build()
    }
    const clock = fakeClock()
    const unsafe = await clock.until(step(false).call({ to: 'bob' }, { clock }))
    expect(ran.filter((each) => each === 'undo bob')).toHaveLength(1)
    expect(unsafe.compensation?.notUndone).toEqual(expect.arrayContaining(['hold']))
    ran.length = 0
    await clock.until(step(true).call({ to: 'bob' }, { clock }))
    expect(ran.filter((each) => each === 'undo bob')).toHaveLength(3)
  })
})
