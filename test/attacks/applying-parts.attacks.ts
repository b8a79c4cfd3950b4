/* oxlint-disable unicorn/no-thenable -- the keyword of JSON Schema */
import assert from 'node:assert/strict'
import { tool } from 'toolwright'
import { ask, seen, textsIn } from './ask-person.ts'
import type { Attack } from './attack.ts'

const TEXT = 'rm -rf / # 4711'
const plain = { type: 'string' } as const
const hidden = { type: 'string', sensitive: true } as const
const command = { properties: { command: hidden } }

type Row = readonly [schema: object, input: unknown, before: Attack['before']]

/** Nothing that these schemas call a secret applies to the text. */
const SHOWN: Readonly<Record<string, Row>> = {
  'then without a condition': [{ type: 'object', properties: { command: plain }, then: command }, { command: TEXT }, 'fell'],
  'else without a condition': [{ type: 'object', properties: { command: plain }, else: command }, { command: TEXT }, 'fell'],
  'then of the whole input without a condition': [{ then: { sensitive: true } }, { command: TEXT }, 'fell'],
  'then without a condition, in allOf': [{ allOf: [{ then: { writeOnly: true } }] }, { command: TEXT }, 'fell'],
  'else without a condition, in an option': [{ anyOf: [{ type: 'number' }, { else: { sensitive: true } }] }, { command: TEXT }, 'fell'],
  'then without a condition, in a branch that applies': [{ if: true, then: { then: { sensitive: true } } }, { command: TEXT }, 'fell'],
  'then of a condition that is false': [{ if: false, then: { sensitive: true } }, { command: TEXT }, 'held'],
  'else of a condition that is true': [{ if: true, else: { sensitive: true } }, { command: TEXT }, 'held'],
  'a field that only the client writes, and that is no secret': [
    { type: 'object', properties: { command: { type: 'string', sensitive: false, writeOnly: true } } },
    { command: TEXT },
    'fell',
  ],
  'a schema of what must not be': [{ not: { sensitive: true, type: 'string' } }, { command: TEXT }, 'held'],
  'a schema of what must not be, twice': [{ not: { not: { type: 'object', ...command } } }, { command: TEXT }, 'held'],
  'unevaluated items beside an item that is contained': [{ contains: plain, unevaluatedItems: hidden }, [TEXT], 'fell'],
  'unevaluated items around an option that contains it': [
    { anyOf: [{ contains: plain }, { type: 'number' }], unevaluatedItems: hidden },
    [TEXT],
    'fell',
  ],
  'unevaluated items around others': [{ allOf: [{ unevaluatedItems: plain }], unevaluatedItems: hidden }, [TEXT], 'fell'],
  'unevaluated items around others, in an option': [
    { anyOf: [{ unevaluatedItems: true }, { if: { type: 'object' } }], unevaluatedItems: hidden },
    [TEXT],
    'fell',
  ],
  'unevaluated fields around others': [
    { allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: hidden },
    { command: TEXT },
    'fell',
  ],
  'unevaluated fields around others, by reference': [
    { $ref: '#/$defs/all', unevaluatedProperties: hidden, $defs: { all: { unevaluatedProperties: plain } } },
    { command: TEXT },
    'fell',
  ],
  'unevaluated fields around a condition that names it': [
    { if: { properties: { command: plain } }, unevaluatedProperties: hidden },
    { command: TEXT },
    'held',
  ],
}

/** A schema that applies to the text calls it a secret, though a schema beside it does not. */
const HIDDEN: Readonly<Record<string, Row>> = {
  'a password of which the schema says that it can be read': [
    { type: 'object', properties: { password: { type: 'string', writeOnly: false } } },
    { password: TEXT },
    'fell',
  ],
  'unevaluated fields beside a schema that names it': [
    { allOf: [{ properties: { key: plain } }, { unevaluatedProperties: hidden }] },
    { key: TEXT },
    'fell',
  ],
  'unevaluated fields inside a schema that names it': [
    { properties: { key: plain }, allOf: [{ unevaluatedProperties: hidden }] },
    { key: TEXT },
    'fell',
  ],
  'unevaluated fields of a reference beside a schema that names it': [
    { properties: { key: plain }, $ref: '#/$defs/rest', $defs: { rest: { unevaluatedProperties: hidden } } },
    { key: TEXT },
    'fell',
  ],
  'unevaluated fields of an option beside one that names it': [
    { anyOf: [{ properties: { key: plain } }, { unevaluatedProperties: hidden }] },
    { key: TEXT },
    'fell',
  ],
  'unevaluated fields of a branch inside a schema that takes all': [
    { additionalProperties: plain, if: { required: ['key'] }, then: { unevaluatedProperties: hidden } },
    { key: TEXT },
    'fell',
  ],
  'unevaluated fields around what must not be': [
    { not: { properties: { key: { type: 'number' } } }, unevaluatedProperties: hidden },
    { key: TEXT },
    'held',
  ],
  'unevaluated fields around an option that does not apply': [
    {
      anyOf: [{ properties: { kind: { const: 'a' }, key: plain } }, { properties: { kind: { const: 'b' } } }],
      unevaluatedProperties: hidden,
    },
    { kind: 'b', key: TEXT },
    'fell',
  ],
  'unevaluated items inside a schema of all items': [{ items: plain, allOf: [{ unevaluatedItems: hidden }] }, [TEXT], 'fell'],
  'unevaluated items beside a schema of the first': [{ allOf: [{ prefixItems: [plain] }, { unevaluatedItems: hidden }] }, [TEXT], 'fell'],
  'unevaluated items of a branch inside a schema of the first': [
    { prefixItems: [plain], if: { minItems: 1 }, then: { unevaluatedItems: hidden } },
    [TEXT],
    'fell',
  ],
  'unevaluated items beside another that is contained': [{ contains: { const: 'x' }, unevaluatedItems: hidden }, ['x', TEXT], 'held'],
}

/** Already right in a review, where the options that apply are known. */
const HELD_IN_REVIEWS = ['unevaluated fields around an option that does not apply']

async function isMasked(schema: object, input: unknown): Promise<void> {
  const { request, ran } = await ask(schema, input)
  assert.ok(textsIn(ran).includes(TEXT), 'the secret did not reach the tool: the attack proves nothing')
  assert.ok(!textsIn(request?.input).includes(TEXT), `shown: ${JSON.stringify(request?.input)}`)
}

async function isUnlogged(schema: object, input: unknown): Promise<void> {
  const lines: unknown[] = []
  const log = (...line: unknown[]): void => void lines.push(line)
  const reads = tool({ name: 'reads', description: 'Reads.', inputSchema: schema as never, execute: () => 'done' })
  const result = await reads.call(input as never, { log: { trace: log, debug: log, info: log, warn: log, error: log } })
  assert.ok(result.ok, result.text)
  assert.ok(lines.length > 0, 'nothing was logged: the attack proves nothing')
  assert.ok(!JSON.stringify(lines).includes(TEXT), JSON.stringify(lines))
}

/** Which schemas of an input say something of a part of it. */
export const APPLYING_PARTS_ATTACKS: readonly Attack[] = [
  ...Object.entries(SHOWN).map(([what, [schema, input, before]]): Attack => ({
    name: `a command is hidden by ${what}`,
    before,
    attempt: () => seen(TEXT, schema, input),
  })),
  ...Object.entries(HIDDEN).flatMap(([what, [schema, input, before]]): readonly Attack[] => [
    {
      name: `a secret by ${what} is shown in the review request`,
      before: HELD_IN_REVIEWS.includes(what) ? 'held' : before,
      attempt: () => isMasked(schema, input),
    },
    { name: `a secret by ${what} stands in the log`, before, attempt: () => isUnlogged(schema, input) },
  ]),
]
