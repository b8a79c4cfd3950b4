import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { map } from '../combinators/map/map.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { quorum } from '../combinators/parallel/join.ts'
import { ToolPipeline } from '../combinators/pipe/tool-pipeline.ts'
import type { AnySchema } from '../schema/schema-types.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'
import type { Finding } from './finding.ts'

const sequence = ToolPipeline.of as unknown as (...steps: readonly AgentTool<never, never>[]) => AgentTool<never, never>

function taker(name: string, inputSchema: AnySchema): AgentTool<never, never> {
  return tool({ name, description: 'd', inputSchema, effect: 'read', execute: () => ({}) }) as never
}

function giver(outputSchema: AnySchema): AgentTool<never, never> {
  return tool({ name: 'give', description: 'd', outputSchema, effect: 'read', execute: () => ({}) as never }) as never
}

function edges(whole: AgentTool<never, never>): readonly Finding[] {
  return check(whole).filter(({ code }) => code.startsWith('edge'))
}

function edge(gives: AnySchema, takes: AnySchema): string {
  const [finding] = edges(sequence(giver(gives), taker('take', takes)))
  return finding === undefined ? 'fits' : `${finding.severity} ${finding.field ?? '-'} ${finding.message.replace(/^.*?: /, '')}`
}

const x = (field: z.ZodType): AnySchema => z.object({ x: field })
const vx = (field: v.GenericSchema): AnySchema => v.object({ x: field })
const text = x(z.string())

type Row = readonly [what: string, gives: AnySchema, takes: AnySchema, why: string]

const ASKS_MORE: readonly Row[] = [
  ['a refinement of a field', text, x(z.string().refine(() => true)), "a refinement at 'x'"],
  ['a refinement of the whole', text, z.object({ x: z.string() }).superRefine(() => {}), 'a refinement,'],
  ['a check', text, x(z.string().check(() => {})), "a refinement at 'x'"],
  ['a refinement in a list', x(z.array(z.string())), x(z.array(z.string().refine(() => true)).optional()), "a refinement at 'x[]'"],
  ['a transform', text, x(z.string().transform(Number)), "a transform at 'x'"],
  ['a coercion behind a text', text, x(z.string().pipe(z.coerce.number())), "a second schema behind the first at 'x'"],
  ['a codec', text, x(z.stringbool()), "a transform at 'x'"],
  ['a date', text, x(z.coerce.date()), "the type date, which JSON has not at 'x'"],
  ['a class', text, z.instanceof(Date), 'a check of its own,'],
  ['a custom check', text, x(z.custom<string>(() => true)), "a check of its own at 'x'"],
  ['a length after trimming', x(z.string().min(1)), x(z.string().trim().min(1)), "a transform at 'x'"],
  ['a pattern after lower case', x(z.string().regex(/^a$/)), x(z.string().toLowerCase().regex(/^a$/)), "a transform at 'x'"],
  ['a pattern with a flag', x(z.string().regex(/^a$/)), x(z.string().regex(/^a$/i)), "a pattern with the flag i at 'x'"],
  ['a URL with a protocol', x(z.url()), x(z.url({ protocol: /^https$/ })), "the format url with options at 'x'"],
  ['a token with an algorithm', x(z.jwt()), x(z.jwt({ alg: 'HS256' })), "the format jwt with options at 'x'"],
  [
    'a URL of another library',
    { type: 'object', properties: { x: { type: 'string', format: 'uri' } }, required: ['x'] },
    x(z.url()),
    "the format url at 'x'",
  ],
  [
    'a check of valibot',
    text,
    vx(
      v.pipe(
        v.string(),
        v.check(() => true),
      ),
    ),
    "a check of its own at 'x'",
  ],
  [
    'a raw check of valibot',
    text,
    vx(
      v.pipe(
        v.string(),
        v.rawCheck(() => {}),
      ),
    ),
    "a check of its own at 'x'",
  ],
  ['a transform of valibot', text, vx(v.pipe(v.string(), v.transform(Number))), "a transform at 'x'"],
  ['a narrowing of arktype', text, type({ x: type('string').narrow(() => true) }), 'a narrowing,'],
  ['a morph of arktype', text, type({ x: type('string').pipe((s) => s.length) }), 'a transform,'],
]

describe('a schema that asks for more than its JSON Schema shows', () => {
  test.each(ASKS_MORE)('leaves open what it takes: %s [C5]', (_what, gives, takes, why) => {
    const told = edge(gives, takes)
    expect(told).toMatch(/^note /)
    expect(told).toContain(`the schema of 'take' has ${why}`)
  })

  test('leaves a text open too, and a list, and the branches of a parallel tool [C5]', () => {
    const refined = taker(
      'take',
      z.string().refine(() => true),
    )
    expect(edges(sequence(giver(z.string()), refined))).toMatchObject([{ code: 'edge_unknown', path: 'give_then_take/take' }])
    const listed = taker('take', x(z.string().refine(() => true)))
    expect(edges(sequence(giver(z.array(z.object({ x: z.string() })).max(5)), map(listed) as never))).toMatchObject([
      { code: 'edge_unknown', path: 'give_then_map_take/map_take', field: '[].x' },
    ])
    const both = parallel({ a: listed, b: taker('other', text) } as never, { name: 'both' }) as AgentTool<never, never>
    expect(edges(sequence(giver(text), both))).toMatchObject([{ code: 'edge_unknown', path: 'give_then_both/both', field: 'x' }])
  })

  test('fits what has passed the same check, wherever it is shared [C5]', () => {
    const Even = z.number().refine((n) => n % 2 === 0)
    const Shared = z.object({ n: Even, url: z.url(), list: z.array(Even) })
    expect(edge(Shared, Shared)).toBe('fits')
    expect(edge(Shared, z.object({ n: Even.optional(), url: z.url() }))).toBe('fits')
    expect(edge(z.object({ n: z.number(), list: z.array(Even) }), z.object({ n: Even }))).toContain('a refinement')
    expect(edge(x(z.union([z.string(), Even])), x(z.union([z.string(), Even])))).toContain('a refinement')
    expect(edge(x(z.httpUrl()), x(z.url()))).toBe('fits')
    const checked = v.pipe(
      v.string(),
      v.check(() => true),
    )
    expect(edge(vx(checked), vx(checked))).toBe('fits')
    const narrowed = type({ x: type('string').narrow(() => true) })
    expect(edge(narrowed, narrowed)).toBe('fits')
  })

  test('does not count a check that was made before the value was changed [C5]', () => {
    const Short = z.string().refine((s) => s.length < 5)
    expect(edge(x(Short.overwrite((s) => `${s}${s}`)), x(Short))).toContain('a refinement')
    expect(edge(x(Short.transform((s) => `${s}${s}`).pipe(z.string())), x(Short))).toContain('a refinement')
  })

  test('takes a pattern with a flag for no promise of the same without [C5]', () => {
    expect(edge(x(z.string().regex(/^a$/i)), x(z.string().regex(/^a$/)))).toContain("the schema of 'give' has a pattern with the flag i")
  })
})

describe('a schema that asks for no more than its JSON Schema shows', () => {
  test.each<readonly [string, AnySchema, AnySchema]>([
    ['a default', z.object({}), x(z.string().default('a'))],
    ['bounds, patterns and lists', x(z.string().min(2).regex(/^a/)), x(z.string().min(1).regex(/^a/))],
    ['a text that is trimmed last', text, x(z.string().trim())],
    ['a brand', text, x(z.string().brand('x'))],
    [
      'one that refers to itself',
      text,
      z
        .object({
          x: z.string(),
          get next() {
            return z.object({ x: z.string() }).optional()
          },
        })
        .catchall(z.never()),
    ],
    ['formats with a pattern', x(z.email()), x(z.email())],
    ['lengths of valibot', vx(v.pipe(v.string(), v.minLength(2))), vx(v.pipe(v.string(), v.minLength(1), v.trim()))],
  ])('fits as it did: %s [C5]', (_what, gives, takes) => {
    expect(edge(gives, takes)).toBe('fits')
  })
})

describe('a schema that takes more than its JSON Schema shows', () => {
  test.each<readonly [string, AnySchema, AnySchema, string]>([
    ['a coerced boolean', text, x(z.coerce.boolean()), 'a coercion'],
    ['a coerced text', x(z.number()), x(z.coerce.string()), 'a coercion'],
    ['a caught number', text, x(z.number().catch(3)), 'a catch'],
    ['a fallback of valibot', text, vx(v.fallback(v.number(), 3)), 'a fallback'],
    ['what is rounded first', x(z.number()), x(z.number().overwrite(Math.round).int()), 'a transform'],
  ])('leaves a misfit open: %s [C5]', (_what, gives, takes, why) => {
    expect(edge(gives, takes)).toMatch(new RegExp(`^note x .*but the schema of 'take' has ${why}, and may take it`))
  })

  test('says nothing about the misfits of other fields [C5]', () => {
    expect(edge(z.object({ a: z.string(), b: z.string() }), z.object({ a: z.coerce.number(), b: z.string().max(3) }))).toMatch(/^note a/)
    expect(edge(z.object({ a: z.number(), b: z.string() }), z.object({ a: z.coerce.number(), b: z.number() }))).toMatch(/^error b/)
  })
})

describe('a branch that does not take what is given', () => {
  const give = giver(z.object({ a: z.string() }))
  const race = (count: number): AgentTool<never, never> =>
    parallel({ a: taker('need_a', z.object({ a: z.string() })), b: taker('need_b', z.object({ b: z.string() })) } as never, {
      name: 'race',
      join: quorum({ count }),
    }) as AgentTool<never, never>

  test('is a warning where the others are enough [C5]', () => {
    expect(edges(sequence(give, race(1)))).toEqual([
      {
        severity: 'warning',
        code: 'edge_does_not_fit',
        path: 'give_then_race/race/b',
        field: 'b',
        message: "'b' in 'race' does not take what 'give' gives, and will fail: 'b' is never given, but is required.",
        hint: "'race' can do without it. Leave it out, or give it an input of its own.",
      },
    ])
  })

  test('is an error where it is needed [C5]', () => {
    expect(edges(sequence(give, race(2)))).toMatchObject([{ severity: 'error', code: 'edge_does_not_fit', path: 'give_then_race/race' }])
  })
})
