import { expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import type { IdentityClaim, Reviewers } from '../tool/deciders.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import { autoReview } from './auto-review.ts'
import { createInbox } from './create-inbox.ts'
import { signWebhookAnswer } from './verify-webhook-signature.ts'
import { webhookReview } from './webhook-review.ts'

const pay = gate(tool({ name: 'pay', description: 'Pays.', execute: (to) => `paid ${to}` }))
const secret = 'a secret that both sides know'

/** Vouches for everybody, and keeps what it was asked. */
function hearing(): { readonly claims: IdentityClaim[]; readonly reviewers: Reviewers } {
  const claims: IdentityClaim[] = []
  const identify = (claim: IdentityClaim) => {
    claims.push(claim)
    return { id: claim.name, permissions: ['review:*', 'assign:*'] }
  }
  return { claims, reviewers: { identify } }
}

const answering = (sign: boolean): typeof globalThis.fetch => {
  return async (_url, init) => {
    const { id } = JSON.parse(String(init?.body)) as { readonly id: string }
    const body = '{"action":"continue","by":"ada"}'
    return new Response(body, { headers: sign ? signWebhookAnswer({ id, body, secret }) : {} })
  }
}
const webhook = (sign: boolean): ReviewHandler => webhookReview({ url: 'https://desk.example.com', secret, fetch: answering(sign) })
const decision = { action: 'continue', by: 'ada' } as const

const HANDLERS: readonly (readonly [string, ReviewHandler, Omit<IdentityClaim, 'name'>])[] = [
  ['a handler', { review: () => decision }, { channel: 'handler', identity: 'claimed' }],
  ['a handler with a channel', { channel: 'slack', review: () => decision }, { channel: 'slack', identity: 'claimed' }],
  ['an automatic reviewer', autoReview(decision), { channel: 'auto', identity: 'claimed' }],
  ['a webhook', webhook(false), { channel: 'webhook', identity: 'claimed' }],
  ['a webhook that signs', webhook(true), { channel: 'webhook', identity: 'authenticated' }],
]

test.each(HANDLERS)('a name in the answer of %s is identified by its channel', async (_what, review, claim) => {
  const { claims, reviewers } = hearing()
  expect(await pay.call('bob', { review, reviewers })).toMatchObject({ ok: true })
  expect(claims).toEqual([{ name: 'ada', ...claim }])
})

test.each(HANDLERS)('the same in a durable run: %s', async (_what, review, claim) => {
  const { claims, reviewers } = hearing()
  const runtime = createRuntime({ tools: [pay], database: memoryRuns(), review, reviewers })
  expect(await (await runtime.start(pay, 'bob')).result()).toMatchObject({ ok: true })
  expect(claims).toEqual([{ name: 'ada', ...claim }])
  await runtime.close()
})

test('a name at an inbox is identified, and a principal is not asked about', async () => {
  const { claims, reviewers } = hearing()
  const inbox = createInbox()
  const arrived = new Promise<string>((resolve) => inbox.on('requested', ({ request }) => resolve(request.id)))
  const running = pay.call('bob', { review: inbox.handler, reviewers })
  const id = await arrived
  await inbox.assign(id, 'bob', 'ada')
  await inbox.approve(id, { id: 'bob', permissions: ['review:pay'] })
  expect(await running).toMatchObject({ ok: true })
  expect(claims).toEqual([{ name: 'ada', channel: 'inbox', identity: 'claimed' }])
})

test('nobody can change a claim after it was made', async () => {
  const { claims, reviewers } = hearing()
  await pay.call('bob', { review: autoReview(decision), reviewers })
  expect(Object.isFrozen(claims[0])).toBe(true)
})
