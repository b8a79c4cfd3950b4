import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compound, gate, tool } from '../index.ts'
import { fakeClock, settled } from '../testing/fake-clock.ts'
import type { ReviewRequest } from '../tool/review.ts'
import { createInbox } from './create-inbox.ts'
import type { Inbox } from './inbox.ts'

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.number() }),
  requireApproval: true,
  execute: ({ amount }) => amount,
})
const mail = tool({ name: 'mail', description: 'Mails.', requireApproval: true, execute: (text) => text })
const pick = compound({
  name: 'pick',
  description: 'Lets a person pick.',
  parts: {},
  run: (question, context) => context.ask({ question, answerSchema: z.object({ choice: z.enum(['red', 'blue']) }) }),
})

async function idOf(inbox: Inbox, name: string): Promise<string> {
  await settled()
  const [item] = await inbox.list({ tool: name })
  if (item === undefined) throw new Error(`nothing of ${name} is in the inbox`)
  return item.request.id
}

describe('the open requests', () => {
  test('are listed oldest first, by tool and by assignee [T15]', async () => {
    const inbox = createInbox()
    const clock = fakeClock()
    void pay.call({ amount: 1 }, { review: inbox.handler, clock, principal: { id: 'ada', permissions: [] } })
    await clock.advance(1000)
    void mail.call('hello', { review: inbox.handler, clock })
    await settled()
    const [first, second] = await inbox.list()
    expect(first).toMatchObject({
      status: 'open',
      requestedAt: clock.now() - 1000,
      request: { kind: 'approval', tool: 'pay', input: { amount: 1 }, caller: { principal: 'ada' }, risk: 'high', onTimeout: 'reject' },
    })
    expect(second).toMatchObject({ request: { tool: 'mail' }, requestedAt: clock.now() })
    await inbox.assign(await idOf(inbox, 'mail'), 'bob')
    const tools = async (filter: Parameters<Inbox['list']>[0]) => (await inbox.list(filter)).map(({ request }) => request.tool)
    expect(await tools({ assignee: 'bob' })).toEqual(['mail'])
    expect(await tools({ assignee: 'eve' })).toEqual([])
    expect(await tools({ tool: 'pay' })).toEqual(['pay'])
    expect(await tools({ tool: 'pay', assignee: 'bob' })).toEqual([])
    await inbox.assign(await idOf(inbox, 'mail'), undefined)
    expect(await tools({ assignee: 'bob' })).toEqual([])
  })

  test('wait for ever unless they say otherwise [T14]', async () => {
    expect(createInbox().handler.timeoutMs).toBeUndefined()
  })

  test('do not wait for each other [T15]', async () => {
    const inbox = createInbox()
    const first = pay.call({ amount: 1 }, { review: inbox.handler })
    const second = mail.call('hello', { review: inbox.handler })
    await inbox.approve(await idOf(inbox, 'mail'))
    expect(await second).toMatchObject({ ok: true })
    await inbox.approve(await idOf(inbox, 'pay'))
    expect(await first).toMatchObject({ ok: true })
  })
})

describe('a decision', () => {
  test('lets the call go on, and is kept with who made it and when [T15]', async () => {
    const inbox = createInbox()
    const clock = fakeClock()
    const result = pay.call({ amount: 1 }, { review: inbox.handler, clock })
    const id = await idOf(inbox, 'pay')
    await clock.advance(5000)
    await inbox.edit(id, { patch: { amount: 2 } }, 'ada')
    expect(await result).toMatchObject({ ok: true, value: 2 })
    expect(await inbox.list()).toEqual([])
    expect(await inbox.get(id)).toMatchObject({
      status: 'decided',
      closedAt: clock.now(),
      decision: { action: 'edit', patch: { amount: 2 }, by: 'ada' },
    })
  })

  test('edits the whole input, rejects, and stops the run [T14]', async () => {
    const inbox = createInbox()
    const edited = pay.call({ amount: 1 }, { review: inbox.handler })
    await inbox.edit(await idOf(inbox, 'pay'), { input: { amount: 9 } })
    expect(await edited).toMatchObject({ value: 9 })
    const rejected = pay.call({ amount: 1 }, { review: inbox.handler })
    await inbox.reject(await idOf(inbox, 'pay'), 'too little')
    expect(await rejected).toMatchObject({ error: { code: 'rejected', message: expect.stringContaining('who says "too little": ') } })
    const stopped = pay.call({ amount: 1 }, { review: inbox.handler })
    stopped.catch(() => undefined)
    await inbox.stop(await idOf(inbox, 'pay'))
    await expect(stopped).rejects.toMatchObject({ name: 'ExitEarly' })
  })

  test.each([
    ['approve', (inbox: Inbox, id: string) => inbox.approve(id, 'ada'), 'ada approved it.'],
    ['edit', (inbox: Inbox, id: string) => inbox.edit(id, { input: { amount: 1 } }, 'ada'), 'ada approved it with another input.'],
    ['reject', (inbox: Inbox, id: string) => inbox.reject(id, 'too much', 'ada'), 'ada rejected it (too much).'],
    ['stop', (inbox: Inbox, id: string) => inbox.stop(id, undefined, 'ada'), 'ada stopped the run.'],
    ['a nameless approve', (inbox: Inbox, id: string) => inbox.approve(id), 'somebody approved it.'],
  ])('comes first or not at all: after %s a second person is told who decided and what [T15]', async (_name, decide, what) => {
    const inbox = createInbox()
    pay.call({ amount: 1 }, { review: inbox.handler }).catch(() => undefined)
    const id = await idOf(inbox, 'pay')
    const [first, second] = await Promise.allSettled([decide(inbox, id), inbox.reject(id, 'no', 'eve')])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({
      reason: { name: 'InboxError', code: 'already_decided', message: `Request '${id}' is decided already: ${what}` },
    })
    await expect(inbox.assign(id, 'bob')).rejects.toMatchObject({ code: 'already_decided', decision: { action: expect.any(String) } })
  })

  test('on a request that nobody knows is refused [T15]', async () => {
    await expect(createInbox().approve('r0')).rejects.toMatchObject({ code: 'unknown_request' })
    expect(await createInbox().get('r0')).toBeUndefined()
  })

  test('of the wrong kind is refused, and the request stays open [T15]', async () => {
    const inbox = createInbox()
    const paid = pay.call({ amount: 1 }, { review: inbox.handler })
    const picked = pick.call('Which?', { review: inbox.handler })
    const approval = await idOf(inbox, 'pay')
    const question = await idOf(inbox, 'pick')
    await expect(inbox.answer(approval, 1)).rejects.toMatchObject({
      code: 'invalid_answer',
      message: expect.stringContaining('approve it'),
    })
    await expect(inbox.approve(question)).rejects.toMatchObject({ code: 'invalid_answer', message: expect.stringContaining('answer it') })
    await expect(inbox.edit(question, { input: 1 })).rejects.toMatchObject({ code: 'invalid_answer' })
    // @ts-expect-error neither an input nor a patch
    await expect(inbox.edit(approval, {})).rejects.toMatchObject({ code: 'invalid_answer' })
    expect(await inbox.list()).toHaveLength(2)
    await inbox.approve(approval)
    await inbox.answer(question, { choice: 'red' })
    expect(await paid).toMatchObject({ ok: true })
    expect(await picked).toMatchObject({ value: { choice: 'red' } })
  })
})

describe('an answer', () => {
  test('that does not fit is refused with a message, and the question stays open [T15]', async () => {
    const inbox = createInbox()
    const result = pick.call('Which?', { review: inbox.handler })
    const id = await idOf(inbox, 'pick')
    await expect(inbox.answer(id, { choice: 'green' })).rejects.toMatchObject({
      code: 'invalid_answer',
      message: expect.stringMatching(/^The answer does not fit request '.+': 'choice': .*"red", "blue"/),
    })
    await expect(inbox.answer(id, {})).rejects.toMatchObject({ message: expect.stringContaining("'choice' is missing") })
    await expect(inbox.answer(id, () => 'red')).rejects.toMatchObject({ code: 'invalid_answer' })
    expect(await inbox.list()).toHaveLength(1)
    await inbox.answer(id, { choice: 'blue' }, 'ada')
    expect(await result).toMatchObject({ ok: true, value: { choice: 'blue' } })
    await expect(inbox.answer(id, { choice: 'red' })).rejects.toMatchObject({
      code: 'already_decided',
      message: expect.stringContaining('ada answered it.'),
    })
  })

  test('to a schema that cannot be read here is left to the tool [T14]', async () => {
    const inbox = createInbox()
    const request = { id: 'r1', kind: 'question', answerSchema: { type: 'nonsense' } } as unknown as ReviewRequest
    const decision = inbox.handler.review(request, { signal: new AbortController().signal, clock: fakeClock() })
    await inbox.answer('r1', 'anything')
    expect(await decision).toMatchObject({ action: 'answer', value: 'anything' })
  })
})

describe('a withdrawn request', () => {
  test('leaves the list, and deciding it says so [T15]', async () => {
    const inbox = createInbox()
    const clock = fakeClock()
    const hurried = tool({ name: 'hurried', description: 'Hurries.', requireApproval: { timeout: '1m' }, execute: (text) => text })
    const result = hurried.call('x', { review: inbox.handler, clock })
    const id = await idOf(inbox, 'hurried')
    await clock.advance(60_000)
    expect(await result).toMatchObject({ error: { code: 'review_timed_out' } })
    expect(await inbox.list()).toEqual([])
    expect(await inbox.get(id)).toMatchObject({ status: 'withdrawn', closedAt: clock.now() })
    await expect(inbox.approve(id)).rejects.toMatchObject({
      code: 'withdrawn',
      message: `Request '${id}' no longer waits for a decision: Nobody decided in time.`,
    })
  })

  test('may come back, and is open again', async () => {
    const inbox = createInbox()
    const request = { id: 'r1', kind: 'approval' } as ReviewRequest
    const clock = fakeClock()
    const cancel = new AbortController()
    const first = inbox.handler.review(request, { signal: cancel.signal, clock })
    cancel.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    await expect(inbox.handler.review(request, { signal: cancel.signal, clock })).rejects.toThrow('gone')
    expect(await inbox.list()).toEqual([])
    const { signal } = new AbortController()
    const second = inbox.handler.review(request, { signal, clock })
    await inbox.approve('r1')
    expect(await second).toMatchObject({ action: 'continue' })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('the same request twice', () => {
  const request = { id: 'r1', kind: 'approval', path: 'pay:approval', inputHash: 'a' } as ReviewRequest
  const wait = () => {
    const cancel = new AbortController()
    return { cancel, signal: cancel.signal, clock: fakeClock() }
  }

  test('is one item, and stays open until nobody waits for it any more', async () => {
    const inbox = createInbox()
    const one = wait()
    const first = inbox.handler.review(request, one)
    const second = inbox.handler.review(request, wait())
    expect(await inbox.list()).toHaveLength(1)
    one.cancel.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    expect(await inbox.list()).toHaveLength(1)
    await inbox.approve('r1')
    expect(await second).toMatchObject({ action: 'continue' })
  })

  test('but about something else is refused, so that no approval covers two things [T14]', async () => {
    const inbox = createInbox()
    const first = inbox.handler.review(request, wait())
    await expect(inbox.handler.review({ ...request, inputHash: 'b' }, wait())).rejects.toThrow("another request with the id 'r1' is open")
    await inbox.reject('r1')
    expect(await first).toMatchObject({ action: 'reject' })
  })

  test('after a decision is asked anew: an old approval never serves twice [T14]', async () => {
    const inbox = createInbox()
    const first = inbox.handler.review(request, wait())
    await inbox.approve('r1')
    await first
    void inbox.handler.review(request, wait())
    expect(await inbox.list()).toHaveLength(1)
    expect(await inbox.get('r1')).toMatchObject({ status: 'open' })
  })
})

describe('the history', () => {
  test('forgets the oldest beyond its bound', async () => {
    const inbox = createInbox({ history: 2 })
    for (const id of ['r2', 'r1', 'r2', 'r3']) {
      void inbox.handler.review({ id, kind: 'approval' } as ReviewRequest, { signal: new AbortController().signal, clock: fakeClock() })
      await inbox.approve(id)
    }
    await expect(inbox.approve('r1')).rejects.toMatchObject({ code: 'unknown_request' })
    await expect(inbox.approve('r2')).rejects.toMatchObject({ code: 'already_decided' })
    await expect(inbox.approve('r3')).rejects.toMatchObject({ code: 'already_decided' })
  })

  test('of a size that makes no sense is refused', () => {
    expect(() => createInbox({ history: -1 })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })
})

describe('a listener', () => {
  test('hears of requests, decisions and withdrawals until it is let go [T15]', async () => {
    const inbox = createInbox()
    const heard: string[] = []
    const stop = (['requested', 'decided', 'withdrawn'] as const).map((event) =>
      inbox.on(event, ({ request, status }) => heard.push(`${event} ${request.tool} ${status}`)),
    )
    const cancel = new AbortController()
    const paid = pay.call({ amount: 1 }, { review: inbox.handler })
    const mailed = mail.call('x', { review: inbox.handler, signal: cancel.signal })
    await inbox.approve(await idOf(inbox, 'pay'))
    cancel.abort()
    await Promise.all([paid, mailed])
    for (const each of stop) each()
    const last = pay.call({ amount: 2 }, { review: inbox.handler })
    await inbox.approve(await idOf(inbox, 'pay'))
    await last
    expect(heard.toSorted()).toEqual(['decided pay decided', 'requested mail open', 'requested pay open', 'withdrawn mail withdrawn'])
  })

  test('may decide at once', async () => {
    const inbox = createInbox()
    inbox.on('requested', ({ request }) => void inbox.approve(request.id, 'rule'))
    expect(await pay.call({ amount: 1 }, { review: inbox.handler })).toMatchObject({ ok: true })
  })

  test('that throws is a process warning, and changes nothing', async () => {
    const inbox = createInbox()
    inbox.on('requested', () => {
      throw new Error('no bell')
    })
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    const result = pay.call({ amount: 1 }, { review: inbox.handler })
    expect((await warned).message).toBe('A listener of an inbox threw: no bell')
    await inbox.approve(await idOf(inbox, 'pay'))
    expect(await result).toMatchObject({ ok: true })
  })
})

test.each(['input', 'patch'] as const)('an edit (%s) that others vote on cannot be changed between the votes', async (form) => {
  const inbox = createInbox()
  const ran: unknown[] = []
  const transfer = tool({
    name: 'transfer',
    description: 'Pays.',
    inputSchema: z.object({ to: z.string() }),
    execute: (input) => {
      ran.push(input)
      return 'paid'
    },
  })
  const arrived = new Promise<string>((resolve) => inbox.on('requested', ({ request }) => resolve(request.id)))
  const running = gate(transfer, { approvals: { count: 2 } }).call(
    { to: 'ann' },
    { review: inbox.handler, principal: { id: 'rita', permissions: [] } },
  )
  const id = await arrived
  const change = { to: 'bob' }
  await inbox.edit(id, form === 'input' ? { input: change } : { patch: change }, { id: 'ada', permissions: [] })
  change.to = 'mallory'
  const edit = (await inbox.get(id))?.ballot?.edit as Readonly<Record<string, { to: string }>>
  expect(() => void ((edit[form] as { to: string }).to = 'mallory')).toThrow(TypeError)
  await inbox.approve(id, { id: 'cyd', permissions: [] }, { edition: 1 })
  await running
  expect(ran).toEqual([{ to: 'bob' }])
})
