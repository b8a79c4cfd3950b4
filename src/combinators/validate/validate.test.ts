import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { check } from '../../plan/check.ts'
import { explain } from '../../plan/explain.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Effect, Idempotent } from '../../tool/metadata.ts'
import { tool } from '../../tool/tool.ts'
import { fallback } from '../fallback/fallback.ts'
import { heal } from '../heal/heal.ts'
import { pipe } from '../pipe/pipe.ts'
import { retry } from '../retry/retry.ts'
import { saga } from '../saga/saga.ts'
import { within } from './bounds.ts'
import { ordered } from './ordered.ts'
import { rule } from './rule.ts'
import { validate } from './validate.ts'

const Rate = z.object({ pair: z.string(), rate: z.number(), from: z.string(), to: z.string().optional() })

interface Made {
  readonly rates?: readonly number[]
  readonly effect?: Effect
  readonly idempotent?: Idempotent
  readonly name?: string
}

/** Gives one rate after the other, the last one for ever. */
function rateTool({ rates = [1], effect = 'read', idempotent = false, name = 'rate' }: Made = {}) {
  const ran: string[] = []
  const made = tool({
    name,
    description: 'Gives a rate.',
    inputSchema: z.object({ pair: z.string(), scale: z.number().default(1) }),
    outputSchema: Rate,
    effect,
    idempotent,
    execute: ({ pair }) => {
      ran.push(pair)
      return { pair, rate: rates[Math.min(ran.length, rates.length) - 1] ?? 1, from: '2026-01-02' }
    },
  })
  return { made, ran }
}

const positive = within<z.output<typeof Rate>>('rate', { min: 0 })
const likely = within<z.output<typeof Rate>>('rate', { max: 10, severity: 'warning' })

describe('validate', () => {
  test('keeps name, schema and metadata, and is a layer whose rules the plan lists [V1]', () => {
    const { made } = rateTool()
    const checked = validate(made, { rules: [positive, ordered('from', 'to')] })
    expect(checked.specification).toEqual(made.specification)
    expect(checked.plan()).toMatchObject({ kind: 'validate', layer: true, detail: 'rate at least 0; from <= to' })
    expect(explain(checked).toString()).toContain('[validate: rate at least 0; from <= to]')
  })

  test('gives the very result of the tool where no rule is broken [V3]', async () => {
    const { made } = rateTool()
    const result = await validate(made, { rules: [positive, likely] }).call({ pair: 'EURUSD' })
    expect(result).toMatchObject({ ok: true, value: { rate: 1 } })
    expect([result.issues, result.validation, result.text]).toEqual([undefined, undefined, JSON.stringify(result.ok && result.value)])
  })

  test('fails after a critical fault, and lists all faults [V1] [V3]', async () => {
    const { made } = rateTool({ rates: [-5] })
    const result = await validate(made, {
      rules: [positive, within('rate', { min: -1, severity: 'warning' }), rule('pair', () => 'it is odd')],
    }).call({ pair: 'EURUSD' })
    expect(result).toMatchObject({
      ok: false,
      text: "Error: Tool 'rate' gave an output that is not plausible: 'rate' is -5, and must be at least 0; pair: it is odd.",
      error: { code: 'implausible_output', class: 'semantic', retryable: false, outcome: 'failed' },
      validation: { verdict: 'failure' },
      issues: [
        { severity: 'critical', path: 'rate' },
        { severity: 'warning', path: 'rate' },
        { severity: 'critical', message: 'pair: it is odd' },
      ],
    })
  })

  test('succeeds after a warning: the issue is data, in the text for the model and in events [V3]', async () => {
    const { made } = rateTool({ rates: [50] })
    const recorder = recordEvents()
    const result = await validate(made, { rules: [positive, likely] }).call({ pair: 'EURUSD' }, { on: recorder })
    const note = "'rate' is 50, and must be at most 10"
    expect(result).toMatchObject({
      ok: true,
      value: { rate: 50 },
      validation: { verdict: 'warning' },
      issues: [{ severity: 'warning', message: note, path: 'rate' }],
      text: `{"pair":"EURUSD","rate":50,"from":"2026-01-02"}\nWarning: ${note}`,
    })
    const ends = recorder.events.filter((event) => event.type === 'call.finished')
    expect(ends.map(({ text }) => text.includes('Warning'))).toEqual([false, true])
    expect(recorder.events.filter((event) => event.type === 'metric.recorded')).toMatchObject([
      { name: 'tool_validation', value: 1, attributes: { verdict: 'warning' } },
    ])
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ validation: { verdict: 'warning' } })
  })

  test('a warning is not part of the text that the next step of a pipeline gets [P3]', async () => {
    const say = tool({ name: 'say', description: 'd', effect: 'read', execute: (text) => `${text}!` })
    const odd = validate(say, { rules: [rule('loud', () => 'it is loud', { severity: 'warning' })] })
    expect((await pipe(odd, say).call('a')).text).toBe('a!!')
    expect(await pipe(say, odd).call('a')).toMatchObject({ text: 'a!!\nWarning: loud: it is loud', validation: { verdict: 'warning' } })
  })

  test('leaves a failure of the tool as it is', async () => {
    const fails = tool({
      name: 'fails',
      description: 'd',
      effect: 'read',
      execute: (): string => {
        throw new Error('No.')
      },
    })
    const result = await validate(fails, { rules: [rule('never', () => 'odd')] }).call('x')
    expect(result).toMatchObject({ ok: false, error: { message: 'No.' }, validation: undefined })
  })

  test('an output that does not fit its schema fails before the rules [V1]', async () => {
    const { made } = rateTool({ rates: [Number.NaN] })
    expect(await validate(made, { rules: [rule('never', () => 'odd')] }).call({ pair: 'x' })).toMatchObject({
      error: { code: 'invalid_output' },
    })
  })
})

describe('a critical fault', () => {
  test.each<readonly [Effect, Idempotent, readonly string[]]>([
    ['read', false, ['rate', 'other']],
    ['write', true, ['rate', 'other']],
    ['write', 'keyed', ['rate']],
    ['write', false, ['rate']],
    ['irreversible', false, ['rate']],
  ])('of a tool with effect %s, idempotent %s: the levels %j are asked [V3]', async (effect, idempotent, asked) => {
    const { made, ran } = rateTool({ rates: [-5], effect, idempotent })
    const other = rateTool({ name: 'other', effect: 'write', idempotent: true })
    const rates = fallback({ name: 'rates', description: 'd' }, [validate(made, { rules: [positive] }), other.made])
    const result = await rates.call({ pair: 'x' })
    expect([ran.length, other.ran.length]).toEqual([1, asked.length - 1])
    const stopped = { ok: false, error: { code: 'implausible_output', outcome: 'unknown' } }
    expect(result).toMatchObject(asked.length === 1 ? stopped : { ok: true, level: 'other' })
  })

  test('is retried only where validate says that it may help, and never for an effect [V3]', async () => {
    const called = async (retryable: boolean | undefined, made: Made): Promise<readonly [boolean, number]> => {
      const { made: rate, ran } = rateTool({ rates: [-5, 2], ...made })
      const result = await retry(validate(rate, { rules: [positive], retryable }), { base: 0 }).call({ pair: 'x' })
      return [result.ok, ran.length]
    }
    expect(await called(undefined, {})).toEqual([false, 1])
    expect(await called(true, {})).toEqual([true, 2])
    expect(await called(true, { effect: 'write' })).toEqual([false, 1])
  })

  test('is healed by another input, and a warning is accepted as it is [V3]', async () => {
    const healed = async (rules: readonly (typeof positive)[]) => {
      const { made, ran } = rateTool({ rates: [-5, 2] })
      const result = await heal(validate(made, { rules }), { repairers: [({ input }) => ({ input: { ...input, pair: 'y' } })] }).call({
        pair: 'x',
      })
      return { result, ran }
    }
    const repaired = await healed([positive])
    expect([repaired.result.ok, repaired.ran]).toEqual([true, ['x', 'y']])
    const warned = await healed([within('rate', { min: 0, severity: 'warning' })])
    expect([warned.result.ok, warned.ran, warned.result.validation?.verdict]).toEqual([true, ['x'], 'warning'])
  })

  test('after an effect is compensated by a saga: the step has run [V3]', async () => {
    const { made } = rateTool({ rates: [-5], effect: 'write' })
    const undone: string[] = []
    const undo = tool({ name: 'undo', description: 'd', effect: 'write', execute: (pair) => void undone.push(pair) })
    const whole = saga({ name: 'whole', description: 'd', inputSchema: z.object({ pair: z.string() }) })
      .step('rate', validate(made, { rules: [positive] }), {
        compensate: { with: undo, class: 'reversible', input: ({ stepInput }) => stepInput.pair },
      })
      .build()
    expect((await whole.call({ pair: 'x' })).ok).toBe(false)
    expect(undone).toEqual(['x'])
  })

  test('keeps the steps of the tool that gave the output', async () => {
    const { made } = rateTool({ rates: [-5] })
    const result = await validate(pipe(made, made), { rules: [rule('never', () => 'odd')] }).call({ pair: 'x' })
    expect(result.steps?.map(({ label }) => label)).toEqual(['rate', 'rate#2'])
  })
})

const findings = (of: AgentTool) => check(of).filter(({ code }) => code !== 'unknown_estimates')

interface Given {
  readonly value: { a: number; readonly list: number[] }
  readonly input: { a: number }
}

describe('a rule', () => {
  const asked = async (judge: unknown, effect: Effect = 'read') => {
    const { made } = rateTool({ effect })
    return validate(made, { rules: [rule('own', judge as never, { severity: 'warning' })] }).call({ pair: 'x' })
  }

  test.each([
    [
      'throws',
      () => {
        throw new Error('Broken.')
      },
      "The rule 'own' failed: Broken.",
    ],
    ['returns a promise', () => Promise.resolve(true), "The rule 'own' returned a promise."],
    ['rejects', () => Promise.reject(new Error('Late.')), "The rule 'own' returned a promise."],
    ['returns nothing', () => undefined, "The rule 'own' must return true, or what is wrong as a text, not undefined."],
    ['returns false', () => false, 'not false.'],
    ['returns an empty text', () => ' ', 'not " ".'],
  ])('that %s is an error, never a pass [V1]', async (_what, judge, says) => {
    const result = await asked(judge)
    expect(result).toMatchObject({ ok: false, error: { code: 'adapter_failed', outcome: 'failed' } })
    expect(result.text).toContain(says)
    expect(await asked(judge, 'write')).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
  })

  test('gets the output, and the input as the tool took it [V1]', async () => {
    const { made } = rateTool()
    const seen: unknown[] = []
    await validate(made, { rules: [rule('own', (given) => (seen.push(given), true))] }).call({ pair: 'x' })
    expect(seen).toEqual([{ value: { pair: 'x', rate: 1, from: '2026-01-02' }, input: { pair: 'x', scale: 1 } }])
  })

  test.each([
    ['the output', ({ value }: Given) => ((value.a = 1000), true)],
    ['a list in the output', ({ value }: Given) => (value.list.push(1000), true)],
    ['the input', ({ input }: Given) => ((input.a = 1000), true)],
  ])('cannot change %s [V1]', async (_what, judge) => {
    const given = { a: 1, list: [1] }
    const gives = tool({
      ...{ name: 'gives', description: 'd', effect: 'read', inputSchema: z.object({ a: z.number() }) },
      execute: () => given,
    })
    const judged = validate(gives, { rules: [rule('changes', judge as never)] })
    expect(await judged.call({ a: 1 })).toMatchObject({ ok: false, error: { code: 'adapter_failed' } })
    expect(given).toEqual({ a: 1, list: [1] })
  })

  test('and the caller get the same value of a getter, and the caller may change it [V1]', async () => {
    let count = 0
    const counts = tool({
      ...{ name: 'counts', description: 'd', effect: 'read' },
      execute: () => ({
        get n() {
          return count++
        },
      }),
    })
    const result = await validate(counts, { rules: [within('n', { max: 0 }), rule('zero', ({ value }) => value.n === 0 || 'no')] }).call(
      'x',
    )
    expect([result.ok && result.value, result.text]).toEqual([{ n: 0 }, '{"n":0}'])
    expect(result.ok && Object.isFrozen(result.value)).toBe(false)
  })

  test('gets the input also where a schema is asynchronous', async () => {
    const late = tool({
      name: 'late',
      description: 'd',
      effect: 'read',
      inputSchema: z.object({ n: z.number() }).transform((given) => Promise.resolve({ n: given.n + 1 })),
      execute: ({ n }) => n,
    })
    const result = await validate(late, { rules: [rule('own', ({ input }) => `it got ${JSON.stringify(input)}`)] }).call({ n: 1 })
    expect(result.text).toContain('own: it got {"n":2}')
  })

  test('on a misspelt field is an error at run time, and a finding [V1]', async () => {
    const { made } = rateTool()
    const checked = validate(made, { rules: [within('rat' as never, { min: 0 })] })
    expect(await checked.call({ pair: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'adapter_failed', message: "within('rat') reads the field 'rat', which the output does not have." },
    })
    expect(findings(checked)).toMatchObject([
      {
        severity: 'error',
        code: 'unknown_field',
        path: 'rate/judged',
        field: 'rat',
        message: "The output of 'rate' has no field 'rat', which is read by: rat at least 0.",
        hint: "Did you mean 'rate'?",
      },
    ])
    expect(findings(validate(made, { rules: [positive, ordered('from', 'to')] }))).toEqual([])
  })

  test('on a tool without an output schema: check says that it cannot tell [V1]', () => {
    const loose = tool({ name: 'loose', description: 'd', effect: 'read', execute: () => ({ n: 1 }) })
    expect(findings(validate(loose, { rules: [within('n', { min: 0 })] }))).toMatchObject([
      { severity: 'note', code: 'unknown_field', path: 'loose/judged' },
    ])
  })
})
