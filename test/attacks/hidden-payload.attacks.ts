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

export const HIDDEN_PAYLOAD_ATTACKS: readonly Attack[] = [...undeclared, ...declared, ...lookalikes]
