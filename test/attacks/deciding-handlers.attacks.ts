import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { autoReview, gate, type GateOptions, type Reviewers, signWebhookAnswer, tool, type ToolResult, webhookReview } from 'toolwright'
import { expect } from 'vitest'
import type { Attack } from './attack.ts'
import { atInbox } from './desk.ts'
import { ADA, STAFF, who } from './staff.ts'

const paid: unknown[] = []

function call(options: GateOptions<string>, given: Parameters<typeof pay.call>[1]): Promise<ToolResult> {
  paid.length = 0
  return gate(pay, options).call('bob', given)
}

const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => `paid ${paid.push(to)}` })

async function isRejected(result: Promise<ToolResult>, code = 'reviewer_unreachable'): Promise<void> {
  expect(await result).toMatchObject({ ok: false, error: { code } })
  expect(paid).toEqual([])
}

const FORGED = { action: 'continue', by: 'ada', identity: 'authenticated', votes: [{ by: 'ada' }, { by: 'bob' }] } as never
const principal = who('rita')

const handlerRows: readonly Attack[] = [
  {
    name: 'a handler answers once where two must approve',
    before: 'fell',
    attempt: () => isRejected(call({ approvals: { count: 2 } }, { principal, review: autoReview() })),
  },
  {
    name: 'a handler forges the votes of two',
    before: 'fell',
    attempt: () => isRejected(call({ approvals: { count: 2 } }, { principal, review: autoReview(FORGED) })),
  },
  {
    name: 'a handler says that its decider is authenticated',
    before: 'fell',
    attempt: () => isRejected(call({ approvals: {} }, { principal, review: autoReview(FORGED) })),
  },
  {
    name: 'a handler gives the decision of an inbox on another request',
    before: 'fell',
    attempt: async () => {
      const desk = await atInbox({ gate: { approvals: {} } })
      await desk.inbox.approve(desk.id, ADA)
      const decision = (await desk.item())?.decision
      await desk.ended
      await isRejected(call({ approvals: {} }, { principal, review: autoReview(decision) }))
    },
  },
  {
    name: 'a handler names somebody without the permission',
    before: 'fell',
    attempt: () => isRejected(call({}, { principal, reviewers: STAFF, review: autoReview({ action: 'continue', by: 'eve' }) })),
  },
  {
    name: 'a handler names nobody where permissions are needed',
    before: 'fell',
    attempt: () => isRejected(call({}, { principal, reviewers: STAFF, review: autoReview({ action: 'continue' }) })),
  },
  {
    name: 'a handler names the requester',
    before: 'fell',
    attempt: () =>
      isRejected(
        call(
          { approvals: {} },
          { principal, reviewers: { identify: () => who('rita', 'review:*') }, review: autoReview({ action: 'continue', by: 'rita' }) },
        ),
      ),
  },
  {
    name: 'a call without a principal needs somebody else to approve it',
    before: 'fell',
    attempt: () => isRejected(call({ approvals: {} }, { review: autoReview() }), 'permission_denied'),
  },
  ...[
    ['the time-out approves what people must approve', { onTimeout: 'continue', approvals: { count: 2 } }],
    ['nobody needs to approve', { approvals: { count: 0 } }],
    ['half a person must approve', { approvals: { count: 0.5 } }],
    ['a number that is a text', { approvals: { count: '2' } }],
    ['two must approve, of one', { approvals: { count: 2, of: ['ada'] } }],
    ['two must approve, of one in two spellings', { approvals: { count: 2, of: ['ada', 'Ada'] } }],
    ['an empty list of people', { approvals: { of: [] } }],
    ['an empty permission', { approvals: { of: '' } }],
    ['the requester is excluded by a text', { approvals: { excludeRequester: 'yes' } }],
    ['a rule that is true', { approvals: true }],
  ].map(([name, options]): Attack => ({
    name: `a gate is built where ${String(name)}`,
    before: 'fell',
    attempt: () => void expect(() => gate(pay, options as never)).toThrow(expect.objectContaining({ code: 'invalid_option' })),
  })),
]

const SECRET = 'a secret that both sides know'

/** Answers each request with the decision, signed as `headers` says. */
async function withWebhook(
  decision: object,
  headers: (id: string, body: string) => Record<string, string>,
  attempt: (url: string) => Promise<void>,
): Promise<void> {
  const server: Server = createServer(async (request, response) => {
    const { id } = JSON.parse(await text(request)) as { readonly id: string }
    const body = JSON.stringify(decision)
    response.writeHead(200, headers(id, body)).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    await attempt(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const signed = (id: string, body: string): Record<string, string> => signWebhookAnswer({ id, body, secret: SECRET })

const webhookRows: readonly Attack[] = (
  [
    ['is not signed', () => ({})],
    ['is signed with another secret', (id, body) => signWebhookAnswer({ id, body, secret: 'another' })],
    ['has the signature of another request', (_id, body) => signed('another', body)],
    ['has the signature of another decision', (id) => signed(id, '{}')],
    ['has a signature of yesterday', (id, body) => signWebhookAnswer({ id, body, secret: SECRET, now: () => Date.now() - 86_400_000 })],
  ] satisfies readonly [string, (id: string, body: string) => Record<string, string>][]
).map(([name, headers]) => ({
  name: `an answer of a webhook ${name}, where the decider must be authenticated`,
  before: 'fell',
  attempt: () =>
    withWebhook(FORGED, headers, (url) =>
      isRejected(call({ approvals: {} }, { principal, review: webhookReview({ url, secret: SECRET }) })),
    ),
}))

const signedWebhook: Attack = {
  name: 'a signed answer of a webhook names its decider, and forges votes',
  before: 'fell',
  attempt: () =>
    withWebhook(FORGED, signed, async (url) => {
      const review = webhookReview({ url, secret: SECRET })
      expect(await call({ approvals: {} }, { principal, review })).toMatchObject({ ok: true })
      await isRejected(call({ approvals: { count: 2 } }, { principal, review }))
    }),
}

const SIGNED_ONLY: Reviewers = { identify: ({ name, identity }) => (identity === 'authenticated' ? who(name, 'review:pay') : undefined) }

const namedByAnybody: readonly Attack[] = [
  {
    name: 'a name is typed, where the program takes signed ones only',
    before: 'fell',
    attempt: async () => {
      const decision = { action: 'continue', by: 'ada' } as const
      await isRejected(call({}, { principal, reviewers: SIGNED_ONLY, review: autoReview(decision) }))
      const answeredBy = (headers: typeof signed, attempt: (result: Promise<ToolResult>) => Promise<void>): Promise<void> =>
        withWebhook(decision, headers, (url) =>
          attempt(call({}, { principal, reviewers: SIGNED_ONLY, review: webhookReview({ url, secret: SECRET }) })),
        )
      await answeredBy(() => ({}), isRejected)
      await answeredBy(signed, async (result) => void expect(await result).toMatchObject({ ok: true }))
    },
  },
  {
    name: 'a handler calls its channel by another name, and its decider authenticated',
    before: 'held',
    attempt: () =>
      isRejected(call({}, { principal, reviewers: SIGNED_ONLY, review: { channel: 'webhook', deciders: 'signed', review: () => FORGED } })),
  },
  {
    name: 'a review in code that needs two people meets nobody, and may go on unattended',
    before: 'fell',
    attempt: async () => {
      paid.length = 0
      const inCode = tool({
        name: 'pay',
        description: 'Pays.',
        effect: 'write',
        execute: async (to, { review }) => {
          await review({ why: 'Four eyes.', approvals: { count: 2 } })
          return paid.push(to)
        },
      })
      await expect(inCode.call('bob', { principal, unattended: 'approve' })).rejects.toMatchObject({ code: 'missing_review_handler' })
      await isRejected(inCode.call('bob', { principal, review: autoReview(FORGED), unattended: 'approve' }))
    },
  },
]

/** Handlers that answer once, and say who has decided. */
export const DECIDING_HANDLER_ATTACKS: readonly Attack[] = [...handlerRows, ...webhookRows, signedWebhook, ...namedByAnybody]
