import assert from 'node:assert/strict'
import { type AgentTool, cache, type CallOptions, compound, createRuntime, gate, pipe, tool, ToolError } from 'toolwright'
import { memoryRuns, recordingReview } from 'toolwright/testing'
import { z } from 'zod'
import type { Attack } from './attack.ts'
import { collectingLogger, keeps, OUTLETS } from './outlets.ts'

const NO_EFFECT = { description: 'd', effect: 'read' } as const

/** A tool that reads the secret of the provider and gives a value made of it. A text is reported as progress too. */
function giving(make: (secret: string) => unknown): AgentTool<string, unknown> {
  return tool({
    name: 'give',
    ...NO_EFFECT,
    execute: async (_input: string, { secret, progress }) => {
      const made = make(await secret('KEY'))
      if (typeof made === 'string') progress(made)
      return made
    },
  }) as AgentTool<string, unknown>
}

const KEY = 's3cr3t+/k"y&4711é'

/** One secret in every form in which programs write it. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in JSON': (secret) => JSON.stringify({ note: secret }),
  'in JSON inside JSON': (secret) => JSON.stringify({ note: JSON.stringify({ note: secret }) }),
  'in an address': (secret) => `https://example.com/?k=${encodeURIComponent(secret)}`,
  'in an address with small escapes': (secret) =>
    `k=${encodeURIComponent(secret).replaceAll(/%[\dA-F]{2}/g, (each) => each.toLowerCase())}`,
  'in a form': (secret) => new URLSearchParams({ note: secret }).toString(),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64 for addresses': (secret) => Buffer.from(secret).toString('base64url'),
  'in base64 after a name': (secret) => Buffer.from(`ada:${secret}`).toString('base64'),
  'in base64 after a name and before a mark': (secret) => Buffer.from(`a:${secret}!`).toString('base64'),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in capital hexadecimal': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
}

const PLAIN_FORMS: ReadonlySet<string> = new Set(['as it is', 'in JSON', 'in an address', 'in a form'])

/** A part of the secret in this form. */
function tracesOf(written: string): readonly string[] {
  return [written.includes('s3cr3t') ? 's3cr3t' : written.slice(-20, -4)]
}

const forms: readonly Attack[] = Object.entries(FORMS).flatMap(([what, write]) =>
  Object.keys(OUTLETS).map((outlet): Attack => ({
    name: `a secret of the provider stands ${what} in ${outlet}`,
    before: PLAIN_FORMS.has(what) ? 'held' : 'fell',
    attempt: () =>
      keeps(outlet, {
        call: (options) => giving((secret) => `It was ${write(secret)} .`).call('', { ...options, secrets: { get: () => KEY } }),
        never: tracesOf(write(KEY)),
      }),
  })),
)

/** Objects that keep a secret where no field shows it. */
const HOLDERS: Readonly<Record<string, (secret: string) => unknown>> = {
  'the message of an error': (secret) => ({ error: new Error(`refused ${secret}`) }),
  'the cause of an error': (secret) => ({ error: new Error('refused', { cause: new Error(`by ${secret}`) }) }),
  'the cause of a cause': (secret) => new Error('a', { cause: new Error('b', { cause: { note: secret } }) }),
  'the errors of an error': (secret) => [new AggregateError([new Error(secret)], 'several')],
  'a field of an error': (secret) => Object.assign(new Error('refused'), { body: secret }),
  headers: (secret) => ({ headers: new Headers({ authorization: `Bearer ${Buffer.from(secret).toString('hex')}` }) }),
  'search parameters': (secret) => ({ query: new URLSearchParams({ q: secret }) }),
  'an address': (secret) => ({ url: new URL(`https://example.com/?q=${encodeURIComponent(secret)}`) }),
  'a text as an object': (secret) => ({ text: Object(secret) as object }),
  'the key of a map': (secret) => new Map([[secret, 1]]),
  'a set': (secret) => new Set([secret]),
  'a deep list': (secret) => [[[[{ a: [secret] }]]]],
}

const HELD_HOLDERS: ReadonlySet<string> = new Set(['a field of an error', 'an address', 'the key of a map', 'a set', 'a deep list'])

const holders: readonly Attack[] = Object.entries(HOLDERS).flatMap(([what, hold]) =>
  ['the log', 'events as printed'].map((outlet): Attack => ({
    name: `a secret of the provider is kept by ${what} and stands in ${outlet}`,
    before: HELD_HOLDERS.has(what) ? 'held' : 'fell',
    attempt: () =>
      keeps(outlet, {
        call: (options) => giving(hold).call('', { ...options, secrets: { get: () => 'k-4711-hidden-89' } }),
        never: ['k-4711-hidden-89', Buffer.from('k-4711-hidden-89').toString('hex')],
      }),
  })),
)

/** Texts that show by themselves that they hold a credential. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  'an address with a password': 'connect to postgres://ada:hunter2-x@db.example.com/orders',
  'an address with a token': 'clone https://ghp-hunter2-x-4711-abcdef@example.com/a.git',
  'a bearer token': 'sent Authorization: Bearer hunter2-x',
  'a bearer token in small letters': 'curl -H "authorization: bearer hunter2-x"',
  'basic credentials': 'Authorization: Basic YWRhOmh1bnRlcjIteA==',
  'a parameter api_key': 'GET /v1?api_key=hunter2-x&a=1',
  'a parameter access_token': 'GET /v1?a=1&access_token=hunter2-x',
  'an option --password': 'login --user=ada --password=hunter2-x',
  'a quoted assignment': 'export DB_PASSWORD="hunter2-x y"',
  'a header': 'x-api-key: hunter2-x',
  'a cookie': 'Cookie: session=hunter2-x',
  'a printed object': "{ user: 'ada', password: 'hunter2-x' }",
  'JSON in a text': 'body {"user":"ada","password":"hunter2-x"}',
}

const credentials: readonly Attack[] = Object.entries(CREDENTIALS).flatMap(([what, text]) =>
  ['the log', 'events as JSON', 'the attributes of spans'].map((outlet): Attack => ({
    name: `${what} stands in ${outlet}`,
    before: what === 'JSON in a text' ? 'held' : 'fell',
    attempt: () =>
      keeps(outlet, {
        call: (options) => tool({ name: 'say', ...NO_EFFECT, execute: () => ({ text }) }).call('', options),
        never: ['hunter2-x', 'YWRhOmh1bnRlcjIteA'],
      }),
  })),
)

const SECRET = 'k-4711-applied'
const hidden = { type: 'string', sensitive: true } as const
const shown = { type: 'string' } as const

/** `sensitive` in every place where a schema may say something of a value. */
const APPLICATORS: Readonly<Record<string, readonly [schema: object, input: unknown, before: Attack['before']]>> = {
  properties: [{ type: 'object', properties: { a: hidden } }, { a: SECRET }, 'held'],
  patternProperties: [{ type: 'object', patternProperties: { '^a': hidden } }, { abc: SECRET }, 'fell'],
  additionalProperties: [{ type: 'object', properties: { b: shown }, additionalProperties: hidden }, { b: 'x', c: SECRET }, 'held'],
  unevaluatedProperties: [{ type: 'object', properties: { b: shown }, unevaluatedProperties: hidden }, { b: 'x', c: SECRET }, 'fell'],
  dependentSchemas: [
    { type: 'object', properties: { a: shown, b: shown }, dependentSchemas: { b: { properties: { a: hidden } } } },
    { a: SECRET, b: 'x' },
    'fell',
  ],
  'if and then': [
    // oxlint-disable-next-line unicorn/no-thenable
    { type: 'object', properties: { a: shown, b: shown }, if: { properties: { b: { const: 'x' } } }, then: { properties: { a: hidden } } },
    { a: SECRET, b: 'x' },
    'fell',
  ],
  'if and else': [
    { type: 'object', properties: { a: shown, b: shown }, if: { properties: { b: { const: 'y' } } }, else: { properties: { a: hidden } } },
    { a: SECRET, b: 'x' },
    'fell',
  ],
  items: [{ type: 'object', properties: { a: { type: 'array', items: hidden } } }, { a: [SECRET] }, 'held'],
  prefixItems: [{ type: 'object', properties: { a: { type: 'array', prefixItems: [shown, hidden] } } }, { a: ['x', SECRET] }, 'held'],
  'items after prefixItems': [
    { type: 'object', properties: { a: { type: 'array', prefixItems: [shown], items: hidden } } },
    { a: ['x', SECRET] },
    'held',
  ],
  unevaluatedItems: [
    { type: 'object', properties: { a: { type: 'array', prefixItems: [shown], unevaluatedItems: hidden } } },
    { a: ['x', SECRET] },
    'fell',
  ],
  contains: [{ type: 'object', properties: { a: { type: 'array', contains: hidden } } }, { a: [SECRET] }, 'fell'],
  allOf: [{ type: 'object', allOf: [{ properties: { a: hidden } }] }, { a: SECRET }, 'held'],
  anyOf: [{ type: 'object', properties: { a: { anyOf: [hidden, { type: 'null' }] } } }, { a: SECRET }, 'held'],
  oneOf: [{ type: 'object', properties: { a: { oneOf: [{ type: 'number' }, hidden] } } }, { a: SECRET }, 'held'],
  'the last of 300 options': [
    { type: 'object', properties: { a: { anyOf: [...Array.from({ length: 300 }, (_, n) => ({ const: `v${n}` })), hidden] } } },
    { a: SECRET },
    'fell',
  ],
  'a $ref to a definition': [{ type: 'object', properties: { a: { $ref: '#/$defs/s' } }, $defs: { s: hidden } }, { a: SECRET }, 'held'],
  'a $ref to an $anchor': [
    { type: 'object', properties: { a: { $ref: '#s' } }, $defs: { s: { $anchor: 's', ...hidden } } },
    { a: SECRET },
    'fell',
  ],
  'a $ref to an $id': [
    {
      $id: 'https://example.com/root',
      type: 'object',
      properties: { a: { $ref: 'https://example.com/s' } },
      $defs: { s: { $id: 'https://example.com/s', ...hidden } },
    },
    { a: SECRET },
    'fell',
  ],
  'a $ref to a relative $id': [
    { $id: 'https://example.com/root', type: 'object', properties: { a: { $ref: 's' } }, $defs: { s: { $id: 's', ...hidden } } },
    { a: SECRET },
    'fell',
  ],
  'a $dynamicRef': [
    { $dynamicAnchor: 'node', type: 'object', properties: { note: hidden, next: { $dynamicRef: '#node' } } },
    { next: { note: SECRET } },
    'fell',
  ],
  writeOnly: [{ type: 'object', patternProperties: { '^a': { type: 'string', writeOnly: true } } }, { abc: SECRET }, 'fell'],
  'format password': [{ type: 'object', patternProperties: { '^a': { type: 'string', format: 'password' } } }, { abc: SECRET }, 'fell'],
}

const applicators: readonly Attack[] = Object.entries(APPLICATORS).flatMap(([what, [inputSchema, input, before]]): readonly Attack[] => {
  const reads = tool({ name: 'reads', ...NO_EFFECT, inputSchema: inputSchema as never, execute: () => 'done' }) as AgentTool<
    unknown,
    unknown
  >
  return [
    {
      name: `a field that ${what} marks as a secret stands in the review request`,
      before,
      attempt: async () => {
        const review = recordingReview()
        const result = await gate(reads).call(input as never, { review })
        assert.ok(result.ok, result.text)
        assert.ok(!JSON.stringify(review.requests).includes(SECRET), JSON.stringify(review.requests[0]?.input))
      },
    },
    {
      name: `a field that ${what} marks as a secret stands in the log`,
      before,
      attempt: () => keeps('the log', { call: (options) => reads.call(input as never, options), never: [SECRET] }),
    },
  ]
})

const failures: readonly Attack[] = Object.entries<(secret: string) => Error>({
  'the message of a failure': (secret) => new ToolError(`No entry with ${secret}.`),
  'the hint of a failure': (secret) => new ToolError('No entry.', { hint: `Not with ${secret}.` }),
  'the message of a thrown error': (secret) => new Error(`No entry with ${secret}.`),
  'the message in base64': (secret) => new Error(`No entry with ${Buffer.from(secret).toString('base64')}.`),
}).flatMap(([what, fail]) =>
  ['the result', ...Object.keys(OUTLETS)].map((outlet): Attack => ({
    name: `a secret of the provider stands in ${what} in ${outlet}`,
    before: what === 'the message in base64' && outlet !== 'events as printed' ? 'fell' : 'held',
    attempt: async () => {
      const fails = giving((secret) => {
        throw fail(secret)
      })
      const never = ['k-4711-hidden-89', Buffer.from('k-4711-hidden-89').toString('base64').slice(0, 16)]
      const call = (options: CallOptions): Promise<unknown> => fails.call('', { ...options, secrets: { get: () => 'k-4711-hidden-89' } })
      if (outlet !== 'the result') return keeps(outlet, { call, never })
      const told = JSON.stringify(await call({}))
      for (const each of never) assert.ok(!told.includes(each), told)
    },
  })),
)

const MADE = 'k-4711-made-89'

/** By the way in which validation makes a declared secret: a schema, and an input that does not hold the secret as it is used. */
const MADE_BY: Readonly<Record<string, readonly [schema: object, input: object]>> = {
  'a trim': [z.object({ key: z.string().trim().meta({ sensitive: true }) }), { key: `  ${MADE}  ` }],
  'a transform after the declaration': [
    z.object({
      key: z
        .string()
        .meta({ sensitive: true })
        .transform((text) => Buffer.from(text, 'base64').toString()),
    }),
    { key: Buffer.from(MADE).toString('base64') },
  ],
  'a transform that waits': [
    z.object({
      key: z
        .string()
        .transform((text) => Promise.resolve(text.slice(4)))
        .meta({ sensitive: true }),
    }),
    { key: `key:${MADE}` },
  ],
  'a default': [z.object({ key: z.string().default(MADE).meta({ sensitive: true }) }), {}],
  'a default of a JSON Schema': [{ type: 'object', properties: { key: { type: 'string', sensitive: true, default: MADE } } }, {}],
}

const made: readonly Attack[] = Object.entries(MADE_BY).flatMap(([how, [inputSchema, input]]) =>
  Object.keys(OUTLETS).flatMap((outlet): readonly Attack[] => {
    const refuse = tool({
      name: 'refuse',
      ...NO_EFFECT,
      inputSchema: inputSchema as never,
      execute: ({ key }: { key: string }, { progress }): string => {
        progress(`Look for ${key}.`)
        throw new ToolError(`No entry with ${key}.`)
      },
    }) as AgentTool
    const asked = gate(refuse, { why: (({ key }: { key: string }) => `Look for ${key}?`) as never })
    const tools = { alone: refuse, 'in a cache': cache(refuse, { ttl: '1m' }), 'in a pipe': pipe(refuse) }
    // A request has the schema with it, as a model has: a default is no secret there.
    const all: Readonly<Record<string, AgentTool>> = how.startsWith('a default') ? tools : { ...tools, 'behind a gate': asked }
    return Object.entries(all).map(([where, each]) => ({
      name: `a secret that was made by ${how}, of a tool ${where}, stands in ${outlet}`,
      before: 'fell',
      attempt: () =>
        keeps(outlet, { call: (options) => each.call(input as never, { ...options, review: recordingReview() }), never: [MADE] }),
    }))
  }),
)

/** A durable run that reads a secret, and whose process dies while a person is asked. A second process ends it. */
async function resumed(): Promise<Readonly<Record<string, string>>> {
  const secret = 'k-4711-durable-89'
  const login = tool({
    name: 'login',
    ...NO_EFFECT,
    execute: async (_input: string, context) => `session of ${await context.secret('KEY')}`,
  })
  const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', idempotent: true, execute: (input: string) => input }))
  const fails = tool({
    name: 'fails',
    ...NO_EFFECT,
    execute: (input: string): string => {
      throw new ToolError(`No entry for ${input}.`)
    },
  })
  const first = gate(tool({ name: 'first', ...NO_EFFECT, execute: (input: string) => input }), { why: 'Begin?' })
  const inner = compound({
    name: 'inner',
    description: 'd',
    parts: { login, first, pay, fails },
    run: async (_input: string, { call }) => {
      const session = await call('login', login, 'x')
      await call('first', first, 'x')
      const paid = await call('pay', pay, session.ok ? session.value : '')
      return call('fails', fails, paid.ok ? paid.value : '')
    },
  })
  const order = pipe(inner)
  const runs = memoryRuns()
  const secrets = { get: () => secret }
  const begun = createRuntime({ tools: [order], database: runs, secrets })
  const { id } = await begun.start(order, 'x')
  await runs.idle()
  runs.crash()
  const log: string[] = []
  const events: string[] = []
  const resumes = createRuntime({
    tools: [order],
    database: runs,
    secrets,
    log: collectingLogger(log),
    on: (event) => void events.push(JSON.stringify(event)),
  })
  const opened = await resumes.runs()
  const approveNext = async (): Promise<string> => {
    await runs.idle()
    const [item] = await opened.inbox.list()
    assert.ok(item !== undefined, 'nobody was asked')
    await opened.inbox.approve(item.request.id, 'ada')
    return JSON.stringify(item.request)
  }
  await approveNext()
  const request = await approveNext()
  const run = await resumes.run(id)
  const result = JSON.stringify(await run.result())
  const told: string[] = []
  for await (const event of run.events()) told.push(JSON.stringify(event))
  const outlets = {
    request,
    'error message': result,
    log: log.join('\n'),
    events: events.join('\n'),
    'events of the run': told.join('\n'),
    show: JSON.stringify(await opened.show(id)),
    export: JSON.stringify(await opened.export(id)),
    runs: JSON.stringify(await opened.list()),
    status: JSON.stringify(await run.status()),
  }
  await resumes.close()
  for (const [outlet, all] of Object.entries(outlets)) assert.ok(all.length > 2, `${outlet} told nothing`)
  return outlets
}

const durable: readonly Attack[] = [
  'request',
  'error message',
  'log',
  'events',
  'events of the run',
  'show',
  'export',
  'runs',
  'status',
].map((outlet): Attack => ({
  name: `a secret that was read before a crash stands afterwards in: ${outlet}`,
  before: 'fell',
  attempt: async () => {
    const told = (await resumed())[outlet] ?? ''
    assert.ok(!told.includes('k-4711-durable-89'), told)
  },
}))

export const LEAKED_SECRETS_ATTACKS: readonly Attack[] = [
  ...forms,
  ...holders,
  ...credentials,
  ...applicators,
  ...failures,
  ...made,
  ...durable,
]
