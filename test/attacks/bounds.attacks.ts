import assert from 'node:assert/strict'
import { autoReview, gate, jsonSchema, type StandardSchema, tool } from 'toolwright'
import { z } from 'zod'
import { zooInputs } from '../../bench/zoo-inputs.ts'
import { zooSchemas } from '../../bench/zoo-schemas.ts'
import type { Attack } from './attack.ts'

/** Rows that held before the work was bounded. */
const HELD: ReadonlySet<string> = new Set([
  'edit: json a list of unions, objects',
  'input: arktype a list of unions, 32,000 numbers',
  'input: json a map of lists of texts, a long name and many items',
  'input: json a root of itself, objects 25 deep',
  'input: json a schema of itself, lists',
  'input: json an enum of objects, different objects',
  'input: json dependent schemas, a tree of objects',
  'input: json not of 2 fields, a tree of objects',
  'input: json pattern (?<=a+)b, a long text',
  'input: json pattern (?<=a+)b, spaces',
  'input: json pattern (a*)*b, spaces',
  'input: json pattern (x+x+)+y, a long text',
  'input: json pattern (x+x+)+y, spaces',
  'input: json pattern \\s+$, a long text',
  'input: json pattern ^((?!foo).)*$, a long text',
  'input: json pattern ^((?!foo).)*$, spaces',
  'input: json pattern ^(([a-z])+.)+[A-Z]([a-z])+$, spaces',
  'input: json pattern ^(.*a){12}$, spaces',
  'input: json pattern ^(?!.*\\.\\.)([a-z.]*)[a-z]@([a-z][a-z-]*\\.)+[a-z]{2,}$, a long text',
  'input: json pattern ^(?!.*\\.\\.)([a-z.]*)[a-z]@([a-z][a-z-]*\\.)+[a-z]{2,}$, spaces',
  'input: json pattern ^(?=.*[A-Z])(?=.*\\d).{8,}$, a long text',
  'input: json pattern ^(?=.*[A-Z])(?=.*\\d).{8,}$, spaces',
  'input: json pattern ^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$, spaces',
  'input: json pattern ^(\\w+\\s?)*$, spaces',
  'input: json pattern ^(a+)+$, spaces',
  'input: json pattern ^(a|a)*$, spaces',
  'input: json pattern ^(a|aa)+$, spaces',
  'input: json pattern ^[a-z]+$, a long text',
  'input: json pattern ^[a-z]+$, spaces',
  'input: json patterns of names, a long text',
  'input: json patterns of names, fields',
  'input: json patterns of names, spaces',
  'input: json uniqueItems in uniqueItems, different objects',
  'input: json uniqueItems, different objects',
  'input: valibot a list of 12 options, 32,000 numbers',
  'input: zod a list of 12 options, 32,000 numbers',
  'input: zod a record of lists, a long name and many items',
  'input: zod nested unions, a tree of lists',
  'input: zod union of 4 tagged objects, tagged objects 25 deep',
  'output: json uniqueItems, different objects',
  'secrets in a log: 30 long secrets that begin alike',
  'secrets in a log: 300 secrets that begin alike',
  'secrets in a log: an undeclared field of 30 KB',
  'secrets in a rejection: 30 long secrets that begin alike',
  'taken: 20,000 coerced numbers',
  'taken: 30,000 numbers',
  'taken: 5,000 multiples',
  'taken: a chain 150 deep',
  'taken: a chain 150 deep by zod',
  'taken: a long text',
  'taken: an address',
  'taken: any JSON by JSON Schema',
  'taken: any JSON by zod',
])

/** Twenty times the budget of the bench: the machine may be slow, but nothing multiplies. */
const MOST_MS = 1000

/** The processor time of one piece of work. The load of the machine does not count. */
async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const { user, system } = process.threadCpuUsage()
  await work()
  const spent = process.threadCpuUsage({ user, system })
  return (spent.user + spent.system) / 1000
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const found = all.find((each) => each.name === name)
  if (found === undefined) throw new Error(`There is no '${name}' in the zoo.`)
  return found
}

type Way = (schema: StandardSchema, value: unknown) => Promise<{ readonly ok: boolean; readonly code: string | undefined }>

async function outcome(
  result: PromiseLike<{ readonly ok: boolean; readonly error?: { readonly code: string } | undefined }>,
): ReturnType<Way> {
  const { ok, error } = await result
  return { ok, code: error?.code }
}

/** The ways by which a value of somebody else comes to a schema. */
const WAYS: Readonly<Record<string, Way>> = {
  input: (schema, value) => outcome(tool({ name: 'x', description: 'Takes anything.', inputSchema: schema, execute: () => 1 }).call(value)),
  'model arguments': (schema, value) => {
    const it = tool({ name: 'x', description: 'Takes anything.', inputSchema: schema, execute: () => 1 })
    return it.execute(value as never, {} as never).then(
      () => ({ ok: true, code: undefined }),
      (error: { readonly code: string }) => ({ ok: false, code: error.code }),
    )
  },
  output: (schema, value) =>
    outcome(
      tool({ name: 'x', description: 'Gives anything.', effect: 'read', outputSchema: schema, execute: () => value as never }).call('x'),
    ),
  answer: (schema, value) =>
    outcome(
      tool({
        name: 'x',
        description: 'Asks.',
        execute: (_input: string, context) => context.ask({ question: 'What?', answerSchema: schema }),
      }).call('x', { review: autoReview({ action: 'answer', value }) }),
    ),
  edit: (schema, value) => {
    const it = tool({ name: 'x', description: 'Takes anything.', inputSchema: schema, execute: () => 1 })
    return outcome(gate(it).call({ v: 'text' } as never, { review: autoReview({ action: 'edit', input: value }) }))
  },
}

/** Each schema with the inputs that make it slow, by the way that they come. */
const HELD_BACK: readonly (readonly [schema: string, input: string, way?: string])[] = [
  ...['anyOf', 'oneOf', 'allOf', 'not'].flatMap((word) => [
    [`json ${word} of 2 items`, 'lists 25 deep'] as const,
    [`json ${word} of 4 field`, 'objects 25 deep'] as const,
    [`json ${word} of 2 fields`, 'a tree of objects'] as const,
    [`json ${word} of 2 map`, 'objects 25 deep'] as const,
    [`json ${word} of 2 patterns`, 'objects 25 deep'] as const,
    [`json ${word} of 2 tuple`, 'lists 25 deep'] as const,
    [`json ${word} of 2 contains`, 'lists 25 deep'] as const,
    [`json ${word} of 2 unevaluated`, 'objects 25 deep'] as const,
  ]),
  ['json anyOf of 2 items', 'lists 190 deep'],
  ['json anyOf of 4 items', 'deep lists'],
  ['json anyOf of 4 items', '32,000 numbers'],
  ['json oneOf of 2 items', 'lists 3,000 deep'],
  ['json uniqueItems', 'different objects'],
  ['json uniqueItems in uniqueItems', 'different objects'],
  ['json a list of unions', 'objects'],
  ['json a list of 40 options', 'objects'],
  ['json a map of lists of texts', 'a long name and many items'],
  ['json an enum of 2,000', '32,000 numbers'],
  ['json an enum of objects', 'different objects'],
  ['json lengths under unions', 'a long text far down'],
  ['json dependent schemas', 'a tree of objects'],
  ['json names', 'fields'],
  ['json patterns of names', 'fields'],
  ['json a schema of itself', 'lists'],
  ['json a root of itself', 'objects 25 deep'],
  ['json references in an unknown place', 'lists 25 deep'],
  ['zod union of 2 lists', 'lists 25 deep'],
  ['zod union of 4 objects', 'objects 25 deep'],
  ['zod union of 4 tagged objects', 'tagged objects 25 deep'],
  ['zod union of 6 strict trees', 'a tree of objects'],
  ['zod union of 2 records', 'objects 25 deep'],
  ['zod a list of 12 options', '32,000 numbers'],
  ['zod a record of lists', 'a long name and many items'],
  ['zod nested unions', 'a tree of lists'],
  ['valibot union of 2 lists', 'lists 25 deep'],
  ['valibot union of 4 objects', 'objects 25 deep'],
  ['valibot union of 3 records', 'objects 12 deep'],
  ['valibot union of 6 trees', 'a tree of objects'],
  ['valibot a list of 12 options', '32,000 numbers'],
  ['valibot an intersection', 'lists 25 deep'],
  ['arktype union of 4 objects', 'objects 25 deep'],
  ['arktype union of 3 trees', 'a tree of objects'],
  ['arktype a list of unions', '32,000 numbers'],
  ['json anyOf of 2 items', 'lists 25 deep', 'output'],
  ['json uniqueItems', 'different objects', 'output'],
  ['json a list of unions', 'objects', 'output'],
  ['zod union of 2 lists', 'lists 25 deep', 'output'],
  ['valibot union of 2 lists', 'lists 25 deep', 'output'],
  ['json anyOf of 2 items', 'lists 25 deep', 'answer'],
  ['json a list of unions', 'objects', 'answer'],
  ['zod union of 2 lists', 'lists 25 deep', 'answer'],
  ['json anyOf of 2 items', 'lists 25 deep', 'edit'],
  ['json a list of unions', 'objects', 'edit'],
  ['zod union of 2 lists', 'lists 25 deep', 'edit'],
  ['json anyOf of 2 items', 'lists 25 deep', 'model arguments'],
  ['zod union of 2 lists', 'lists 25 deep', 'model arguments'],
]

const PATTERN_TEXTS = ['a long text', 'spaces'] as const

const patterns = zooSchemas
  .filter(({ name }) => name.startsWith('json pattern'))
  .flatMap(({ name }) => PATTERN_TEXTS.map((text) => [name, text] as const))

const CODES: ReadonlySet<string | undefined> = new Set([undefined, 'invalid_input', 'invalid_output', 'invalid_answer', 'rejected'])

function stall([schemaName, inputName, way = 'input']: (typeof HELD_BACK)[number]): Attack {
  const name = `${way}: ${schemaName}, ${inputName}`
  return {
    name,
    before: HELD.has(name) ? 'held' : 'fell',
    attempt: async () => {
      const { schema } = named(zooSchemas, schemaName)
      const { value } = named(zooInputs, inputName)
      let code: string | undefined
      const spent = await milliseconds(async () => {
        ;({ code } = (await WAYS[way]?.(schema, { v: value })) ?? { code: 'no way' })
      })
      assert.ok(spent < MOST_MS, `${spent} ms`)
      assert.ok(CODES.has(code), code)
    },
  }
}

/** Bounds must not refuse ordinary large inputs. */
const ORDINARY: readonly (readonly [name: string, schema: StandardSchema, value: unknown])[] = [
  [
    '30,000 numbers',
    jsonSchema({ type: 'object', properties: { v: { type: 'array', items: { type: 'number' } } } }),
    list(30_000, () => 1),
  ],
  ['8,000 different objects', jsonSchema({ type: 'object', properties: { v: { uniqueItems: true } } }), list(8000, (n) => ({ a: n }))],
  ['any JSON by zod', z.object({ v: z.json() }), list(5000, (n) => ({ a: [n, null, 'x', true] }))],
  ['any JSON by JSON Schema', jsonSchema(anyJson()), list(5000, (n) => ({ a: [n, null, 'x', true] }))],
  ['a chain 150 deep', jsonSchema(anyJson()), deep(150)],
  ['a chain 150 deep by zod', z.object({ v: z.json() }), deep(150)],
  ['a long text', jsonSchema({ type: 'object', properties: { v: { type: 'string', pattern: '^[a-z]+$' } } }), 'a'.repeat(60_000)],
  ['an address', jsonSchema({ type: 'object', properties: { v: z.toJSONSchema(z.email()) } }), 'ada.lovelace@example.com'],
  ['20,000 coerced numbers', z.object({ v: z.array(z.coerce.number()) }), list(20_000, (n) => String(n))],
  ['5,000 multiples', z.object({ v: z.array(z.number().multipleOf(0.1)) }), list(5000, () => 0.3)],
]

function list(count: number, item: (index: number) => unknown): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => item(index))
}

function deep(depth: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

function anyJson(): Readonly<Record<string, unknown>> {
  const self = { $ref: '#/$defs/json' }
  const scalars = ['string', 'number', 'boolean', 'null'].map((type) => ({ type }))
  const json = { anyOf: [...scalars, { type: 'array', items: self }, { type: 'object', additionalProperties: self }] }
  return { type: 'object', properties: { v: self }, $defs: { json } }
}

function acceptance([name, schema, value]: (typeof ORDINARY)[number]): Attack {
  return {
    name: `taken: ${name}`,
    before: HELD.has(`taken: ${name}`) ? 'held' : 'fell',
    attempt: async () => {
      const it = tool({ name: 'x', description: 'Counts.', inputSchema: schema, execute: () => 1 })
      let text = ''
      const spent = await milliseconds(async () => {
        ;({ text } = await it.call({ v: value } as never))
      })
      assert.equal(text, '1')
      assert.ok(spent < MOST_MS, `${spent} ms`)
    },
  }
}

const LOG = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const SENSITIVE = z.object({ s: z.array(z.string().meta({ sensitive: true })), x: z.string() })

/** Inputs with secrets that resemble the rest of the input. */
const SECRETS: readonly (readonly [name: string, schema: StandardSchema, value: unknown])[] = [
  ['an undeclared field of 20 KB', z.object({ x: z.string() }), { x: 'a'.repeat(42_000), password: `${'a'.repeat(20_000)}b` }],
  ['an undeclared field of 30 KB', z.object({ x: z.string() }), { x: 'a'.repeat(32_000), password: `${'a'.repeat(30_000)}b` }],
  ['a declared secret of 15 KB', SENSITIVE, { s: [`${'a'.repeat(15_000)}b`], x: 'a'.repeat(45_000) }],
  ['300 secrets that begin alike', SENSITIVE, { s: list(300, (n) => `${'a'.repeat(100)}${n}`), x: 'a'.repeat(30_000) }],
  ['30 long secrets that begin alike', SENSITIVE, { s: list(30, (n) => `${'a'.repeat(1000)}${n}`), x: 'a'.repeat(30_000) }],
]

/** The second ends the call with a rejection, and nobody logs it. */
function search([name, schema, value]: (typeof SECRETS)[number]): readonly Attack[] {
  const it = tool({ name: 'x', description: 'Takes anything.', inputSchema: schema, execute: () => 1 })
  return [
    {
      name: `secrets in a log: ${name}`,
      before: HELD.has(`secrets in a log: ${name}`) ? 'held' : 'fell',
      attempt: async () => {
        const spent = await milliseconds(async () => it.call(value as never, { log: LOG }))
        assert.ok(spent < MOST_MS, `${spent} ms`)
      },
    },
    {
      name: `secrets in a rejection: ${name}`,
      before: HELD.has(`secrets in a rejection: ${name}`) ? 'held' : 'fell',
      attempt: async () => {
        let message = ''
        const spent = await milliseconds(async () => {
          const result = await gate(it).call(value as never, { review: autoReview({ action: 'reject' }) })
          message = result.ok ? '' : result.error.message
        })
        assert.ok(spent < MOST_MS, `${spent} ms`)
        assert.match(message, /^Rejected by reviewer/)
        assert.ok(message.length < 1200, `${message.length} characters`)
      },
    },
  ]
}

const HIDDEN = '\u2022'.repeat(6)

function record(count: number, entry: (index: number) => readonly [string, unknown]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(list(count, entry) as readonly (readonly [string, unknown])[])
}

/** Edits with masks that resemble everything in the input, or nothing. */
const EDITS: readonly (readonly [name: string, value: unknown, edited: unknown])[] = [
  ['2,000 hidden names', record(2000, (n) => [`k${n}`, 'v']), record(2000, (n) => [`${HIDDEN}(${n})`, 'v'])],
  ['4,000 other names', record(4000, (n) => [`k${n}`, 'v']), record(4000, (n) => [`z${n}`, 'v'])],
  ['4,000 masked texts', list(4000, (n) => `a${n}`), list(4000, (n) => `b${HIDDEN}${n}`)],
  ['3,000 changed objects', list(3000, (n) => ({ n, p: `p${n}` })), list(3000, (n) => ({ n: -n - 1, p: HIDDEN }))],
  ['a long part between masks', 'a'.repeat(120_000), `${HIDDEN}${'a'.repeat(30_000)}b${'a'.repeat(30_000)}${HIDDEN}`],
]

function edit([name, value, edited]: (typeof EDITS)[number]): Attack {
  return {
    name: `masks in an edit: ${name}`,
    before: HELD.has(`masks in an edit: ${name}`) ? 'held' : 'fell',
    attempt: async () => {
      const it = tool({ name: 'x', description: 'Takes anything.', inputSchema: z.object({ v: z.any() }), execute: () => 1 })
      let text = ''
      const spent = await milliseconds(async () => {
        ;({ text } = await gate(it).call({ v: value }, { review: autoReview({ action: 'edit', input: { v: edited } }) }))
      })
      assert.equal(text, '1')
      assert.ok(spent < MOST_MS, `${spent} ms`)
    },
  }
}

/** Bounded search must still give each item its own secret. */
const MOVED: Attack = {
  name: 'masks in an edit: each of 3,000 moved objects keeps its secret',
  before: 'fell',
  attempt: async () => {
    const inputSchema = z.object({ v: z.array(z.object({ n: z.number(), p: z.string().meta({ sensitive: true }) })) })
    const it = tool({ name: 'x', description: 'Tells.', inputSchema, execute: ({ v }) => v.every(({ n, p }) => p === `p${n}`) })
    const value = Array.from({ length: 3000 }, (_, n) => ({ n, p: `p${n}` }))
    const edited = value.toReversed().map(({ n }) => ({ n, p: HIDDEN }))
    let text = ''
    const spent = await milliseconds(async () => {
      ;({ text } = await gate(it).call({ v: value }, { review: autoReview({ action: 'edit', input: { v: edited } }) }))
    })
    assert.equal(text, 'true')
    assert.ok(spent < MOST_MS, `${spent} ms`)
  },
}

/** Small inputs that keep the process busy. */
export const BOUNDS_ATTACKS: readonly Attack[] = [
  ...[...HELD_BACK, ...patterns].map(stall),
  ...ORDINARY.map(acceptance),
  ...SECRETS.flatMap(search),
  ...EDITS.map(edit),
  MOVED,
]
