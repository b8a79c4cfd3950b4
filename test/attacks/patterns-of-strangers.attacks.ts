import assert from 'node:assert/strict'
import { autoReview, check, gate, jsonSchema, pipe, type StandardSchema, tool } from 'toolwright'
import { dialect } from '../../src/schema/dialects/dialect.ts'
import type { JsonSchema } from '../../src/schema/json-schema.ts'
import type { Attack } from './attack.ts'

/** Twenty times the budget of the bench: the machine may be slow, but nothing multiplies. */
const MOST_MS = 1000

/** The processor time of one piece of work. The load of the machine does not count. */
async function milliseconds(work: () => unknown): Promise<number> {
  const { user, system } = process.threadCpuUsage()
  await work()
  const spent = process.threadCpuUsage({ user, system })
  return (spent.user + spent.system) / 1000
}

function attack(name: string, work: () => unknown, before: Attack['before'] = 'fell'): Attack {
  return {
    name,
    before,
    attempt: async () => {
      const spent = await milliseconds(work)
      assert.ok(spent < MOST_MS, `${spent} ms`)
    },
  }
}

/** Patterns on which the engine of JavaScript tries all ways, each with a name of some 30 or 40 characters. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^(a|aa)+$': `${'a'.repeat(42)}!`,
  '^(a+)+$': `${'a'.repeat(28)}!`,
  '^(\\w|a)*$': `${'a'.repeat(28)}!`,
  '(x+x+)+y': 'x'.repeat(30),
  '^([a-z]|[^!])+$': `${'a'.repeat(28)}!`,
}

const LOG = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const taking = (schema: JsonSchema) =>
  tool({ name: 'x', description: 'Takes anything.', inputSchema: jsonSchema(schema) as StandardSchema, execute: () => 1 })

/** Where the fields are that the pattern names. */
const SCHEMAS: Readonly<Record<string, (pattern: string) => JsonSchema>> = {
  fields: (pattern) => ({ type: 'object', patternProperties: { [pattern]: { sensitive: true } } }),
  'fields of an option': (pattern) => ({
    anyOf: [{ type: 'object', patternProperties: { [pattern]: { sensitive: true } } }, { type: 'object' }],
  }),
}

const names: readonly Attack[] = Object.entries(PATTERNS).flatMap(([pattern, name]) =>
  Object.entries(SCHEMAS).flatMap(([where, schema]) => {
    const it = taking(schema(pattern))
    return [
      attack(`a log of ${where} that ${pattern} names`, () => it.call({ [name]: 'v' } as never, { log: LOG })),
      attack(`a review of ${where} that ${pattern} names`, () => gate(it).call({ [name]: 'v' } as never, { review: autoReview() })),
    ]
  }),
)

/** Far more states than a name has characters: linear in each, and still too many together. */
const LARGE: JsonSchema = { type: 'object', patternProperties: { '(a{0,900}b){0,3}c$': { sensitive: true } } }
const longNames = { ['a'.repeat(60_000)]: 'v' }

const large: readonly Attack[] = [
  attack('a log of a long name that a large pattern names', () => taking(LARGE).call(longNames as never, { log: LOG }), 'held'),
]

/** A pattern beside a format is compared with values of the format. */
const conversions: readonly Attack[] = (
  [
    ['openai-strict', 'fell'],
    ['anthropic-strict', 'fell'],
    ['gemini', 'held'],
    ['mcp', 'held'],
  ] as const
).map(([target, before]) =>
  attack(
    `a schema with a slow pattern beside its format is written for ${target}`,
    () =>
      dialect(
        { type: 'object', properties: { v: { type: 'string', format: 'uuid', pattern: '^(.|..|....)+!$' } }, required: ['v'] },
        target,
      ),
    before,
  ),
)

const constant = tool({
  name: 'constant',
  description: 'Gives one text.',
  effect: 'read',
  outputSchema: jsonSchema({ type: 'string', const: `${'a'.repeat(42)}!` }) as StandardSchema,
  execute: () => 'a' as never,
})

const checks: readonly Attack[] = [
  attack('a check of an edge compares a text with a slow pattern', () =>
    check(pipe(constant, taking({ type: 'string', pattern: '^(a|aa)+$' }) as never) as never),
  ),
]

/** References that begin at the outermost schema. They were followed without end for each item. */
const ENDLESS: Readonly<Record<string, JsonSchema>> = {
  'a dynamic reference': {
    $dynamicAnchor: 'n',
    type: 'array',
    items: { anyOf: [{ $dynamicRef: '#n' }, { type: 'number', sensitive: true }, {}] },
  },
  'a dynamic reference without its anchor': {
    type: 'array',
    items: { anyOf: [{ $dynamicRef: '#n' }, { sensitive: true, maxLength: 1 }, {}] },
  },
  'a recursive reference': { type: 'array', items: { anyOf: [{ $recursiveRef: '#' }, { type: 'number', sensitive: true }, {}] } },
}

const endless: readonly Attack[] = Object.entries(ENDLESS).map(([name, schema]) =>
  attack(`a review of 1,000 items that could be ${name}`, () =>
    gate(taking({ type: 'object', properties: { v: schema } })).call({ v: Array.from({ length: 1000 }, (_, n) => [`a${n}`]) } as never, {
      review: autoReview(),
    }),
  ),
)

export const PATTERNS_OF_STRANGERS_ATTACKS: readonly Attack[] = [...names, ...large, ...conversions, ...checks, ...endless]
