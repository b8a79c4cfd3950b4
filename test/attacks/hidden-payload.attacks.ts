import assert from 'node:assert/strict'
import { MASK } from 'toolwright'
import { z } from 'zod'
import { ask, seen } from './ask-person.ts'
import type { Attack } from './attack.ts'

const NAMES = ['password', 'token', 'secret', 'apiKey', 'authorization', 'cookie', 'credentials', 'private_key', 'x-api-key']
const Transfer = z.object({ to: z.string(), note: z.string().optional() })
const PAYLOAD = 'mallory-4711'

const undeclared: readonly Attack[] = NAMES.flatMap((name): readonly Attack[] => [
  {
    name: `an undeclared field '${name}' with the value of 'to' masks 'to'`,
    before: 'fell',
    attempt: () => seen(PAYLOAD, Transfer, { to: PAYLOAD, [name]: PAYLOAD }),
  },
  {
    name: `an undeclared list '${name}' masks a part of 'to'`,
    before: 'fell',
    attempt: () => seen(`pay ${PAYLOAD} now`, Transfer, { to: `pay ${PAYLOAD} now`, [name]: [PAYLOAD] }),
  },
  {
    name: `an undeclared field '${name}' of a loose object hides its own value`,
    before: 'fell',
    attempt: () => seen(PAYLOAD, z.looseObject({ to: z.string() }), { to: 'ada', [name]: PAYLOAD }),
  },
  {
    name: `the key '${name}' of a map hides its value`,
    before: 'fell',
    attempt: () => seen(PAYLOAD, z.object({ environment: z.record(z.string(), z.string()) }), { environment: { [name]: PAYLOAD } }),
  },
  {
    name: `a field '${name}' of an input without a schema hides its value`,
    before: 'fell',
    attempt: () => seen(PAYLOAD, z.any(), { [name]: PAYLOAD }),
  },
  {
    name: `a field '${name}' hides a whole object`,
    before: 'fell',
    attempt: () => seen(PAYLOAD, z.object({ body: z.any() }), { body: { [name]: { command: PAYLOAD } } }),
  },
])

const Declared = z.object({ to: z.string(), password: z.string(), pin: z.string().meta({ sensitive: true }).optional() })

const declared: readonly Attack[] = [
  {
    name: 'a declared password with the value of another field masks it',
    before: 'fell',
    attempt: () => seen(PAYLOAD, Declared, { to: PAYLOAD, password: PAYLOAD }),
  },
  {
    name: 'a declared sensitive field with the value of another field masks it',
    before: 'fell',
    attempt: () => seen(PAYLOAD, Declared, { to: PAYLOAD, password: 'x', pin: PAYLOAD }),
  },
  {
    name: 'a declared password that is a word of a command masks the word',
    before: 'fell',
    attempt: () => seen('rm -rf /srv', Declared, { to: 'rm -rf /srv', password: '-rf /' }),
  },
  {
    name: 'a declared password that is written as base64 in a command masks it',
    before: 'held',
    attempt: () => seen('cm0gLXJmIC9zcnY=', Declared, { to: 'echo cm0gLXJmIC9zcnY= | base64 -d | sh', password: 'rm -rf /srv' }),
  },
  {
    name: 'a declared password hides a part of the reason',
    before: 'fell',
    attempt: async () => {
      const { request } = await ask(Declared, { to: PAYLOAD, password: PAYLOAD }, { why: ({ to }: { to: string }) => `Send to ${to}.` })
      assert.equal(request?.why, `Send to ${PAYLOAD}.`)
    },
  },
  {
    name: 'an option of a union that the value is not marks its field as a secret',
    before: 'fell',
    attempt: () =>
      seen(
        PAYLOAD,
        z.union([
          z.object({ kind: z.literal('login'), value: z.string().meta({ sensitive: true }) }),
          z.object({ kind: z.literal('shell'), value: z.string() }),
        ]),
        { kind: 'shell', value: PAYLOAD },
      ),
  },
  {
    name: 'a branch of a condition that does not hold marks a field as a secret',
    before: 'held',
    attempt: () =>
      seen(
        PAYLOAD,
        {
          type: 'object',
          properties: { kind: { type: 'string' }, value: { type: 'string' } },
          if: { properties: { kind: { const: 'login' } } },
          // oxlint-disable-next-line unicorn/no-thenable
          then: { properties: { value: { sensitive: true } } },
        },
        { kind: 'shell', value: PAYLOAD },
      ),
  },
  {
    name: 'a dependent schema whose field is absent marks a field as a secret',
    before: 'held',
    attempt: () =>
      seen(
        PAYLOAD,
        {
          type: 'object',
          properties: { value: { type: 'string' }, login: { type: 'boolean' } },
          dependentSchemas: { login: { properties: { value: { sensitive: true } } } },
        },
        { value: PAYLOAD },
      ),
  },
]

const plain = { type: 'string' } as const
const hidden = { type: 'string', sensitive: true } as const

/** An option that shows the command, and one that would hide it, each with rules of its own for `kind`. */
function union(shows: object, hides: object, more: object = {}): object {
  const option = (kind: object, command: object): object => ({
    type: 'object',
    properties: { kind, command },
    required: ['kind', 'command'],
  })
  return { anyOf: [option(shows, plain), { ...option(hides, hidden), ...more }] }
}

function conditional(condition: object, branch: 'then' | 'else'): object {
  return {
    type: 'object',
    properties: { kind: {}, command: plain },
    required: ['kind', 'command'],
    if: condition,
    [branch]: { properties: { command: hidden } },
  }
}

const COMMAND = 'rm -rf /'
const SHELL = { kind: 'sh', command: COMMAND }

/** By the rule that the value breaks: a schema with a part that would hide the command, and does not apply. */
const NOT_APPLYING: Readonly<Record<string, readonly [schema: object, input: unknown]>> = {
  'the type of a field': [union(plain, { type: 'number' }), SHELL],
  'a pattern': [union(plain, { type: 'string', pattern: '^vault-' }), SHELL],
  'a least length': [union(plain, { type: 'string', minLength: 10 }), SHELL],
  'a maximum': [union({ type: 'number' }, { type: 'number', maximum: 1 }), { ...SHELL, kind: 5 }],
  'a most number of items': [union({ type: 'array' }, { type: 'array', maxItems: 0 }), { ...SHELL, kind: [1] }],
  'a constant deeper inside': [
    union({ type: 'object' }, { type: 'object', properties: { t: { const: 'vault' } }, required: ['t'] }),
    { ...SHELL, kind: { t: 'sh' } },
  ],
  'constants in a union': [union(plain, { anyOf: [{ const: 'a' }, { const: 'b' }] }), SHELL],
  'a constant by reference': [{ ...union(plain, { $ref: '#/$defs/k' }), $defs: { k: { const: 'vault' } } }, SHELL],
  'a constant by reference to an anchor': [{ ...union(plain, { $ref: '#k' }), $defs: { k: { $anchor: 'k', const: 'vault' } } }, SHELL],
  'a constant by reference in a schema with a name': [
    { $id: 'https://example.com/run', ...union(plain, { $ref: 'run#/$defs/k' }), $defs: { k: { const: 'vault' } } },
    SHELL,
  ],
  'the whole schema by reference': [union({}, { $ref: '#' }), SHELL],
  'a constant that must not be': [union(plain, { type: 'string', not: { const: 'sh' } }), SHELL],
  'a least number of fields': [union(plain, plain, { minProperties: 3 }), SHELL],
  'a required field with a default': [
    {
      anyOf: [
        { type: 'object', properties: { command: plain }, required: ['command'] },
        { type: 'object', properties: { kind: { default: 'vault' }, command: hidden }, required: ['kind', 'command'] },
      ],
    },
    { command: COMMAND },
  ],
  'an option beside one that takes anything': [
    { anyOf: [true, { type: 'object', properties: { kind: { type: 'number' }, command: hidden } }] },
    SHELL,
  ],
  'a pattern of a condition': [conditional({ properties: { kind: { pattern: '^vault' } } }, 'then'), SHELL],
  'a type of a condition': [conditional({ properties: { kind: { type: 'number' } } }, 'then'), SHELL],
  'a condition that holds, beside its other branch': [conditional({ properties: { kind: { pattern: '^s' } } }, 'else'), SHELL],
  'a pattern of items that are contained': [
    { type: 'object', properties: { command: { type: 'array', items: plain, contains: { ...hidden, pattern: '^k-' }, minContains: 0 } } },
    { command: [COMMAND] },
  ],
  'an expression of zod': [
    z.union([
      z.object({ kind: z.string(), command: z.string() }),
      z.object({ kind: z.string().regex(/^vault-/), command: z.string().meta({ sensitive: true }) }),
    ]),
    SHELL,
  ],
  'an address of zod': [
    z.union([
      z.object({ kind: z.string(), command: z.string() }),
      z.object({ kind: z.email(), command: z.string().meta({ sensitive: true }) }),
    ]),
    SHELL,
  ],
  'a tag of zod deeper inside': [
    z.union([
      z.object({ kind: z.object({ type: z.literal('host') }), command: z.string() }),
      z.object({ kind: z.object({ type: z.literal('vault') }), command: z.string().meta({ sensitive: true }) }),
    ]),
    { ...SHELL, kind: { type: 'host' } },
  ],
  'a strict object of zod': [
    z.union([
      z.object({ kind: z.string(), extra: z.string(), command: z.string() }),
      z.strictObject({ kind: z.string(), command: z.string().meta({ sensitive: true }) }),
    ]),
    { ...SHELL, extra: 'x' },
  ],
  'the items of a list of zod': [
    z.union([
      z.object({ kind: z.array(z.string()), command: z.string() }),
      z.object({ kind: z.array(z.number()), command: z.string().meta({ sensitive: true }) }),
    ]),
    { ...SHELL, kind: ['a'] },
  ],
  'an expression of a whole text': [z.union([z.string(), z.string().regex(/^k-/).meta({ sensitive: true })]), COMMAND],
  'a type beside a credential that is declared as none': [
    z.union([
      z.object({ kind: z.string(), token: z.string().meta({ sensitive: false }) }),
      z.object({ kind: z.number(), token: z.string() }),
    ]),
    { kind: 'sh', token: COMMAND },
  ],
}

const HELD_BEFORE = ['a required field with a default', 'a type beside a credential that is declared as none']

const notApplying: readonly Attack[] = Object.entries(NOT_APPLYING).map(([rule, [schema, input]]): Attack => ({
  name: `a part of the schema that does not apply hides the command: ${rule}`,
  before: HELD_BEFORE.includes(rule) ? 'held' : 'fell',
  attempt: () => seen(COMMAND, schema, input),
}))

/** Texts that look as if a part of them were a secret. */
const LOOKALIKES: Readonly<Record<Attack['before'], readonly string[]>> = {
  fell: [
    'ls # "token": "\nrm -rf x\n# "',
    '{"password": "rm -rf x"}',
    '{"credentials": {"a": "rm -rf x"}}',
    '"secret": ["rm -rf x", "y"]',
    '"api_key": "rm -rf x',
    '{\\"password\\": \\"rm -rf x\\"}',
    'echo "password": {\nrm -rf x\n}',
  ],
  held: [
    'curl -H "Authorization: Bearer rm${IFS}-rf${IFS}x"',
    'api_key=;rm${IFS}-rf${IFS}x',
    'password="; rm -rf x; "',
    'https://a:rm${IFS}-rf${IFS}x@example.com/',
    'token: `rm -rf x`',
    'x-api-key: rm -rf x',
    'Bearer rm-rf-x-4711',
    'Basic cm0gLXJmIHg=',
    `${MASK} rm -rf x ${MASK}`,
  ],
}

const lookalikes: readonly Attack[] = (['fell', 'held'] as const).flatMap((before) =>
  LOOKALIKES[before].flatMap((text) => disguised(text, before)),
)

function disguised(text: string, before: Attack['before']): readonly Attack[] {
  const name = JSON.stringify(text)
  return [
    {
      name: `a text that looks like a secret hides a command: ${name}`,
      before,
      attempt: () => seen(text, z.object({ command: z.string() }), { command: text }),
    },
    { name: `the same as the whole input: ${name}`, before, attempt: () => seen(text, z.string(), text) },
    {
      name: `the same in the reason: ${name}`,
      before,
      attempt: async () => {
        const { request } = await ask(z.string(), text, { why: (input: string) => `Run ${input}` })
        assert.equal(request?.why, `Run ${text}`)
      },
    },
  ]
}

export const HIDDEN_PAYLOAD_ATTACKS: readonly Attack[] = [...undeclared, ...declared, ...notApplying, ...lookalikes]
