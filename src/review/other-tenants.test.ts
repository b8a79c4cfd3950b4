import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import type { CallOptions } from '../tool/context.ts'
import type { Reviewers } from '../tool/deciders.ts'
import { decidersText } from '../tool/deciders-text.ts'
import type { Principal } from '../tool/principal.ts'
import type { ReviewRequest } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import { createInbox } from './create-inbox.ts'
import { describeRequest } from './describe-request.ts'
import type { Inbox } from './inbox.ts'
import type { InboxError } from './inbox-error.ts'

const of = (id: string, tenant?: unknown): Principal => ({
  id,
  permissions: ['review:*', 'assign:*'],
  ...(tenant === undefined ? {} : { tenant }),
})
const inner = tool({ name: 'pay', description: 'Pays.', inputSchema: z.object({ to: z.string() }), execute: ({ to }) => `paid ${to}` })
const pay = gate(inner, { approvals: { count: 2 } })

interface Asked {
  readonly inbox: Inbox
  readonly request: ReviewRequest
}

/** A call that waits in memory. */
async function inMemory(principal: Principal, reviewers: Reviewers = {}, called = pay): Promise<Asked> {
  const inbox = createInbox()
  const arrived = new Promise<ReviewRequest>((resolve) => inbox.on('requested', ({ request }) => resolve(request)))
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  void called.call({ to: 'carol' }, { principal, reviewers, review: inbox.handler, signal: controller.signal }).catch(() => {})
  return { inbox, request: await arrived }
}

/** A durable run that waits, in a program that has been started anew. */
async function inRun(principal: Principal, reviewers: Reviewers = {}, called = pay): Promise<Asked> {
  const database = memoryRuns()
  const first = createRuntime({ tools: [called], database, reviewers })
  await first.start(called, { to: 'carol' }, { principal })
  await expect.poll(() => first.inbox.list()).toHaveLength(1)
  await first.close()
  const runtime = createRuntime({ tools: [called], database, reviewers })
  onTestFinished(() => runtime.close())
  const [item] = await runtime.inbox.list()
  return { inbox: runtime.inbox, request: item?.request as ReviewRequest }
}

const codeOf = (deciding: Promise<void>) =>
  deciding.then(
    () => 'counts',
    ({ code }: InboxError) => code,
  )

describe.each([
  ['in memory', inMemory],
  ['in a run', inRun],
])('people of other tenants, %s', (_where, ask) => {
  test('cannot approve, edit, reject or assign a call of this one [T14]', async () => {
    const { inbox, request } = await ask(of('bob', 'tribune'))
    const eve = of('eve', 'rival')
    await expect(inbox.approve(request.id, eve)).rejects.toThrow(/'eve' is of another tenant than the caller/)
    expect(await codeOf(inbox.edit(request.id, { patch: { to: 'eve' } }, eve))).toBe('not_permitted')
    expect(await codeOf(inbox.reject(request.id, 'No.', eve))).toBe('not_permitted')
    expect(await codeOf(inbox.assign(request.id, 'eve', eve))).toBe('not_permitted')
    expect((await inbox.get(request.id))?.ballot?.votes ?? []).toEqual([])
    expect(await codeOf(inbox.approve(request.id, of('eva', 'tribune')))).toBe('counts')
  })

  test('are not known by their ids: tenants are compared as data [T14]', async () => {
    const staff = { acrossTenants: [{ name: 'desk', unit: 1 }, undefined] }
    const { inbox, request } = await ask(of('bob', { name: 'tribune', unit: 1 }), staff)
    const approve = (id: string, tenant?: unknown) => codeOf(inbox.approve(request.id, of(id, tenant)))
    expect(await approve('eva', { unit: 2, name: 'tribune' })).toBe('not_permitted')
    expect(await approve('bob', { unit: 1, name: 'tribune' })).toBe('not_permitted')
    // Who names no tenant may be the caller.
    expect(await approve('bob')).toBe('not_permitted')
    expect(await approve('eva', { unit: 1, name: 'tribune' })).toBe('counts')
    expect(await approve('eva')).toBe('already_voted')
    expect(await approve('eva', { unit: 1, name: 'desk' })).toBe('counts')
    const decision = (await inbox.get(request.id))?.decision
    expect(decision === undefined ? '' : decidersText(decision)).toBe('eva of {"unit":1,"name":"tribune"}, eva of {"unit":1,"name":"desk"}')
  })

  test('with the id of the caller are others, where they may decide at all [T14]', async () => {
    const { inbox, request } = await ask(of('bob', 'tribune'), { acrossTenants: ['desk'] })
    expect(await codeOf(inbox.approve(request.id, of('bob', 'desk')))).toBe('counts')
    expect((await inbox.get(request.id))?.ballot?.votes).toMatchObject([{ by: 'bob', tenant: 'desk' }])
  })

  test('the tenant of the caller is shown; one without a tenant is reviewed by everybody [T14]', async () => {
    const { request } = await ask(of('bob', 'tribune'))
    expect(request.caller).toMatchObject({ principal: 'bob', tenant: 'tribune' })
    expect(describeRequest(request)).toContain('principal bob of "tribune"')
    const plain = await ask(of('bob'))
    expect(plain.request.caller).not.toHaveProperty('tenant')
    expect(await codeOf(plain.inbox.approve(plain.request.id, of('eve', 'rival')))).toBe('counts')
    expect(await codeOf(plain.inbox.approve(plain.request.id, of('bob', 'rival')))).toBe('not_permitted')
  })
})

test('a handler whose decider is of another tenant approves nothing [T14]', async () => {
  const tenants: Readonly<Record<string, string>> = { eve: 'rival', eva: 'tribune' }
  const call = (by: string, more: Partial<CallOptions> = {}) =>
    gate(inner).call(
      { to: 'carol' },
      {
        principal: of('bob', 'tribune'),
        reviewers: { identify: ({ name }) => of(name, tenants[name]) },
        review: { review: () => ({ action: 'continue', by, tenant: 'tribune' }) },
        ...more,
      },
    )
  expect((await call('eve')).text).toContain('another tenant')
  expect((await call('eva')).text).toBe('paid carol')
})

test('a wrong list of tenants is refused', async () => {
  await expect(pay.call({ to: 'x' }, { reviewers: { acrossTenants: 'desk' as never } })).rejects.toMatchObject({ code: 'invalid_option' })
})
