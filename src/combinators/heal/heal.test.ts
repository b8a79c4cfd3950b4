import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { ModelPrompt } from '../../tool/ports/model.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { check } from '../../plan/check.ts'
import { gate } from '../gate/gate.ts'
import { fallback } from '../fallback/fallback.ts'
import { pipe } from '../pipe/pipe.ts'
import { retry } from '../retry/retry.ts'
import { heal } from './heal.ts'
import { modelRepairer } from './model-repairer.ts'
import type { Repairer } from './repairer.ts'

const Search = z.object({ query: z.string(), limit: z.int().max(50).describe('Number of results') })

function search(more: { effect?: 'read' | 'write'; idempotent?: boolean | 'keyed'; fails?: (query: string) => Error | undefined } = {}) {
  const seen: { input: unknown; key: string }[] = []
  const { fails, ...metadata } = more
  const built = tool({
    name: 'search',
    description: 'Searches.',
    effect: 'read',
    ...metadata,
    inputSchema: Search,
    execute: (input, { idempotencyKey: key }) => {
      seen.push({ input, key })
      const error = fails?.(input.query)
      if (error !== undefined) throw error
      return `found ${input.query}`
    },
  })
  return { tool: built, seen }
}

type Lookup = ReturnType<typeof search>['tool']

/** What models send, whatever the types say. */
const broken = (input: unknown): never => input as never

/** Answers by script and keeps what it was asked. */
function scriptedModel(...answers: readonly unknown[]) {
  const prompts: ModelPrompt[] = []
  const generate = (prompt: ModelPrompt) => {
    const value = answers[Math.min(prompts.push(prompt), answers.length) - 1]
    return Promise.resolve({ text: JSON.stringify(value), value, usage: { tokens: 10 } })
  }
  return { generate, prompts }
}

describe('heal', () => {
  test('repairs the notation of an input by rules, and lists both attempts [H2] [H3]', async () => {
    const { tool: look, seen } = search()
    const result = await heal(look).call(broken({ Query: 'cats', limit: '5' }))
    expect(result).toMatchObject({
      ok: true,
      value: 'found cats',
      attempts: [
        { number: 1, input: { Query: 'cats', limit: '5' }, error: { code: 'invalid_input' } },
        { number: 2, input: { query: 'cats', limit: 5 } },
      ],
      issues: [{ severity: 'info', message: 'The input was repaired. rules: query: key case; limit: number' }],
    })
    expect(seen.map(({ input }) => input)).toEqual([{ query: 'cats', limit: 5 }])
  })

  test('passes a success on as it is', async () => {
    const result = await heal(search().tool).call({ query: 'cats', limit: 5 })
    expect(result).toMatchObject({ ok: true })
    expect(result.attempts).toBeUndefined()
    expect(result.issues).toBeUndefined()
  })

  test('waits after a transient failure, and repairs nothing [H2]', async () => {
    const clock = fakeClock()
    let calls = 0
    const { tool: look, seen } = search({ fails: () => (++calls < 3 ? new ToolError('Busy.', { class: 'transient' }) : undefined) })
    const running = heal(look, { attempts: 3, base: 100 }).call({ query: 'a', limit: 1 }, { clock, random: () => 0 })
    await settled()
    expect(calls).toBe(1)
    await clock.advance(100)
    expect(calls).toBe(2)
    await clock.advance(200)
    expect(await running).toMatchObject({ ok: true, attempts: [{ number: 1 }, { number: 2 }, { number: 3 }] })
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
  })

  test('waits as long as a rate limit says [H2]', async () => {
    const clock = fakeClock()
    let calls = 0
    const limited = new ToolError('Slow down.', { class: 'rate_limited', retryAfterMs: 7000 })
    const { tool: look } = search({ fails: () => (++calls < 2 ? limited : undefined) })
    const running = heal(look).call({ query: 'a', limit: 1 }, { clock, random: () => 0 })
    await clock.advance(6999)
    expect(calls).toBe(1)
    await clock.advance(1)
    expect(await running).toMatchObject({ ok: true })
  })

  test.each([
    ['authorization', new ToolError('No.', { class: 'authorization' })],
    ['a permanent failure of the server', new ToolError('Broken.', { class: 'server', retryable: false })],
    ['a rejection', new ToolError('Declined.', { class: 'rejected' })],
  ])('stops at once after %s [H1] [H2]', async (_what, error) => {
    const { tool: look, seen } = search({ fails: () => error })
    const asked: unknown[] = []
    const result = await heal(look, { repairers: [(request) => void asked.push(request)] }).call({ query: 'a', limit: 1 })
    expect(result).toMatchObject({ ok: false, error: { class: error.class } })
    expect([seen.length, asked.length]).toEqual([1, 0])
  })

  test('asks the repairers in their order, and validates what they propose [H2]', async () => {
    const { tool: look, seen } = search({
      fails: (query) => (query === 'cats' ? undefined : new ToolError('Nothing.', { class: 'not_found' })),
    })
    const asked: string[] = []
    const silent: Repairer = () => void asked.push('silent')
    const wrong: Repairer = ({ problem }) => (asked.push(problem ?? 'wrong'), { input: { query: 5 } })
    const right: Repairer<{ query: string; limit: number }> = ({ input }) => ({ input: { ...input, query: 'cats' }, why: 'a simpler word' })
    const result = await heal(look, { repairers: [silent, wrong, right] }).call({ query: 'felines', limit: 1 })
    expect(result).toMatchObject({ ok: true, value: 'found cats' })
    expect(asked).toEqual(['silent', 'wrong', expect.stringContaining("'query'")])
    expect(seen.length).toBe(2)
  })

  test('gives a repaired input a key of its own, and a repetition the same key', async () => {
    const clock = fakeClock()
    const errors = [new ToolError('Nothing.', { class: 'not_found' }), new ToolError('Busy.', { class: 'transient' })]
    const { tool: look, seen } = search({ effect: 'write', idempotent: 'keyed', fails: () => errors.shift() })
    const running = heal(look, { repairers: [() => ({ input: { query: 'b', limit: 1 } })] }).call({ query: 'a', limit: 1 }, { clock })
    await clock.advance(60_000)
    expect(await running).toMatchObject({ ok: true })
    const [first, second, third] = seen.map(({ key }) => key)
    expect(second).not.toBe(first)
    expect(third).toBe(second)
  })

  test('stops when the same input comes again: no_alternative_params [H2]', async () => {
    const { tool: look, seen } = search({ fails: () => new ToolError('Nothing.', { class: 'not_found' }) })
    const result = await heal(look, { attempts: 9, repairers: [({ input }) => ({ input })] }).call({ query: 'a', limit: 1 })
    expect(result).toMatchObject({ ok: false, error: { class: 'not_found' } })
    expect(result.attempts?.at(-1)).toMatchObject({ number: 2, skipped: 'no_alternative_params' })
    expect(seen.length).toBe(1)
  })

  test('stops when a repairer proposes what the tool does not take, twice: repair_produced_invalid_schema [H2]', async () => {
    const { tool: look } = search({ fails: () => new ToolError('Nothing.', { class: 'not_found' }) })
    const result = await heal(look, { repairers: [() => ({ input: {} })] }).call({ query: 'a', limit: 1 })
    expect(result.attempts?.at(-1)).toMatchObject({ skipped: 'repair_produced_invalid_schema' })
  })

  test('stops when its attempts are spent: exhausted [H2]', async () => {
    const { tool: look, seen } = search({ fails: () => new ToolError('Nothing.', { class: 'not_found' }) })
    let turn = 0
    const result = await heal(look, { attempts: 3, repairers: [() => ({ input: { query: `q${++turn}`, limit: 1 } })] }).call({
      query: 'a',
      limit: 1,
    })
    expect(result.attempts?.map(({ skipped }) => skipped)).toEqual([undefined, undefined, undefined, 'exhausted'])
    expect(seen.length).toBe(3)
  })

  test('says why the rules refuse, and what a person may want to change', async () => {
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.number().max(100) }),
      execute: () => 'paid',
    })
    const result = await heal(pay).call({ amount: 500 })
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(result.issues?.[0]?.message).toContain("A person may want to change 'amount' to 100.")
  })

  test('leaves a guess to a person where the tool takes effect', async () => {
    const set = (effect: 'read' | 'write') =>
      heal(
        tool({
          name: 'set',
          description: 'Sets.',
          effect,
          inputSchema: z.object({ mode: z.enum(['automatic', 'off']) }),
          execute: ({ mode }) => mode,
        }),
      )
    expect(await set('read').call(broken({ mode: 'automtic' }))).toMatchObject({ ok: true, value: 'automatic' })
    const refused = await set('write').call(broken({ mode: 'automtic' }))
    expect(refused).toMatchObject({ ok: false })
    expect(refused.issues?.[0]?.message).toContain(`change 'mode' to "automatic" (enum slip)`)
  })

  test.each([
    [{ effect: 'write', idempotent: false } as const, 1],
    [{ effect: 'write', idempotent: 'keyed' } as const, 3],
    [{ effect: 'read' } as const, 3],
  ])('after an unknown outcome %j is called %i times [H1]', async (metadata, calls) => {
    const clock = fakeClock()
    const { tool: look, seen } = search({ ...metadata, fails: () => new ToolError('Gone.', { class: 'transient', outcome: 'unknown' }) })
    const running = heal(look).call({ query: 'a', limit: 1 }, { clock })
    await clock.advance(60_000)
    const result = await running
    expect(seen.length).toBe(calls)
    expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
    expect(result.issues?.[0]?.message.includes('it is not safe to repeat')).toBe(calls === 1)
  })

  test('repairs no input of a tool that may have taken effect, not even of a keyed one: another input has another key', async () => {
    const { tool: look, seen } = search({
      effect: 'write',
      idempotent: 'keyed',
      fails: () => new ToolError('Odd.', { class: 'semantic', outcome: 'unknown' }),
    })
    const result = await heal(look, { repairers: [() => ({ input: { query: 'b', limit: 1 } })] }).call({ query: 'a', limit: 1 })
    expect(seen.length).toBe(1)
    expect(result.issues?.[0]?.message).toContain('it is not safe to repeat')
  })

  test('repairs no input of a pipeline of which a step has taken effect', async () => {
    const sent: string[] = []
    const send = tool({ name: 'send', description: 'Sends.', effect: 'write', execute: (text) => (sent.push(text), text) })
    const file = tool({
      name: 'file',
      description: 'Files.',
      effect: 'write',
      execute: (): string => {
        throw new ToolError('No such folder.', { class: 'not_found', outcome: 'failed' })
      },
    })
    const result = await heal(pipe(send, file), { repairers: [() => ({ input: 'other' })] }).call('text')
    expect(sent).toEqual(['text'])
    expect(result.issues?.at(-1)?.message).toContain('it is not safe to repeat')
  })

  test('asks the gate inside again about the changed input', async () => {
    const review = recordingReview()
    const { tool: look, seen } = search({
      effect: 'write',
      fails: (query) => (query === 'a' ? new ToolError('No a.', { class: 'not_found' }) : undefined),
    })
    const careful = heal(gate(look), { repairers: [() => ({ input: { query: 'b', limit: 1 } })] })
    expect(await careful.call({ query: 'a', limit: 1 }, { review })).toMatchObject({ ok: true, value: 'found b' })
    expect(review.requests.map(({ input }) => input)).toEqual([
      { query: 'a', limit: 1 },
      { query: 'b', limit: 1 },
    ])
    expect(seen.length).toBe(2)
  })

  test.each([
    ['a gate', (healed: Lookup) => gate(healed)],
    ['a gate that did not ask', (healed: Lookup) => gate(healed, { approval: ({ query }) => query === 'b' })],
    ['a gate and a retry', (healed: Lookup) => gate(retry(healed))],
    ['a gate of a pipeline that begins with it', (healed: Lookup) => gate(pipe(healed, healed as never))],
  ])('changes nothing behind %s that has passed the given input, and check says so', async (_name, around) => {
    const { tool: look, seen } = search({ effect: 'write', fails: () => new ToolError('No a.', { class: 'not_found' }) })
    const healed = heal(look, { repairers: [() => ({ input: { query: 'b', limit: 1 } })] })
    const whole = around(healed) as AgentTool
    const result = await whole.call(broken({ query: 'a', limit: 1 }), { review: recordingReview() })
    expect(seen.map(({ input }) => input)).not.toContainEqual({ query: 'b', limit: 1 })
    expect(result.ok).toBe(false)
    expect(result.issues?.[0]?.message).toContain('Put the gate inside heal')
    expect(check(whole).filter(({ code }) => code === 'repair_behind_gate')).toMatchObject([{ severity: 'warning' }])
    expect(check(heal(gate(look))).filter(({ code }) => code === 'repair_behind_gate')).toEqual([])
  })

  test('repairs the input of a later step, which the gate around has not seen', async () => {
    const { tool: look, seen } = search({ effect: 'read' })
    const ask = tool({
      name: 'ask',
      description: 'Asks.',
      effect: 'read',
      inputSchema: z.string(),
      execute: () => ({ Query: 'a', limit: '1' }),
    })
    const whole = gate(pipe(ask, heal(look) as never))
    expect(await whole.call('x', { review: recordingReview() })).toMatchObject({ ok: true })
    expect(seen).toHaveLength(1)
    expect(check(whole).filter(({ code }) => code === 'repair_behind_gate')).toEqual([])
  })

  test('keeps the input that it was given, whatever becomes of it', async () => {
    const clock = fakeClock()
    let calls = 0
    const { tool: look, seen } = search({ fails: () => (++calls < 2 ? new ToolError('Busy.', { class: 'transient' }) : undefined) })
    const given = { query: 'a', limit: 1 }
    const running = heal(look).call(given, { clock })
    given.query = 'b'
    await clock.advance(60_000)
    await running
    expect(seen.map(({ input }) => input)).toEqual([
      { query: 'a', limit: 1 },
      { query: 'a', limit: 1 },
    ])
  })

  test('measures attempts, time, and whether repairs succeeded [H4]', async () => {
    const events = recordEvents()
    const { tool: look } = search()
    await heal(look).call(broken({ Query: 'cats', limit: '5' }), { on: events })
    const metrics = events.events.flatMap((event) => (event.type === 'metric.recorded' ? [[event.name, event.value] as const] : []))
    expect(Object.fromEntries(metrics)).toMatchObject({
      'heal.attempts': 2,
      'heal.repair_success': 1,
      'heal.repair_cost': 2,
      'heal.false_repairs': 0,
      'heal.duration_ms': expect.any(Number),
    })
  })

  test('counts a repaired input that is refused again as a false repair [H4]', async () => {
    const events = recordEvents()
    const { tool: look } = search({ fails: () => new ToolError('No.', { class: 'semantic' }) })
    await heal(look).call(broken({ Query: 'cats', limit: '5' }), { on: events })
    const metrics = events.events.flatMap((event) => (event.type === 'metric.recorded' ? [[event.name, event.value] as const] : []))
    expect(Object.fromEntries(metrics)).toMatchObject({ 'heal.repair_success': 0, 'heal.false_repairs': 1 })
  })
})

describe('heal with a model', () => {
  test('asks it after the rules, with schema and error, and once more with the problem [H2]', async () => {
    const { tool: look } = search()
    const model = scriptedModel({ input: { query: 'cats' } }, { input: { query: 'cats', limit: 10 } })
    const result = await heal(look, { model: true }).call(broken({ query: 'cats', limit: 'a few' }), { model })
    expect(result).toMatchObject({ ok: true, value: 'found cats', usage: { tokens: 20 } })
    expect(model.prompts.length).toBe(2)
    expect(model.prompts[0]?.prompt).toContain('Input, as JSON:\n{"query":"cats","limit":"a few"}')
    expect(model.prompts[1]?.prompt).toContain("Your last answer was not accepted: Invalid input for tool 'search'")
    expect(model.prompts[0]?.schema).toMatchObject({ properties: { input: { type: 'object' } }, required: ['input'] })
  })

  test('needs a model', async () => {
    await expect(heal(search().tool, { model: true }).call(broken({ query: 5 }))).rejects.toMatchObject({ code: 'missing_model' })
  })

  test('takes one of its own', async () => {
    const model = scriptedModel({ input: { query: 'cats', limit: 1 } })
    expect(await heal(search().tool, { model }).call(broken({ query: 'cats', limit: 'x' }))).toMatchObject({ ok: true })
  })

  test('counts an answer that cannot be read as none', async () => {
    const result = await heal(search().tool, { repairers: [modelRepairer()] }).call(broken({ query: 'cats', limit: 'x' }), {
      model: { generate: () => Promise.resolve({ text: 'I am not sure.' }) },
    })
    expect(result.attempts?.at(-1)).toMatchObject({ skipped: 'no_alternative_params' })
  })

  test.each(['write', 'read'] as const)('may change amounts and recipients only of a tool that reads: %s', async (effect) => {
    const paid: unknown[] = []
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      effect,
      inputSchema: z.object({ amount: z.number(), to: z.string(), note: z.string() }),
      execute: (input) => void paid.push(input),
    })
    const given = broken({ amount: 10, to: 'ann', note: 5.5 })
    const widened = scriptedModel({ input: { amount: 1000, to: 'ann', note: 'x' } })
    const result = await heal(pay, { model: widened }).call(broken({ amount: 10, to: 'ann' }))
    expect(result.ok).toBe(effect === 'read')
    expect(result.issues?.[0]?.message.includes('a person must decide about amount')).toBe(effect === 'write')
    const kept = scriptedModel({ input: { amount: 10, to: 'Ann', note: 'five and a half' } })
    expect(await heal(pay, { model: kept }).call(given)).toMatchObject({ ok: true })
  })

  test('goes on without it when it fails', async () => {
    const result = await heal(search().tool, { model: { generate: () => Promise.reject(new Error('The model is down.')) } }).call(
      broken({ query: 5.5, limit: 'x' }),
    )
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(result.issues?.[0]?.message).toContain('model: The model is down.')
  })
})

test.each(['fallback', 'pipe'] as const)(
  'behind a gate around a %s, an effect runs with the input that was approved, or not at all [H2]',
  async (kind) => {
    const { tool: built, seen } = search({
      effect: 'write',
      fails: (query) => (query === 'ada' ? new ToolError('no', { code: 'not_found' }) : undefined),
    })
    const healed = heal(built, { repairers: [() => ({ input: { query: 'mallory', limit: 1 } })] })
    const around = kind === 'pipe' ? pipe(healed) : fallback({ name: 'found', description: 'd' }, [healed])
    await gate(around).call({ query: 'ada', limit: 1 } as never, { review: recordingReview() })
    expect(seen.map(({ input }) => input)).toEqual([{ query: 'ada', limit: 1 }])
  },
)
