import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { consoleReview, gate, MASK, type ReviewDecision, type ReviewRequest, tool } from 'toolwright'
import { recordingReview } from 'toolwright/testing'
import { z } from 'zod'
import type { Attack } from './attack.ts'

interface Asked {
  readonly request: ReviewRequest | undefined
  readonly ran: readonly unknown[]
  readonly code: string | undefined
}

interface Setting {
  readonly decision?: ReviewDecision
  readonly secret?: string
  readonly why?: (input: never) => string
}

/** Asks for approval of one call, and tells what the person saw and what ran. */
async function ask(inputSchema: object | undefined, input: unknown, { decision, secret, why }: Setting = {}): Promise<Asked> {
  const ran: unknown[] = []
  const run = tool({
    name: 'run',
    description: 'Runs it.',
    ...(inputSchema === undefined ? {} : { inputSchema: inputSchema as never }),
    execute: (given: unknown) => {
      ran.push(given)
      return 'done'
    },
  })
  const review = recordingReview(...(decision === undefined ? [] : [decision]))
  const gated = gate(run, why === undefined ? {} : { why: why as never })
  if (secret === undefined) {
    const result = await gated.call(input as never, { review })
    return { request: review.requests[0], ran, code: result.ok ? undefined : result.error.code }
  }
  const { compound } = await import('toolwright')
  const whole = compound({
    name: 'whole',
    description: 'Reads a secret, then asks.',
    parts: { gated },
    run: async (_input, context) => {
      await context.secret('KEY')
      return context.call('gated', gated, input as never)
    },
  })
  const result = await whole.call('go' as never, { review, secrets: { get: () => secret } })
  return { request: review.requests[0], ran, code: result.ok ? undefined : result.error.code }
}

/** Every text of a value: names and values. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Map) return [...value].flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap((entry) => entry.flatMap(textsIn)) : []
}

/** The payload reaches the tool, so a person must have seen it whole. */
async function seen(payload: string, inputSchema: object | undefined, input: unknown, setting?: Setting): Promise<void> {
  const { request, ran } = await ask(inputSchema, input, setting)
  assert.ok(request !== undefined, 'nobody was asked')
  assert.ok(
    textsIn(ran).some((text) => text.includes(payload)),
    'the payload did not reach the tool: the attack proves nothing',
  )
  assert.ok(
    textsIn(request.input).some((text) => text.includes(payload)),
    `hidden: ${JSON.stringify(request.input)}`,
  )
}

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

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = PAYLOAD
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

/** An input that no person can see whole runs only if the person saw the payload. */
async function neverUnseen(input: unknown): Promise<void> {
  const { request, ran, code } = await ask(z.any(), input)
  if (ran.length === 0) assert.equal(code, 'input_not_showable')
  else assert.ok(textsIn(request?.input).includes(PAYLOAD), 'it ran unseen')
}

const WRAPS: Readonly<Record<string, (inner: unknown) => unknown>> = {
  objects: (inner) => ({ a: inner }),
  lists: (inner) => [inner],
  'objects in lists': (inner) => [{ a: inner }],
  maps: (inner) => new Map([['a', inner]]),
}

const tooMuch: readonly Attack[] = [
  ...Object.entries(WRAPS).flatMap(([what, wrap]) =>
    [150, 201, 250, 1000, 3000].map((depth): Attack => {
      const isShallow = what === 'objects in lists' ? depth <= 100 : depth <= 201
      return {
        name: `a payload under ${depth} levels of ${what} is approved unseen`,
        before: isShallow ? 'held' : 'fell',
        attempt: () => neverUnseen(nested(depth, wrap)),
      }
    }),
  ),
  {
    name: 'a payload behind an object that contains itself is approved unseen',
    before: 'fell',
    attempt: async () => {
      const input: Record<string, unknown> = {}
      input['self'] = input
      const { ran, code } = await ask(z.any(), input)
      assert.deepEqual([ran.length, code], [0, 'input_not_showable'])
    },
  },
  {
    name: 'a payload behind a getter that throws for the view is approved unseen',
    before: 'held',
    attempt: async () => {
      const input = Object.defineProperty({ a: 1 }, 'b', {
        enumerable: true,
        get: () => {
          throw new Error('No.')
        },
      })
      const { ran } = await ask(z.any(), { input })
      assert.equal(ran.length, 0)
    },
  },
  {
    name: 'a payload after 100,000 objects is approved unseen',
    before: 'fell',
    attempt: () => neverUnseen([...Array.from({ length: 100_100 }, () => ({})), { a: PAYLOAD }]),
  },
]

/** The text that the console prints for an approval. */
async function consoleTextOf(input: string, why?: string): Promise<string> {
  const screen = { input: new PassThrough(), output: new PassThrough() }
  let text = ''
  screen.output.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  const run = tool({
    name: 'run',
    description: 'Runs it.',
    inputSchema: z.string(),
    requireApproval: { why: why ?? 'Run it.' },
    execute: () => 1,
  })
  const result = run.call(input, { review: consoleReview(screen) })
  screen.input.write('n\n')
  await result
  return text
}

const tooLong: readonly Attack[] = [20_001, 30_000, 200_000].flatMap((length): readonly Attack[] => [
  {
    name: `a payload after ${length} characters of one line is not on the console`,
    before: 'fell',
    attempt: async () => assert.ok((await consoleTextOf(`${'x'.repeat(length)}${PAYLOAD}`)).includes(PAYLOAD)),
  },
  {
    name: `a payload after ${length} characters of many lines is not on the console`,
    before: 'fell',
    attempt: async () => assert.ok((await consoleTextOf(`${'x\n'.repeat(length / 2)}${PAYLOAD}`)).includes(PAYLOAD)),
  },
  {
    name: `a reason of ${length} characters is cut on the console`,
    before: 'fell',
    attempt: async () => assert.ok((await consoleTextOf('x', `${'y\n'.repeat(length / 2)}${PAYLOAD}`)).includes(PAYLOAD)),
  },
])

const KEY = 'sk-live-4711-abcdef'

/** With a secret of the provider known, the person sees all of the text but that. */
async function showsWithKey(text: string, view: string, secret = KEY): Promise<void> {
  const { request } = await ask(z.string(), text, { secret })
  assert.equal(request?.input, view)
}

const provider: readonly Attack[] = [
  {
    name: 'a secret of the provider hides the rest of its line',
    before: 'fell',
    attempt: () => showsWithKey(`curl ${KEY} ; rm -rf x`, `curl ${MASK}(19) ; rm -rf x`),
  },
  { name: 'a secret of the provider says nothing of its length', before: 'fell', attempt: () => showsWithKey(KEY, `${MASK}(19)`) },
  {
    name: 'a secret of several lines hides that there are several',
    before: 'fell',
    attempt: () => showsWithKey('a line-one\nline-two b', `a ${MASK}(8)\n${MASK}(8) b`, 'line-one\nline-two'),
  },
  {
    name: 'a secret of several words hides that there are several',
    before: 'fell',
    attempt: () => showsWithKey('say correct horse staple', `say ${MASK}(7) ${MASK}(5) ${MASK}(6)`, 'correct horse staple'),
  },
  {
    name: 'a secret that is written twice hides what is between',
    before: 'fell',
    attempt: () => showsWithKey(`${KEY} rm -rf x ${KEY}`, `${MASK}(19) rm -rf x ${MASK}(19)`),
  },
  {
    name: 'a secret of the provider is shown to the reviewer',
    before: 'held',
    attempt: async () => {
      const { request } = await ask(z.any(), { a: [KEY], [KEY]: 1, b: `x=${KEY}` }, { secret: KEY })
      assert.ok(!JSON.stringify(request).includes(KEY))
    },
  },
  {
    name: 'an edit that leaves the mask in place sends the mask to the tool',
    before: 'held',
    attempt: async () => {
      const { ran } = await ask(
        z.object({ command: z.string(), n: z.number() }),
        { command: `use ${KEY} now`, n: 1 },
        { secret: KEY, decision: { action: 'edit', patch: { n: 2 } } },
      )
      assert.deepEqual(ran, [{ command: `use ${KEY} now`, n: 2 }])
    },
  },
  {
    name: 'a full edit that leaves the counted mask in place sends the mask to the tool',
    before: 'fell',
    attempt: async () => {
      const schema = z.object({ command: z.string(), n: z.number() })
      const { ran } = await ask(
        schema,
        { command: `use ${KEY} now`, n: 1 },
        { secret: KEY, decision: { action: 'edit', input: { command: `use ${MASK}(19) now`, n: 2 } } },
      )
      assert.deepEqual(ran, [{ command: `use ${KEY} now`, n: 2 }])
    },
  },
  {
    name: 'an edit moves the secret of one field to another by its mask',
    before: 'held',
    attempt: async () => {
      const schema = z.object({ command: z.string(), note: z.string() })
      const { ran } = await ask(
        schema,
        { command: `use ${KEY}`, note: 'free' },
        { secret: KEY, decision: { action: 'edit', input: { command: 'use nothing', note: `${MASK}(19)` } } },
      )
      assert.ok(!JSON.stringify(ran).includes(KEY))
    },
  },
]

export const HIDDEN_PAYLOAD_ATTACKS: readonly Attack[] = [...undeclared, ...declared, ...lookalikes, ...tooMuch, ...tooLong, ...provider]
