import assert from 'node:assert/strict'
import { type AgentTool, type CallOptions, compound, createInbox, gate, pipe, tool, ToolError } from 'toolwright'
import { recordingReview } from 'toolwright/testing'
import * as v from 'valibot'
import { z } from 'zod'
import type { Attack } from './attack.ts'
import { DURABLE_OUTLETS, durably } from './durable-outlets.ts'
import { keeps, OUTLETS } from './outlets.ts'

const SECRET = 'k-4711-answered+/89'
const NO_EFFECT = { description: 'd', effect: 'read' } as const

/** How a question marks its answer as a secret, the answer of the person, and the secret in the answer that the tool gets. */
const MARKED: Readonly<Record<string, readonly [answerSchema: object, answer: unknown, read: (answer: never) => string]>> = {
  'a declared field': [z.object({ mark: z.string().meta({ sensitive: true }) }), { mark: SECRET }, ({ mark }: { mark: string }) => mark],
  'a field with the name of a credential': [
    z.object({ password: z.string() }),
    { password: SECRET },
    (given: { password: string }) => given.password,
  ],
  'a field of valibot with the name of a credential': [
    v.object({ apiKey: v.string() }),
    { apiKey: SECRET },
    (given: { apiKey: string }) => given.apiKey,
  ],
  'a field that JSON Schema declares as writeOnly': [
    { type: 'object', properties: { mark: { type: 'string', writeOnly: true } } },
    { mark: SECRET },
    ({ mark }: { mark: string }) => mark,
  ],
  'a whole answer': [z.string().meta({ sensitive: true }), SECRET, (given: string) => given],
  'a field that validation trims': [
    z.object({ mark: z.string().trim().meta({ sensitive: true }) }),
    { mark: `  ${SECRET}  ` },
    ({ mark }: { mark: string }) => mark,
  ],
  'a field that validation decodes': [
    z.object({
      mark: z
        .string()
        .meta({ sensitive: true })
        .transform((text) => Buffer.from(text, 'base64').toString()),
    }),
    { mark: Buffer.from(SECRET).toString('base64') },
    ({ mark }: { mark: string }) => mark,
  ],
}

const fails = tool({
  name: 'fails',
  ...NO_EFFECT,
  execute: (input: string): string => {
    throw new ToolError(`No entry for ${input}.`)
  },
})

const says = tool({ name: 'says', ...NO_EFFECT, execute: (input: string) => `It is ${input}.` })

/** How an answer goes on after it was given. */
type Way = (secret: string, context: { readonly call: (label: string, tool: AgentTool, input: string) => Promise<unknown> }) => unknown

const WAYS: Readonly<Record<string, Way>> = {
  'the message of a failure': (secret) => {
    throw new ToolError(`No entry with ${secret}.`)
  },
  'the result': (secret) => `session of ${secret}`,
  'the input of a later call that fails': (secret, { call }) => call('fails', fails, secret),
  'the output of a later call': (secret, { call }) => call('says', says, secret),
}

/** A tool that asks, and goes on with the answer. */
function asking(
  schema: object,
  { read, way }: { readonly read: (answer: never) => string; readonly way: Way },
): AgentTool<string, unknown> {
  return compound({
    name: 'asking',
    ...NO_EFFECT,
    parts: { fails, says },
    run: async (_input: string, context) => {
      const answer: unknown = await context.ask({ question: 'With what?', answerSchema: schema as never })
      const secret = read(answer as never)
      context.progress(`Goes on with ${secret}.`)
      return way(secret, context as never) as never
    },
  }) as AgentTool<string, unknown>
}

const inMemory: readonly Attack[] = Object.entries(MARKED).flatMap(([what, [schema, answer, read]]) =>
  Object.entries(WAYS).flatMap(([where, way]) =>
    Object.keys(OUTLETS).map((outlet): Attack => ({
      name: `${what} of an answer stands in ${where} in ${outlet}`,
      before: 'fell',
      attempt: () =>
        keeps(outlet, {
          call: (options) =>
            asking(schema, { read, way }).call('go', { ...options, review: recordingReview({ action: 'answer', value: answer }) }),
          never: [SECRET, encodeURIComponent(SECRET)],
        }),
    })),
  ),
)

const login = asking(z.object({ mark: z.string().meta({ sensitive: true }) }), {
  read: ({ mark }: { mark: string }) => mark,
  way: (mark) => `session ${mark}`,
})

/** Calls that are neither the asking one nor inside it. */
const ELSEWHERE: Readonly<Record<string, AgentTool<string, unknown>>> = {
  'the next step of a pipe': pipe(login, fails as never) as AgentTool<string, unknown>,
  'the sibling in a compound': compound({
    name: 'both',
    ...NO_EFFECT,
    parts: { login, fails },
    run: async (_input: string, { call }) => {
      const session = await call('login', login, 'go')
      return call('fails', fails, session.ok ? String(session.value) : '')
    },
  }) as AgentTool<string, unknown>,
  'the request of a later gate': pipe(login, gate(says as never)) as AgentTool<string, unknown>,
}

const elsewhere: readonly Attack[] = Object.entries(ELSEWHERE).flatMap(([where, each]) =>
  Object.keys(OUTLETS).map((outlet): Attack => ({
    name: `the secret of an answer stands in ${where} in ${outlet}`,
    before: 'fell',
    attempt: () =>
      keeps(outlet, {
        call: (options: CallOptions) =>
          each.call('go', {
            ...options,
            review: recordingReview(({ kind }) =>
              kind === 'question' ? { action: 'answer', value: { mark: SECRET } } : { action: 'continue' },
            ),
          }),
        never: [SECRET],
      }),
  })),
)

const misfits: readonly Attack[] = Object.keys(OUTLETS).map((outlet) => ({
  name: `an answer that does not fit is repeated in ${outlet}`,
  before: outlet === 'events as printed' ? 'held' : 'fell',
  attempt: () =>
    keeps(outlet, {
      call: (options) =>
        asking(v.object({ password: v.pipe(v.string(), v.email()) }), { read: String, way: String }).call('go', {
          ...options,
          review: recordingReview({ action: 'answer', value: { password: SECRET } }),
        }),
      never: [SECRET],
    }),
}))

const DURABLE_WAYS: Readonly<Record<string, AgentTool<string, unknown>>> = {
  'a failure': asking(z.object({ mark: z.string().meta({ sensitive: true }) }), {
    read: ({ mark }: { mark: string }) => mark,
    way: WAYS['the message of a failure']!,
  }),
  'a later step that fails': pipe(login, fails as never) as AgentTool<string, unknown>,
  'a later gate': pipe(login, gate(says as never)) as AgentTool<string, unknown>,
}

const durable: readonly Attack[] = Object.entries(DURABLE_WAYS).flatMap(([where, each]) =>
  [false, true].flatMap((crashes) => {
    const keepsAll = durably({
      tool: each as AgentTool<never, unknown>,
      input: 'go',
      crashes,
      people: [
        (inbox, id) => inbox.answer(id, { mark: SECRET }, 'ada'),
        (inbox, id) => inbox.reject(id, `Not with ${SECRET}, please.`, 'ada'),
      ],
    })
    return DURABLE_OUTLETS.map((outlet): Attack => ({
      name: `the secret of an answer stands in ${where} of a durable run${crashes ? ' that was resumed' : ''} in: ${outlet}`,
      before: 'fell',
      attempt: () => keepsAll(outlet, SECRET),
    }))
  }),
)

const inboxes: readonly Attack[] = [
  {
    name: 'another reviewer reads the answer in the inbox',
    before: 'fell',
    attempt: async () => {
      const inbox = createInbox()
      const told: string[] = []
      inbox.on('decided', (item) => void told.push(JSON.stringify(item)))
      inbox.on('requested', ({ request }) => void inbox.answer(request.id, { mark: SECRET }, 'ada').catch(assert.fail))
      const result = await login.call('go', { review: inbox.handler })
      assert.deepEqual(result.ok && result.value, `session ${SECRET}`)
      assert.equal(told.length, 1)
      assert.ok(!told.join('').includes(SECRET), told.join(''))
    },
  },
]

export const ANSWERED_SECRETS_ATTACKS: readonly Attack[] = [...inMemory, ...elsewhere, ...misfits, ...durable, ...inboxes]
