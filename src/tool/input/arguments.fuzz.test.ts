import { type } from 'arktype'
import fc from 'fast-check'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { z } from 'zod'
import { FAILURES } from '../errors/error-codes.ts'
import type { ToolEvent } from '../event.ts'
import { resolve } from '../resolve/resolve.ts'
import type { ToolResult } from '../result/result.ts'
import { tool } from '../tool.ts'
import { isFull } from '../../../test/fixtures/is-full.ts'

/** What the child process found. */
interface Finding {
  readonly texts: number
  readonly calls: number
  readonly succeeded: number
  readonly problems: readonly string[]
  readonly grownBytes: number
  readonly listened: number
}

const GENERATED = isFull ? 10_000 : 1500
const CHUNKS = 20
const SEED = 20_261_115
/** The heap may differ by this much between the middle and the end; a single forgotten text of the large ones would be more. */
const MAX_GROWN_BYTES = 2_000_000
const LONGEST_FAILURE = 4000

const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree).optional()
  },
})

const raw = {
  type: 'object',
  properties: {
    a: { type: 'string', maxLength: 5 },
    n: { type: 'integer', minimum: 0, default: 3 },
    list: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'], additionalProperties: false } },
    either: {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'x' }, v: { type: 'number' } },
          required: ['kind', 'v'],
          additionalProperties: false,
        },
        { type: 'object', properties: { kind: { const: 'y' }, w: { type: ['string', 'null'] } }, required: ['kind'] },
      ],
    },
    children: { type: 'array', items: { $ref: '#' } },
  },
  required: ['a'],
  additionalProperties: false,
}

const describedAs = { description: 'A target of hostile texts.', effect: 'read', execute: (input: unknown) => ({ input }) } as const

const TARGETS = [
  tool({ name: 'text', ...describedAs }),
  tool({
    ...describedAs,
    name: 'zod',
    inputSchema: z.strictObject({
      a: z.string().max(5),
      n: z.int().min(0).default(3),
      list: z.array(z.strictObject({ k: z.string() })).optional(),
      either: z
        .discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('x'), v: z.number() }),
          z.object({ kind: z.literal('y'), w: z.string().nullish() }),
        ])
        .optional(),
      more: z.record(z.string(), z.union([z.number(), z.array(z.string())])).optional(),
    }),
  }),
  tool({ ...describedAs, name: 'zod_tree', inputSchema: Tree }),
  tool({ ...describedAs, name: 'zod_list', inputSchema: z.array(z.union([z.string(), z.object({ a: z.number() })])) }),
  tool({ ...describedAs, name: 'zod_async', inputSchema: z.object({ a: z.string().refine(async (a) => Promise.resolve(a !== 'taken')) }) }),
  tool({
    ...describedAs,
    name: 'valibot',
    inputSchema: v.strictObject({
      a: v.pipe(v.string(), v.maxLength(5)),
      n: v.optional(v.pipe(v.number(), v.integer()), 3),
      list: v.optional(v.array(v.strictObject({ k: v.string() }))),
      either: v.optional(
        v.union([v.object({ kind: v.literal('x'), v: v.number() }), v.object({ kind: v.literal('y'), w: v.nullish(v.string()) })]),
      ),
    }),
  }),
  tool({
    ...describedAs,
    name: 'arktype',
    inputSchema: type({
      '+': 'reject',
      a: 'string <= 5',
      n: 'number.integer = 3',
      'list?': type({ '+': 'reject', k: 'string' }).array(),
      'either?': type({ kind: "'x'", v: 'number' }).or({ kind: "'y'", 'w?': 'string | null' }),
    }),
  }),
  tool({ ...describedAs, name: 'raw', inputSchema: raw }),
  tool({ ...describedAs, name: 'raw_draft_07', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', ...raw } }),
]

const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '\0',
  '\uD800',
  '~standard',
  '$ref',
  '$toolwright',
  'password',
]
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'n', 'list', 'either', 'kind', 'v', 'w', 'k', 'name', 'children', 'input', 'more') },
  fc.constantFrom(...HOSTILE_KEYS),
  fc.string({ maxLength: 6 }),
)

/** Any sixteen bits: half characters among them. */
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes))

/** JSON texts, not values: equal keys, strange numbers and escapes have no value that would be written like them. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(
      '1',
      '-0',
      '1e999',
      '-1e999',
      '1E-999',
      '12345678901234567890',
      '0.1',
      'true',
      'false',
      'null',
      '""',
      '"x"',
      '"y"',
      '"\\u0000"',
      '"\\ud800"',
      '[]',
      '{}',
      'NaN',
      '01',
      '"\n"',
    ),
    units.map((text) => JSON.stringify(text)),
    fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(key, tie('text')), { maxLength: 6 })
      .map((fields) => `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`),
  ),
})).text

/** A good input with a part exchanged. */
const nearly = fc
  .record(
    { a: jsonText, n: jsonText, list: jsonText, either: jsonText, children: jsonText, name: jsonText, extra: jsonText },
    { requiredKeys: [] },
  )
  .map((parts) =>
    `{"a":"x","name":"n",${Object.entries(parts)
      .map(([name, text]) => `"${name}":${text}`)
      .join(',')}`.replace(/,?$/, '}'),
  )

/** A good input with fields that nobody asked for. */
const good = fc
  .tuple(
    fc.constantFrom(
      '"n":5',
      '"n":null',
      '"list":[{"k":"k","z":1}]',
      '"either":{"kind":"x","v":1,"z":null}',
      '"either":{"kind":"y","w":null}',
    ),
    key,
    fc.jsonValue(),
  )
  .map(([field, name, value]) => `{${JSON.stringify(name)}:${JSON.stringify(value)},"a":"x","name":"n",${field}}`)

const broken = fc.tuple(fc.oneof(jsonText, nearly), fc.nat(), fc.nat(5), units).map(([text, at, cut, put]) => {
  const place = text.length === 0 ? 0 : at % text.length
  return text.slice(0, place) + put + text.slice(place + cut)
})

const texts = fc.oneof(
  { weight: 4, arbitrary: nearly },
  { weight: 4, arbitrary: good },
  { weight: 3, arbitrary: jsonText },
  { weight: 2, arbitrary: broken },
  { weight: 1, arbitrary: units },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
)

const repeat = (text: string, times: number): string => text.repeat(times)
const DEEP = 100_000
const MEGABYTE = 1_000_000

function nasties(): readonly string[] {
  return [
    '',
    ' ',
    '\0',
    '\uFEFF',
    '\uFEFF{"a":"x"}',
    '{}',
    '[]',
    'null',
    '"',
    '{',
    '{"a"',
    '{"a":',
    '{"a":"x"',
    '}',
    'undefined',
    '\uD800',
    '{"a":"\uDFFF"}',
    '{"a":1e999,"n":-1e999}',
    '{"a":"x","a":null,"a":5}',
    '{"__proto__":{"polluted":1},"a":"x"}',
    '{"a":"x","list":[{"k":"k","__proto__":{"polluted":1}}]}',
    '{"\\u005f_proto__":{"polluted":1},"a":"x"}',
    '{"constructor":{"prototype":{"polluted":1}},"a":"x"}',
    '{"prototype":{"polluted":1}}',
    '{"input":{"__proto__":{"polluted":1}}}',
    repeat('[', DEEP),
    repeat('[', DEEP) + repeat(']', DEEP),
    repeat('{"a":', DEEP),
    `${repeat('{"a":', DEEP)}1${repeat('}', DEEP)}`,
    `{"a":${repeat('[', DEEP)}${repeat(']', DEEP)}}`,
    `{"input":${repeat('[', DEEP)}${repeat(']', DEEP)}}`,
    `{"__proto__":1,"a":${repeat('[', DEEP)}${repeat(']', DEEP)}}`,
    `${repeat('{"a":"x","name":"n","children":[', DEEP)}${repeat(']}', DEEP)}`,
    `${repeat('{"a":null,"name":null,"children":[', 3000)}${repeat(']}', 3000)}`,
    `{"a":"${repeat('x', MEGABYTE)}"}`,
    `{"a":"${repeat('x', MEGABYTE)}`,
    repeat('x', MEGABYTE),
    `"${repeat('\\ud800', MEGABYTE / 6)}"`,
    `{"${repeat('k', MEGABYTE)}":1,"a":1}`,
    `{"a":"x","list":[${repeat('1,', MEGABYTE / 20)}1]}`,
    `[${repeat('{},', MEGABYTE / 30)}{}]`,
    `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":null`).join(',')}}`,
    `{"a":"x","either":{"kind":"${repeat('z', MEGABYTE)}"}}`,
    `{"password":"${repeat('secret', 1000)}"`,
  ]
}

function problemsIn(result: ToolResult, text: string): string[] {
  if (result.ok) return typeof result.text === 'string' ? [] : [`no text for ${text.slice(0, 100)}`]
  const { code, class: errorClass, message, hint, outcome } = result.error
  const rules: readonly (readonly [boolean, string])[] = [
    [message.trim() !== '', 'no message'],
    [Object.hasOwn(FAILURES, code), `an unknown code ${code}`],
    [typeof errorClass === 'string' && errorClass.length > 0, 'no class'],
    [hint.trim() !== '', 'no hint'],
    [outcome === 'not_started', `the outcome ${outcome}`],
    [result.text.startsWith('Error: '), 'a text that is no error'],
    [result.text.length < LONGEST_FAILURE, `a text of ${result.text.length} characters`],
    [result.text.isWellFormed(), 'half a character'],
  ]
  return rules.filter(([kept]) => !kept).map(([, what]) => `${what}: ${result.text.slice(0, 200)} for ${text.slice(0, 100)}`)
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
const prototypeKeys = (): string => JSON.stringify(PROTOTYPES.map((each) => Reflect.ownKeys(each).map(String)))

async function findProblems(): Promise<Finding> {
  const tools = await resolve(TARGETS)
  const before = prototypeKeys()
  const problems: string[] = []
  let calls = 0
  let succeeded = 0
  let listened = 0
  let count = 0
  const listen = (event: ToolEvent): void => {
    listened += JSON.stringify([event.call.input, event.type === 'call.finished' ? event.text : '']).length > 0 ? 1 : 0
  }
  const send = async (text: string, observed: boolean): Promise<void> => {
    count++
    for (const { name } of TARGETS) {
      try {
        const result = await tools.call(name, text, observed ? { on: listen } : undefined)
        calls++
        if (result.ok) succeeded++
        problems.push(...problemsIn(result, text).map((problem) => `${name}: ${problem}`))
      } catch (error) {
        problems.push(`${name} threw ${String(error)} for ${text.slice(0, 100)}`)
      }
    }
  }
  const heap = (): number => {
    for (let round = 0; round < 4; round++) globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  for (const text of nasties()) await send(text, true)
  let half = 0
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    if (chunk === CHUNKS / 2) half = heap()
    for (const text of fc.sample(texts, { numRuns: GENERATED / CHUNKS, seed: SEED + chunk })) await send(text, count % 10 === 0)
  }
  const grownBytes = heap() - half
  if (prototypeKeys() !== before || 'polluted' in {}) problems.push('a prototype was written to')
  return { texts: count, calls, succeeded, problems: problems.slice(0, 20), grownBytes, listened }
}

function runInChild(): Promise<Finding> {
  return new Promise((settle, reject) => {
    const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--expose-gc'], env: { ...process.env, TOOLWRIGHT_FUZZ: 'child' } })
    child.once('message', (finding) => settle(finding as Finding))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)))
  })
}

if (process.env['TOOLWRIGHT_FUZZ'] === 'child') {
  process.send?.(await findProblems())
  process.disconnect()
} else {
  const { expect, test } = await import('vitest')

  test(
    'ten thousand hostile argument texts all come to a useful result, and leave nothing behind [T2] [T4] [T7]',
    { timeout: 180_000 },
    async () => {
      const { texts: sent, calls, succeeded, problems, grownBytes, listened } = await runInChild()
      expect(problems).toEqual([])
      expect(sent).toBeGreaterThan(GENERATED)
      expect(calls).toBe(sent * TARGETS.length)
      expect(succeeded / calls).toBeGreaterThan(0.25)
      expect(succeeded / calls).toBeLessThan(0.6)
      expect(listened).toBeGreaterThan(1000)
      expect(grownBytes).toBeLessThan(MAX_GROWN_BYTES)
    },
  )
}
