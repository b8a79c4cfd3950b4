import { PassThrough } from 'node:stream'
import { describe, expectTypeOf, test } from 'vitest'
import type { ReviewHandler } from '../tool/review.ts'
import { autoReview } from './auto-review.ts'
import { consoleReview } from './console-review.ts'
import { createInbox } from './create-inbox.ts'
import { delayedReview } from './delayed-review.ts'
import type { Inbox, InboxItem } from './inbox.ts'
import { verifyWebhookSignature } from './verify-webhook-signature.ts'
import { webhookReview } from './webhook-review.ts'

describe('every handler is a ReviewHandler [T15]', () => {
  test('console', () => {
    expectTypeOf(consoleReview()).toEqualTypeOf<ReviewHandler>()
    consoleReview({ input: process.stdin, output: process.stdout, timeout: '2m' })
    consoleReview({ input: new PassThrough(), output: new PassThrough() })
    // @ts-expect-error an output cannot be read from
    consoleReview({ input: process.stdout.fd })
    // @ts-expect-error not a duration
    consoleReview({ timeout: '5 minutes' })
  })

  test('auto and delayed', () => {
    expectTypeOf(autoReview()).toEqualTypeOf<ReviewHandler>()
    expectTypeOf(autoReview(({ risk }) => ({ action: risk === 'low' ? 'continue' : 'reject' }))).toEqualTypeOf<ReviewHandler>()
    expectTypeOf(delayedReview({ after: '1s' })).toEqualTypeOf<ReviewHandler>()
    // @ts-expect-error an edit needs an input or a patch
    autoReview({ action: 'edit' })
    // @ts-expect-error no such decision
    autoReview({ action: 'approve' })
    // @ts-expect-error how long?
    delayedReview({})
  })

  test('webhook', () => {
    expectTypeOf(webhookReview({ url: 'https://desk.example.com', secret: 's' })).toEqualTypeOf<ReviewHandler>()
    expectTypeOf(verifyWebhookSignature).returns.toEqualTypeOf<boolean>()
    // @ts-expect-error nothing goes out unsigned
    expectTypeOf(webhookReview).toBeCallableWith({ url: 'https://desk.example.com' })
  })

  test('inbox', () => {
    const inbox = createInbox()
    expectTypeOf(inbox).toEqualTypeOf<Inbox>()
    expectTypeOf(inbox.handler).toEqualTypeOf<ReviewHandler>()
    expectTypeOf(inbox.list).returns.resolves.toEqualTypeOf<readonly InboxItem[]>()
    // @ts-expect-error an edit needs an input or a patch
    void inbox.edit('r1', { amount: 5 })
    // @ts-expect-error no such event
    inbox.on('approved', () => undefined)
  })
})
