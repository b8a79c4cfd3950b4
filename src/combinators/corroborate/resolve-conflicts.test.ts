import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { byPerson } from '../../tool/seam/by-person.ts'
import { tool } from '../../tool/tool.ts'
import { within } from '../validate/bounds.ts'
import { validate } from '../validate/validate.ts'
import { corroborate } from './corroborate.ts'
import { type ArbiterQuestion, byAuthority, byMajority } from './resolution.ts'

type Said = Readonly<Record<string, unknown>>

const says = (name: string, said: Said | Error, outputSchema?: z.ZodType<Said>): AgentTool<string, Said> =>
  tool({
    ...{ name, description: 'd', effect: 'read', outputSchema: outputSchema ?? z.custom<Said>() },
    execute: () => {
      if (said instanceof Error) throw said
      return said
    },
  })

interface Asked {
  readonly resolve?: unknown
  readonly fields?: object
  readonly options?: object
}

async function asked(sources: Readonly<Record<string, AgentTool<string, Said>>>, { resolve, fields = { rate: {} }, options }: Asked = {}) {
  const whole = corroborate(sources, { name: 'whole', description: 'd', fields: fields as never, resolve: resolve as never })
  return (whole as unknown as AgentTool<string, Said>).call('x', options)
}

describe('the values of an arbiter', () => {
  const Rate = z.object({ rate: z.number().max(10) })
  const two = () => ({ a: says('a', { rate: 1 }, Rate), b: says('b', { rate: 2 }, Rate) })
  const judge = (rate: unknown) =>
    tool({ name: 'judge', description: 'd', effect: 'read', inputSchema: z.unknown(), execute: () => ({ rate }) })

  test.each([['many'], [777], [null], [Number.NaN], [() => 1], [{}]])(
    'that do not fit their field are no answer: %o [V2]',
    async (rate) => {
      for (const [arbiter, who] of [
        [() => ({ rate }), 'The arbiter'],
        [judge(rate), "The arbiter 'judge'"],
      ] as const) {
        const alone = await asked(two(), { resolve: arbiter })
        expect(alone).toMatchObject({ ok: false, error: { code: 'adapter_failed' }, validation: { verdict: 'failure' } })
        expect(alone.text).toContain(`${who} gave values that do not fit the fields: 'rate'`)
        const next = await asked(two(), { resolve: [arbiter, byAuthority('b')] })
        expect(next).toMatchObject({ ok: true, value: { rate: 2 }, validation: { conflicts: [{ resolved: { by: 'authority' } }] } })
      }
    },
  )

  test('of a person are checked too, where the question has a schema of its own [V2]', async () => {
    const review = recordingReview({ action: 'answer', value: { rate: 777 } })
    const result = await asked(two(), {
      resolve: [byPerson({ answerSchema: z.object({ rate: z.number() }) }), byAuthority('b')],
      options: { review },
    })
    expect(result).toMatchObject({ ok: true, value: { rate: 2 } })
  })

  test('that fit are taken, whatever the library can say of the field [V2]', async () => {
    const Field = z.object({ rate: z.union([z.email(), z.date(), z.bigint(), z.string().regex(/^(?=x)x+$/)]) })
    const sources = () => ({ a: says('a', { rate: 'a@example.com' }, Field), b: says('b', { rate: 'xx' }, Field) })
    for (const rate of ['b@example.com', new Date(5), 5n])
      expect(await asked(sources(), { resolve: () => ({ rate, other: 1 }) })).toMatchObject({ ok: true, value: { rate } })
  })

  test('are judged with evidence that an arbiter cannot change [V2]', async () => {
    const result = await asked(
      { a: says('a', { rate: 1, rows: [1] }), b: says('b', { rate: 2 }) },
      {
        resolve: ({ answers, conflicts }: ArbiterQuestion) => {
          const { a } = answers as { a: { rate: number; rows: number[] } }
          a.rate = 5
          a.rows.push(2)
          Object.assign(conflicts[0]?.values ?? {}, { a: 5 })
          return { rate: 5 }
        },
      },
    )
    expect(result).toMatchObject({ ok: true, value: { rate: 5, rows: [1] }, validation: { conflicts: [{ values: { a: 1, b: 2 } }] } })
  })
})

test('a majority is more than half of all sources, also of those that failed or did not give the field [V2]', async () => {
  const failed = new Error('Down.')
  const of = async (...said: readonly (Said | Error)[]) =>
    (await asked(Object.fromEntries(said.map((each, index) => [`s${index}`, says(`s${index}`, each)])), { resolve: byMajority() })).ok
  expect(await of({ rate: 1 }, { rate: 2 }, { rate: 1 })).toBe(true)
  expect(await of({ rate: 1 }, { rate: 2 }, { rate: 1 }, failed)).toBe(false)
  expect(await of({ rate: 1 }, { rate: 2 }, { rate: 1 }, {})).toBe(false)
  expect(await of({ rate: 1 }, { rate: 2 }, { rate: 1 }, { rate: 1 }, failed)).toBe(true)
})

describe('the answer', () => {
  test.each([[{ x: 1 }], [{ x: 1, rate: null }], [{ x: 1, rate: undefined }]])(
    'has the value of the others where the first source does not give it: %o [V1]',
    async (first) => {
      const result = await asked({ a: says('a', first), b: says('b', { rate: 5 }), c: says('c', { rate: 5 }) })
      expect(result).toMatchObject({
        ok: true,
        value: { x: 1, rate: 5 },
        text: expect.stringContaining('{"x":1,"rate":5}') as string,
        validation: { verdict: 'warning', conflicts: [] },
        issues: [{ severity: 'warning', path: 'rate', message: "Source 'a' did not give 'rate': the value is that of 'b'." }],
      })
    },
  )

  test('does not have a value that one other source alone gives [V1]', async () => {
    const result = await asked({ a: says('a', { x: 1 }), b: says('b', { rate: 5 }) })
    expect(result).toMatchObject({ ok: true, issues: [{ message: "Only source 'b' gave 'rate': nothing confirms it." }] })
    expect(result.ok && result.value).toEqual({ x: 1 })
  })

  test('has the warnings of the sources that it is made of, and of no others [V3]', async () => {
    const warned = (name: string, rate: number) =>
      validate(says(name, { rate }), { rules: [within<unknown>('rate', { max: 0, severity: 'warning' })] })
    const agreed = await asked({ a: warned('a', 1), b: says('b', { rate: 1 }) })
    expect(agreed).toMatchObject({
      ok: true,
      validation: { verdict: 'warning' },
      issues: [{ message: "'rate' is 1, and must be at most 0" }],
    })
    const other = await asked({ a: says('a', { rate: 1 }), b: warned('b', 1) })
    expect([other.validation?.verdict, other.issues]).toEqual(['success', undefined])
    const believed = await asked({ a: says('a', { rate: 1 }), b: warned('b', 2) }, { resolve: byAuthority('b') })
    expect(believed.issues?.map(({ severity }) => severity)).toEqual(['warning', 'critical'])
  })

  test('of sources that were resolved inside is conditional [V3]', async () => {
    const inner = corroborate(
      { a: says('a', { rate: 1 }), b: says('b', { rate: 2 }) },
      { name: 'inner', description: 'd', fields: { rate: {} } as never, resolve: byAuthority() },
    ) as unknown as AgentTool<string, Said>
    expect(await asked({ inner, c: says('c', { rate: 1 }) })).toMatchObject({ ok: true, validation: { verdict: 'conditional' } })
  })

  test('has the value of a getter that was compared [V1]', async () => {
    let count = 0
    const counts: Said = {
      get rate() {
        return count++
      },
    }
    const result = await asked({ a: says('a', counts), b: says('b', { rate: 0 }) }, { fields: { rate: { within: 100 } } })
    expect(result.ok && [result.value, result.text]).toEqual([
      { rate: expect.any(Number) as number },
      JSON.stringify(result.ok && result.value),
    ])
    expect(result.ok && result.value['rate']).toBe(result.ok && result.value['rate'])
  })
})
