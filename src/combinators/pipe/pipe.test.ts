import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { failure, success } from '../../tool/result/returned.ts'
import { resolve } from '../../tool/resolve/resolve.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { parallel } from '../parallel/parallel.ts'
import { into } from './into.ts'
import { pipe } from './pipe.ts'
import { ToolPipeline } from './tool-pipeline.ts'

const order = tool({
  name: 'order',
  description: 'Finds an order.',
  inputSchema: z.object({ email: z.string() }),
  outputSchema: z.object({ id: z.string(), total: z.number() }),
  effect: 'read',
  execute: ({ email }) => ({ id: `of ${email}`, total: 149.99 }),
})
const pay = tool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ to: z.string(), amount: z.number() }),
  effect: 'write',
  execute: ({ to, amount }) => `${amount} to ${to}`,
})
const upper = tool({ name: 'upper', description: 'Shouts.', effect: 'read', execute: (text) => text.toUpperCase() })
const count = tool({ name: 'count', description: 'Counts.', effect: 'read', execute: (text) => ({ length: text.length }) })
const fail = tool({ name: 'fail', description: 'Fails.', effect: 'read', execute: (text) => failure(`no ${text}`) })
const silent = tool({ name: 'silent', description: 'Fails without a word.', effect: 'read', execute: () => failure('') })

describe('ToolPipeline.of', () => {
  test('names and describes itself after its steps [P1]', () => {
    expect(ToolPipeline.of(upper, count)).toMatchObject({ name: 'upper_then_count', description: 'Pipeline: upper -> count' })
    expect(ToolPipeline.of('shout_and_count', 'Shouts, then counts.', upper, count)).toMatchObject({
      name: 'shout_and_count',
      description: 'Shouts, then counts.',
    })
    expect(ToolPipeline.of(upper).name).toBe('only_upper')
  })

  test('shortens a long name with a suffix that is the same every time and differs for other steps [P1]', () => {
    const long = (letter: string) => tool({ name: letter.repeat(40), description: 'd', execute: (text) => text })
    const [a, b, c] = [long('a'), long('b'), long('c')]
    const { name } = ToolPipeline.of(a, b)
    expect(name).toMatch(/^a{40}_then_b+_[A-Za-z0-9]{8}$/)
    expect(name.length).toBe(64)
    expect(ToolPipeline.of(a, b).name).toBe(name)
    expect(ToolPipeline.of(a, b, c).name).not.toBe(name)
  })

  test('refuses no steps, bad names and things that are no tools [P1]', () => {
    expect(() => (ToolPipeline.of as () => unknown)()).toThrow(
      expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining('at least one step') }),
    )
    expect(() => ToolPipeline.of('two words', 'd', upper)).toThrow(expect.objectContaining({ code: 'invalid_name' }))
    const empty = ToolPipeline.builder() as unknown as { build: () => unknown }
    expect(() => empty.build()).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
    expect(() => ToolPipeline.of({ name: 'fake' } as never)).toThrow(expect.objectContaining({ code: 'not_a_tool' }))
  })
})

describe('what one step hands to the next', () => {
  test('is the text for a string step, the value for a typed one, and a text is read as JSON for a typed one [P3]', async () => {
    expect(await ToolPipeline.of(order, upper).call({ email: 'ada' })).toMatchObject({ value: '{"ID":"OF ADA","TOTAL":149.99}' })
    const typed = tool({
      name: 'typed',
      description: 'd',
      inputSchema: z.object({ id: z.string() }),
      effect: 'read',
      execute: ({ id }) => id,
    })
    expect(await ToolPipeline.of(order, typed).call({ email: 'ada' })).toMatchObject({ value: 'of ada' })
    const json = tool({ name: 'json', description: 'd', effect: 'read', execute: () => '{"id":"7","more":1}' })
    expect(await ToolPipeline.of(json, typed).call('')).toMatchObject({ value: '7' })
    const text = tool({ name: 'text', description: 'd', effect: 'read', execute: () => 'no json' })
    expect(await ToolPipeline.of(text, typed).call('')).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
  })

  test('is a text as it stands where the typed step takes it so, and otherwise what it says as JSON [P3]', async () => {
    const takes = (inputSchema: z.ZodType<unknown>) =>
      tool({ name: 'takes', description: 'd', inputSchema, effect: 'read', execute: (input) => [input] })
    const seen = async (text: string | null, inputSchema: z.ZodType<unknown>): Promise<unknown> => {
      const gives = tool({ name: 'gives', description: 'd', effect: 'read', execute: () => text })
      const result = await pipe(
        gives,
        into(({ value }) => value, takes(inputSchema)),
      ).call('x')
      return result.ok ? (result.value as readonly unknown[])[0] : result.error.code
    }
    const textOrNumber = z.union([z.string(), z.number()])
    for (const text of ['hello', '5', '"q"', '']) expect(await seen(text, textOrNumber)).toBe(text)
    expect(await seen(null, textOrNumber)).toBe('')
    expect(await seen('{"a":1}', z.any())).toBe('{"a":1}')
    expect(await seen('x', z.string().nullable())).toBe('x')
    expect([await seen('a', z.literal(['a', 1])), await seen('1', z.literal(['a', 1]))]).toEqual(['a', 1])
    expect(await seen('[1,2]', z.array(z.number()))).toEqual([1, 2])
    expect(await seen('hello', z.number())).toBe('invalid_arguments')
  })

  test('is the text that the step chose for the model, not its value [P3]', async () => {
    const rows = tool({ name: 'rows', description: 'd', effect: 'read', execute: () => success([1, 2], { text: 'two rows' }) })
    expect(await ToolPipeline.of(rows, upper).call('')).toMatchObject({ value: 'TWO ROWS' })
  })

  test('is a list as it is for a step that takes one', async () => {
    const list = tool({ name: 'list', description: 'd', effect: 'read', execute: () => [3, 1, 2] })
    const sort = tool({
      name: 'sort',
      description: 'd',
      inputSchema: z.array(z.number()),
      effect: 'read',
      execute: (numbers) => numbers.toSorted(),
    })
    expect(await ToolPipeline.of(list, sort).call('')).toMatchObject({ value: [1, 2, 3] })
  })
})

describe('an adapter', () => {
  const adapted = ToolPipeline.builder()
    .name('pay_order')
    .step(order)
    .adapter(({ value, text }) => ({ to: value.id, amount: value.total + (text.length > 0 ? 0 : 1) }))
    .step(pay)
    .build()

  test('sees the whole result and gives the next input [P4]', async () => {
    expect(await adapted.call({ email: 'ada' })).toMatchObject({ value: '149.99 to of ada' })
    const piped = pipe(
      order,
      into(({ value }) => ({ to: value.id, amount: value.total }), pay),
      into(({ text }) => `${text}!`, upper),
    )
    expect(await piped.call({ email: 'ada' })).toMatchObject({ value: '149.99 TO OF ADA!' })
  })

  test('attached twice counts once; the last one is never called; nothing is the empty text [P4]', async () => {
    const calls: string[] = []
    const pipeline = ToolPipeline.builder()
      .step(upper)
      .adapter(() => (calls.push('first'), 'first'))
      .adapter(() => (calls.push('second'), null))
      .step(count)
      .adapter(() => calls.push('last'))
      .build()
    expect(await pipeline.call('x')).toMatchObject({ value: { length: 0 } })
    expect(calls).toEqual(['second'])
  })

  test('is not called for a failed step [P4]', async () => {
    let called = false
    const pipeline = ToolPipeline.builder()
      .step(fail)
      .adapter(() => ((called = true), 'x'))
      .step(count)
      .errorStrategy('CONTINUE_ON_FAILURE')
      .build()
    expect(await pipeline.call('luck')).toMatchObject({ value: { length: 'no luck'.length } })
    expect(called).toBe(false)
  })

  test('before any step is an error [P4]', () => {
    const start = ToolPipeline.builder() as unknown as { adapter: (adapter: () => string) => unknown }
    expect(() => start.adapter(() => 'x')).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  test.each(['FAIL_FAST', 'CONTINUE_ON_FAILURE'] as const)(
    'that throws ends the pipeline under %s, and is named [P4]',
    async (strategy) => {
      let ran = false
      const last = tool({ name: 'last', description: 'd', execute: () => (ran = true) })
      const toPrice = (): string => {
        throw new Error('no price')
      }
      const named = ToolPipeline.builder().step(upper).adapter(toPrice).step(last).errorStrategy(strategy).build()
      const result = await named.call('x')
      expect(result).toMatchObject({ ok: false, error: { code: 'adapter_failed', message: "The adapter 'toPrice' failed: no price" } })
      expect(result.steps?.map((step) => step.result.text)).toEqual(['X'])
      const unnamed = pipe(
        upper,
        into(() => {
          throw new Error('no price')
        }, last),
      )
      expect((await unnamed.call('x')).text).toContain("after 'upper'")
      expect(ran).toBe(false)
    },
  )

  test('that gives a promise is refused: what waits is a step', async () => {
    const pipeline = pipe(
      upper,
      into(() => Promise.reject(new Error('late')), count),
    )
    expect(await pipeline.call('x')).toMatchObject({
      ok: false,
      error: { code: 'adapter_failed', message: expect.stringContaining('promise') },
    })
  })
})

describe('a failed step', () => {
  const seen: string[] = []
  const note = tool({ name: 'note', description: 'd', effect: 'read', execute: (text) => (seen.push(text), `noted ${text}`) })

  test('ends the pipeline by default: its result is the pipeline’s, later steps never run [P5]', async () => {
    seen.length = 0
    const result = await ToolPipeline.of(upper, fail, note).call('luck')
    expect(result).toMatchObject({ ok: false, error: { message: 'no LUCK', step: 'fail' } })
    expect(result.text).toBe("Error: Step 'fail' failed: no LUCK")
    expect(result.steps?.map((step) => [step.label, step.result.ok])).toEqual([
      ['upper', true],
      ['fail', false],
    ])
    expect(seen).toEqual([])
  })

  test('is named once, however deep it is, and through a journal [P5]', async () => {
    const inner = ToolPipeline.of('inner', 'd', upper, fail)
    const outer = ToolPipeline.of('outer', 'd', upper, inner)
    expect((await outer.call('luck')).text).toBe("Error: Step 'fail' failed: no LUCK")
    const journal = memoryJournal()
    const live = await outer.call('luck', { journal, idempotencyKey: 'run' })
    const again = await outer.call('luck', { journal: memoryJournal(journal.entries), idempotencyKey: 'run' })
    expect([live.text, again.text]).toEqual(Array(2).fill("Error: Step 'fail' failed: no LUCK"))
    const both = await parallel({ outer, upper }).call('luck')
    expect(both.text).toBe("Error: 1 of 2 branches failed: outer (Step 'fail' failed: no LUCK)")
  })

  test('hands its message on where the pipeline continues; a failure without one has the default message [P5]', async () => {
    seen.length = 0
    const go = (first: AgentTool<string, never>) =>
      ToolPipeline.builder().step(first).step(note).errorStrategy('CONTINUE_ON_FAILURE').build()
    expect(await go(fail).call('luck')).toMatchObject({ ok: true, value: 'noted no luck' })
    await go(silent).call('x')
    expect(seen).toEqual(['no luck', 'The tool failed without a message.'])
  })

  test('whose message a typed step cannot read makes that step fail too, and the pipeline goes on [P5]', async () => {
    seen.length = 0
    const loose = ToolPipeline.builder()
      .step(fail)
      .adapter(() => ({ to: 'x', amount: 1 }))
      .step(pay)
      .step(note)
      .errorStrategy('CONTINUE_ON_FAILURE')
      .build()
    const result = await loose.call('luck')
    expect(result.ok).toBe(true)
    expect(result.steps?.map((step) => step.result.ok)).toEqual([false, false, true])
    expect(seen[0]).toContain('not valid JSON')
  })

  test.each([
    ['a rejection', () => gate(upper), { review: recordingReview({ action: 'reject' }) }, 'rejected'],
    [
      'a deadline',
      () => tool({ name: 'slow', description: 'd', deadline: 10, execute: () => new Promise<string>(() => {}) }),
      {},
      'deadline_exceeded',
    ],
  ])('by %s ends it under both strategies [P5]', async (_what, make, options, code) => {
    seen.length = 0
    const result = await ToolPipeline.builder().step(make()).step(note).errorStrategy('CONTINUE_ON_FAILURE').build().call('x', options)
    expect(result).toMatchObject({ ok: false, error: { code } })
    expect(seen).toEqual([])
  })
})

describe('a pipeline is a tool', () => {
  test('the model sees the first step’s schema, a single input where that is a string tool [P7]', async () => {
    expect(ToolPipeline.of(order, upper).specification.parameters).toEqual(order.specification.parameters)
    expect(ToolPipeline.of(upper, count).specification.parameters).toEqual(upper.specification.parameters)
    expect(ToolPipeline.of(order).specification.outputSchema).toEqual(order.specification.outputSchema)
    const tools = await resolve([ToolPipeline.of(order, upper)])
    expect((await tools.call('order_then_upper', '{"email":"ada","more":1}')).text).toContain('OF ADA')
    expect(await tools.call('order_then_upper', '{}')).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringContaining("'email' is missing") },
    })
  })

  test('it nests, and a gated step pauses in the middle exactly as alone, with the whole context [P6] [P7]', async () => {
    const inner = ToolPipeline.of('inner', 'Inner.', upper, gate(count))
    const outer = ToolPipeline.of('outer', 'Outer.', inner, upper)
    const review = recordingReview()
    const recorder = recordEvents()
    const result = await outer.call('x', { review, on: recorder, principal: { id: 'ada', permissions: [] } })
    expect(result).toMatchObject({ value: '{"LENGTH":1}' })
    expect(review.requests).toMatchObject([{ tool: 'count', input: 'X', path: 'outer/inner/count:approval', caller: { principal: 'ada' } }])
    expect(result.steps?.flatMap((step) => [step.path, ...(step.result.steps ?? []).map((each) => each.path)])).toEqual([
      'outer/inner',
      'outer/inner/upper',
      'outer/inner/count',
      'outer/upper',
    ])
    expect(
      recorder.events.filter((event) => event.type === 'call.finished' && event.call.layer === undefined).map(({ call }) => call.path),
    ).toEqual(['outer/inner/upper', 'outer/inner/count/gated', 'outer/inner', 'outer/upper', 'outer'])
  })

  test('every step is visible by itself, under the pipeline, also where the same tool stands twice [P8]', async () => {
    const recorder = recordEvents()
    const result = await ToolPipeline.of('twice', 'Twice.', upper, upper).call('x', { on: recorder })
    expect(result.steps?.map((step) => step.label)).toEqual(['upper', 'upper#2'])
    const [root, ...steps] = recorder.events.filter((event) => event.type === 'call.started')
    expect(steps.map(({ call }) => call.parentId)).toEqual([root?.call.invocationId, root?.call.invocationId])
  })

  test('it needs what its steps need, and is denied before any of them runs [P6]', async () => {
    let ran = false
    const first = tool({ name: 'first', description: 'd', effect: 'read', execute: () => ((ran = true), 'x') })
    const guarded = tool({ name: 'guarded', description: 'd', permissions: ['pay'], execute: () => 1 })
    expect(await ToolPipeline.of(first, guarded).call('x')).toMatchObject({ error: { code: 'permission_denied' } })
    expect(ran).toBe(false)
  })

  test('a policy judges it by its validated input, and its steps by theirs [P6]', async () => {
    const judged: unknown[] = []
    await pipe(order, upper).call({ email: 'ada', more: 1 } as never, {
      policy: ({ tool: name, input }) => (judged.push([name, input]), 'allow'),
    })
    expect(judged).toEqual([
      ['order_then_upper', { email: 'ada' }],
      ['order', { email: 'ada' }],
      ['upper', '{"id":"of ada","total":149.99}'],
    ])
  })

  test('transforms of its first step’s schema run once', async () => {
    const doubled = tool({
      name: 'doubled',
      description: 'd',
      inputSchema: z.object({ n: z.number().transform((n) => n * 2) }),
      effect: 'read',
      execute: ({ n }) => n,
    })
    expect(await ToolPipeline.of(doubled, upper).call({ n: 2 })).toMatchObject({ value: '4' })
  })
})

describe('the time of a pipeline', () => {
  const step = (name: string, latencyMs: number | undefined, more: object = {}) =>
    tool({
      name,
      description: 'd',
      effect: 'read',
      estimates: { latencyMs, ...more },
      execute: (_input, { remainingMs }) => String(Math.round(remainingMs)),
    })
  const limits = async (pipeline: ReturnType<typeof step>, deadline: number) => {
    const result = await pipeline.call('', { clock: fakeClock(), deadline })
    return result.steps?.map((each) => each.result.text)
  }

  test('keeps back what later steps need; one without an estimate counts as the mean of the known [C1]', async () => {
    expect(await limits(ToolPipeline.of(step('a', 100), step('b', 300), step('c', undefined)), 1000)).toEqual(['500', '800', '1000'])
    expect(await limits(ToolPipeline.of(step('a', undefined), step('b', undefined)), 1000)).toEqual(['1000', '1000'])
  })

  test('or is shared out in proportion; with nothing known, in equal shares [C1]', async () => {
    const proportional = (...steps: readonly [ReturnType<typeof step>, ReturnType<typeof step>, ReturnType<typeof step>]) =>
      ToolPipeline.builder().step(steps[0]).step(steps[1]).step(steps[2]).deadlines('proportional').build()
    expect(await limits(proportional(step('a', 100), step('b', 300), step('c', 600)), 1000)).toEqual(['100', '333', '1000'])
    expect(await limits(proportional(step('a', undefined), step('b', undefined), step('c', undefined)), 900)).toEqual(['300', '450', '900'])
  })

  test('a step is refused only when its own p99 exceeds all that is left, and the failure names it and keeps what is done [C1]', async () => {
    const result = await ToolPipeline.of(step('a', 1), step('b', 1, { p99Ms: 5000 })).call('', { clock: fakeClock(), deadline: 1000 })
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'deadline_exceeded', outcome: 'failed', message: expect.stringContaining("'b'") },
    })
    expect(result.steps?.map((each) => each.label)).toEqual(['a'])
    expect(
      await ToolPipeline.of(step('a', 1), step('b', 1, { p99Ms: 900 })).call('', { clock: fakeClock(), deadline: 1000 }),
    ).toMatchObject({ ok: true })
  })

  test('is looked at for every step, also where the same tool stands twice [C1]', async () => {
    const twice = tool({ name: 'twice', description: 'd', effect: 'read', estimates: { p99Ms: 5 }, execute: (text) => text + text })
    expect(await ToolPipeline.of(twice, twice).call('a')).toMatchObject({ ok: true, value: 'aaaa' })
  })

  test('runs out in a step: the failure names it and carries what was done before [C1]', async () => {
    const clock = fakeClock()
    const hang = tool({ name: 'hang', description: 'd', effect: 'read', execute: () => new Promise<string>(() => {}) })
    const result = await clock.until(ToolPipeline.of(upper, hang, count).call('x', { clock, deadline: 100 }))
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded', message: expect.stringContaining("'hang'") } })
    expect(result.steps?.map((each) => each.label)).toEqual(['upper', 'hang'])
  })
})
