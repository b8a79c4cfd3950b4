import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { check } from '../../plan/check.ts'
import { explain } from '../../plan/explain.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { Effect } from '../../tool/metadata.ts'
import { failure } from '../../tool/result/returned.ts'
import { byPerson } from '../../tool/seam/by-person.ts'
import { tool } from '../../tool/tool.ts'
import { fallback } from '../fallback/fallback.ts'
import { heal } from '../heal/heal.ts'
import { pipe } from '../pipe/pipe.ts'
import { validate } from '../validate/validate.ts'
import { rule } from '../validate/rule.ts'
import { corroborate } from './corroborate.ts'
import { type ArbiterQuestion, byAuthority, byFreshness, byMajority } from './resolution.ts'
import { source as reshaped } from './source.ts'

const Pair = z.object({ pair: z.string() })
const Rate = z.object({ rate: z.number(), at: z.string().optional(), name: z.string().optional() })

interface Said {
  readonly rate: number
  readonly at?: string
  readonly name?: string
}

function source(name: string, said: Said | Error, effect: Effect = 'read') {
  return tool({
    name,
    description: 'Gives a rate.',
    inputSchema: Pair,
    outputSchema: Rate,
    effect,
    execute: () => {
      if (said instanceof Error) throw said
      return said
    },
  })
}

/** Sources a, b, c, ... with what they say. */
function sourcesOf(...said: readonly (Said | Error)[]): Record<'a' | 'b', ReturnType<typeof source>> {
  return Object.fromEntries(said.map((each, index) => ['abcde'.charAt(index), source('abcde'.charAt(index), each)])) as never
}

const bare = { name: 'rate', description: 'A rate that sources confirm.' } as const
const near = { rate: { within: 0.01 } }
const EURUSD = { pair: 'EURUSD' }
const down = new ToolError('Down.', { class: 'transient' })

describe('corroborate', () => {
  test('gives the first answer where all agree [V1] [V3]', async () => {
    const result = await corroborate(sourcesOf({ rate: 1.1, at: '1' }, { rate: 1.105 }), { ...bare, fields: near }).call(EURUSD)
    expect(result).toMatchObject({ ok: true, value: { rate: 1.1, at: '1' }, validation: { verdict: 'success', conflicts: [] } })
    expect([result.issues, result.text]).toEqual([undefined, '{"rate":1.1,"at":"1"}'])
    expect(result.steps?.map(({ label }) => label)).toEqual(['a', 'b'])
  })

  test('asks the sources at the same time, with the same input [V1]', async () => {
    const asked: string[] = []
    const waiting: (() => void)[] = []
    const slow = (name: string) =>
      tool({
        ...{ name, description: 'd', inputSchema: Pair, effect: 'read' },
        execute: async ({ pair }) => {
          asked.push(`${name} ${pair}`)
          await new Promise<void>((resolve) => waiting.push(resolve))
          return { rate: 1 }
        },
      })
    const ended = corroborate({ a: slow('a'), b: slow('b') }, { ...bare, fields: near }).call(EURUSD)
    await Promise.resolve()
    expect(asked).toEqual(['a EURUSD', 'b EURUSD'])
    for (const go of waiting) go()
    expect((await ended).ok).toBe(true)
  })

  test('a conflict about something that is not critical is a warning, and the first answer is given [V3]', async () => {
    const fields = { rate: {}, name: { alike: 0.9, severity: 'warning' } } as const
    const result = await corroborate(sourcesOf({ rate: 1, name: 'Euro' }, { rate: 1, name: 'Dollar' }), { ...bare, fields }).call(EURUSD)
    expect(result).toMatchObject({
      ok: true,
      value: { rate: 1, name: 'Euro' },
      validation: { verdict: 'warning', conflicts: [{ field: 'name', severity: 'warning', values: { a: 'Euro', b: 'Dollar' } }] },
      issues: [{ severity: 'warning', path: 'name', message: `The sources disagree on 'name': a "Euro", b "Dollar".` }],
    })
    expect(result.text).toContain(`Warning: The sources disagree on 'name'`)
  })

  test('a critical conflict that nobody resolves is a failure, which triggers a fallback [V3]', async () => {
    const rate = corroborate(sourcesOf({ rate: 1 }, { rate: 2 }), { ...bare, fields: near })
    const result = await rate.call(EURUSD)
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'sources_disagree', class: 'semantic', retryable: false, outcome: 'failed' },
      text: "Error: The sources disagree on 'rate': a 1, b 2. Nothing resolved it.",
      validation: { verdict: 'failure', conflicts: [{ field: 'rate', values: { a: 1, b: 2 } }] },
      issues: [{ severity: 'critical', path: 'rate' }],
    })
    const answered = await fallback({ name: 'any', description: 'd' }, [rate, source('last', { rate: 9 })]).call(EURUSD)
    expect(answered).toMatchObject({ ok: true, level: 'last' })
  })

  test('needs answers of at least two sources, and tells all reasons [V1]', async () => {
    const rate = (atLeast?: number) => corroborate(sourcesOf({ rate: 1 }, down, new Error('Odd.')), { ...bare, fields: near, atLeast })
    expect(await rate().call(EURUSD)).toMatchObject({
      ok: false,
      text: "Error: Only 1 of 3 sources of 'rate' answered, and 2 must: b (Down.), c (Odd.)",
      error: { code: 'quorum_not_met', retryable: true },
    })
    expect(await rate(1).call(EURUSD)).toMatchObject({
      ok: true,
      value: { rate: 1 },
      validation: { verdict: 'warning' },
      issues: [{ path: 'b', message: "Source 'b' failed: Down." }, { path: 'c' }],
    })
  })

  test('adapters make the input of a source, and the answer of its output [V1]', async () => {
    const broker = tool({
      ...{ name: 'broker', description: 'd', effect: 'read', inputSchema: z.object({ symbol: z.string() }) },
      execute: ({ symbol }) => ({ mid: symbol.length }),
    })
    const rate = (broken: boolean) => {
      const adapted = reshaped(broker, {
        input: ({ pair }: { pair: string }) => ({ symbol: pair }),
        output: ({ value }) => {
          if (broken) throw new Error('No mid.')
          return { rate: value.mid }
        },
      })
      return corroborate({ a: source('a', { rate: 6 }), b: source('b', { rate: 6 }), broker: adapted }, { ...bare, fields: { rate: {} } })
    }
    expect(await rate(false).call(EURUSD)).toMatchObject({ ok: true, validation: { verdict: 'success' } })
    expect((await rate(true).call(EURUSD)).issues).toMatchObject([
      { path: 'broker', message: "Source 'broker' failed: The output of source 'broker' failed: No mid." },
    ])
  })

  test('a field that one source alone gave is told, and one that nobody gave is an error [V1]', async () => {
    const alone = await corroborate(sourcesOf({ rate: 1, at: '1' }, { rate: 1 }), { ...bare, fields: { ...near, at: {} } }).call(EURUSD)
    expect(alone).toMatchObject({
      ok: true,
      validation: { verdict: 'warning' },
      issues: [{ path: 'at', message: "Only source 'a' gave 'at': nothing confirms it." }],
    })
    const free = (name: string) =>
      tool({ name, description: 'd', inputSchema: Pair, effect: 'read', execute: (): unknown => ({ rate: 1 }) })
    const misspelt = await corroborate({ a: free('a'), b: free('b') }, { ...bare, fields: { rat: {} } }).call(EURUSD)
    expect(misspelt).toMatchObject({ ok: false, error: { code: 'adapter_failed', message: "No source of 'rate' gave the field 'rat'." } })
  })

  test('a field that by the schemas fewer than two sources can give is refused at once [V1]', () => {
    const make = (fields: object, sources: object = sourcesOf({ rate: 1 }, { rate: 1 })) =>
      (corroborate as (sources: never, options: never) => unknown)(sources as never, { ...bare, fields } as never)
    expect(() => make({ rat: {} })).toThrow(/corroborate 'rate' cannot compare 'rat': no source gives it\. Compare a field of two sources/)
    const cost = tool({ name: 'cost', description: 'd', inputSchema: Pair, effect: 'read', execute: () => ({ cost: 1 }) })
    const closed = tool({
      ...{ name: 'closed', description: 'd', inputSchema: Pair, effect: 'read', outputSchema: z.object({ cost: z.number() }) },
      execute: () => ({ cost: 1 }),
    })
    const a = source('a', { rate: 1 })
    expect(() => make({ nonsense: {} }, { a, cost })).toThrow("no source besides 'cost' gives it, so nothing can confirm it")
    expect(() => make({ rate: {} }, { a, closed })).toThrow("cannot compare 'rate': no source besides 'a' gives it")
    expect(() => make({ rate: {} }, { a, closed: reshaped(closed, { output: ({ value }) => ({ rate: value.cost }) }) })).not.toThrow()
    expect(() => make({ rate: {} }, { a, closed, b: source('b', { rate: 1 }) })).not.toThrow()
  })

  test('an answer without fields is a failure of its source', async () => {
    const text = tool({ name: 'text', description: 'd', inputSchema: Pair, effect: 'read', execute: (): unknown => 'much' })
    const result = await corroborate(
      { a: source('a', { rate: 1 }), text: text as AgentTool<{ pair: string }, Said> },
      { ...bare, fields: near },
    ).call(EURUSD)
    expect(result.text).toContain(`text (Source 'text' must give fields to compare, not "much".)`)
  })
})

describe('a critical conflict is resolved', () => {
  const three = () => sourcesOf({ rate: 1, at: '2026-01-01' }, { rate: 2, at: '2026-01-03' }, { rate: 2.001, at: '2026-01-02' })
  const resolved = async (resolve: unknown, options: object = {}) =>
    corroborate(three(), { ...bare, fields: near, resolve: resolve as never }).call(EURUSD, options)

  test.each([
    ['by the order of the sources', byAuthority(), { by: 'authority', value: 1, source: 'a' }],
    ['by an order of its own', byAuthority('c', 'b'), { by: 'authority', value: 2.001, source: 'c' }],
    ['by freshness', byFreshness('at'), { by: 'freshness', value: 2, source: 'b' }],
    ['by majority, within the tolerance', byMajority(), { by: 'majority', value: 2, source: 'b' }],
    ['by a function', () => ({ rate: 7 }), { by: 'arbiter', value: 7 }],
    ['by an asynchronous function', () => Promise.resolve({ rate: 7 }), { by: 'arbiter', value: 7 }],
    ['by the next way, where the first resolves nothing', [() => undefined, byMajority()], { by: 'majority', value: 2, source: 'b' }],
    [
      'by the next way, where an arbiter fails',
      [() => Promise.reject(new Error('Ill.')), byMajority()],
      { by: 'majority', value: 2, source: 'b' },
    ],
  ])('%s [V2] [V3]', async (_way, resolve, resolution) => {
    const result = await resolved(resolve)
    expect(result).toMatchObject({
      ok: true,
      value: { rate: resolution.value, at: '2026-01-01' },
      validation: {
        verdict: 'conditional',
        conflicts: [{ field: 'rate', severity: 'critical', values: { a: 1, b: 2, c: 2.001 }, resolved: resolution }],
      },
      issues: [{ severity: 'critical', path: 'rate' }],
    })
    expect(result.text).toContain(
      `Caution: The sources disagree on 'rate': a 1, b 2, c 2.001. Resolved by ${resolution.by}: ${resolution.value}`,
    )
  })

  test('by a tool, which gets the input, the conflicts and the answers [V2]', async () => {
    const asked: unknown[] = []
    const judge = tool({
      ...{ name: 'judge', description: 'd', effect: 'read', inputSchema: z.custom<ArbiterQuestion>() },
      execute: (question) => (asked.push(question), { rate: 5 }),
    })
    const result = await resolved(judge)
    expect(result).toMatchObject({ ok: true, value: { rate: 5 }, validation: { conflicts: [{ resolved: { by: 'arbiter', value: 5 } }] } })
    expect(asked).toEqual([
      {
        input: EURUSD,
        conflicts: [{ field: 'rate', values: { a: 1, b: 2, c: 2.001 } }],
        answers: { a: { rate: 1, at: '2026-01-01' }, b: { rate: 2, at: '2026-01-03' }, c: { rate: 2.001, at: '2026-01-02' } },
      },
    ])
    expect(result.steps?.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'arbiter'])
  })

  test('by a person, who sees what each source said and answers in the schema of the fields [V2]', async () => {
    const review = recordingReview({ action: 'answer', value: { rate: 3 } })
    const result = await resolved(byPerson({ why: 'It is for a contract.', urgency: 'high' }), { review })
    expect(result).toMatchObject({
      ok: true,
      value: { rate: 3 },
      validation: { verdict: 'conditional', conflicts: [{ resolved: { by: 'person', value: 3 } }] },
    })
    expect(review.requests.map(({ why }) => why)).toEqual([
      "It is for a contract. The sources of 'rate' disagree (urgency: high): rate (a: 1, b: 2, c: 2.001). Which values are right?",
    ])
    const wrong = await resolved(byPerson(), { review: recordingReview({ action: 'answer', value: { rate: 'much' } }) })
    expect(wrong.ok).toBe(false)
  })

  test('not by a person who declines, and nothing goes around that [V2]', async () => {
    const result = await resolved([byPerson(), byMajority()], { review: recordingReview({ action: 'reject', reason: 'No.' }) })
    expect(result).toMatchObject({ ok: false, error: { class: 'rejected' }, validation: { verdict: 'failure' } })
  })

  test('by the next way, where nobody can be asked [V2]', async () => {
    expect(await resolved([byPerson(), byMajority()])).toMatchObject({
      ok: true,
      validation: { conflicts: [{ resolved: { by: 'majority' } }] },
    })
  })

  test.each([
    ['no majority', byMajority(), [{ rate: 1 }, { rate: 2 }]],
    ['no time', byFreshness('at'), [{ rate: 1, at: '2026-01-01' }, { rate: 2 }]],
    [
      'times that cannot be compared',
      byFreshness('at'),
      [
        { rate: 1, at: '2026-01-01' },
        { rate: 2, at: '2026-01-01T00:00Z' },
      ],
    ],
    [
      'equally fresh answers',
      byFreshness('at'),
      [
        { rate: 1, at: '2026-01-01' },
        { rate: 2, at: '2026-01-01' },
      ],
    ],
  ])('not where there is %s [V2]', async (_what, resolve, said) => {
    const result = await corroborate(sourcesOf(...said), { ...bare, fields: near, resolve }).call(EURUSD)
    expect(result).toMatchObject({ ok: false, error: { code: 'sources_disagree' } })
  })

  test('not by an arbiter that gives something else: its failure is that of the whole [V2]', async () => {
    expect(await resolved(() => 5)).toMatchObject({
      ok: false,
      error: { code: 'adapter_failed', message: 'The arbiter must give the values of fields, such as { rate: 1.1 }, not 5.' },
    })
    const judge = tool({
      name: 'judge',
      description: 'd',
      effect: 'read',
      inputSchema: z.custom<ArbiterQuestion>(),
      execute: () => failure('Ill.', { code: 'ill' }),
    })
    expect(await resolved(judge)).toMatchObject({ ok: false, error: { code: 'ill' }, validation: { verdict: 'failure' } })
  })

  test('and is not accepted by heal, which accepts success and warning only [V3]', async () => {
    const conditional = corroborate(three(), { ...bare, fields: near, resolve: byMajority() })
    expect(await heal(conditional).call(EURUSD)).toMatchObject({ ok: false, error: { code: 'sources_disagree', class: 'semantic' } })
    expect(await heal(pipe(conditional)).call(EURUSD)).toMatchObject({ ok: false, error: { code: 'sources_disagree' } })
    const agreed = corroborate(sourcesOf({ rate: 1 }, { rate: 2 }), { ...bare, fields: { rate: { severity: 'warning' } } })
    expect(await heal(agreed).call(EURUSD)).toMatchObject({ ok: true, validation: { verdict: 'warning' } })
  })

  test('and stays conditional behind a validation that only warns [V3]', async () => {
    const conditional = corroborate(three(), { ...bare, fields: near, resolve: byMajority() })
    const result = await validate(conditional, { rules: [rule('odd', () => 'it is odd', { severity: 'warning' })] }).call(EURUSD)
    expect(result).toMatchObject({
      ok: true,
      validation: { verdict: 'conditional', conflicts: [{ field: 'rate' }] },
      issues: [{ path: 'rate' }, { message: 'odd: it is odd' }],
    })
  })
})

describe('the plan', () => {
  const findings = (of: AgentTool) => check(of).filter(({ code }) => code === 'unknown_field' || code === 'effectful_source')

  test('lists the fields and the ways to resolve [V1] [V2]', () => {
    const rate = corroborate(sourcesOf({ rate: 1 }, { rate: 2 }), { ...bare, fields: near, resolve: [byMajority(), byPerson()] })
    expect(explain(rate).toString()).toContain('(corroborate, compares rate; resolves by majority, then by a person)')
    expect(rate.specification.outputSchema).toBeDefined()
    expect(findings(rate)).toEqual([])
  })

  test('check finds sources that do not share the fields, and sources that take effect [V1]', () => {
    const other = tool({
      name: 'other',
      description: 'd',
      inputSchema: Pair,
      effect: 'read',
      outputSchema: z.object({ mid: z.number() }),
      execute: () => ({ mid: 1 }),
    })
    const rate = corroborate(
      { a: source('a', { rate: 1 }, 'write'), b: source('b', { rate: 1 }), other },
      { ...bare, fields: near as never, resolve: byFreshness('at') as never },
    )
    expect(findings(rate).map(({ severity, code, path, field }) => [severity, code, path, field])).toEqual([
      ['error', 'unknown_field', 'rate/other', 'rate'],
      ['error', 'unknown_field', 'rate/other', 'at'],
      ['error', 'effectful_source', 'rate/a', undefined],
    ])
  })
})
