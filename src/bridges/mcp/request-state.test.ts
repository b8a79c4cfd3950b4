import { afterAll, beforeAll, expect, test } from 'vitest'
import { inputRequired, type InputRequired, RawClient, type Reply } from '../../../test/fixtures/mcp/raw-client.ts'

const ORDER = { email: 'a@b.co' }
const approve = { action: 'accept', content: { decision: 'approve' } }
const edit = { action: 'accept', content: { decision: 'edit', input: '{"amount":7}' } }

let client: RawClient
beforeAll(async () => {
  client = await RawClient.start('2026-07-28')
})
afterAll(() => client.close())

/** A call that has stopped at its forms. */
async function stopped(reply: Promise<Reply>): Promise<InputRequired> {
  const stop = inputRequired(await reply)
  if (stop === undefined) throw new Error('The call did not ask.')
  return stop
}

function answers({ keys }: InputRequired, answer: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.map((key) => [key, answer]))
}

function comeBack(stop: InputRequired, inputResponses: unknown = answers(stop, approve)): Promise<Reply> {
  return client.call('refund', ORDER, { requestState: stop.requestState, inputResponses })
}

test('a call goes on where it stopped, once; the state is of no use after that [T14]', async () => {
  const stop = await stopped(client.call('refund', ORDER))
  expect((await comeBack(stop)).result).toMatchObject({ structuredContent: { paid: 149.99 } })
  expect((await comeBack(stop)).error?.message).toContain('is over or was given up. Call the tool again.')
})

test('a state that was changed, cut or made up is refused, and the call still waits for the true one [T14]', async () => {
  const stop = await stopped(client.call('refund', ORDER))
  const { requestState } = stop
  const [version = '', body = '', mac = ''] = requestState.split('.')
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
  const forged = Buffer.from(JSON.stringify({ ...payload, exp: 9_999_999_999 })).toString('base64url')
  const hostile = [`${requestState}x`, requestState.slice(0, -2), `${version}.${forged}.${mac}`, `${version}.${body}.`, 'v1.e30.e30', '', 7]
  for (const each of hostile) {
    const reply = await client.call('refund', ORDER, { requestState: each, inputResponses: answers(stop, approve) })
    expect(reply.error).toMatchObject({ code: -32602 })
  }
  expect((await comeBack(stop)).result).toMatchObject({ structuredContent: { paid: 149.99 } })
})

test.each([
  ['another tool', 'find_order', ORDER],
  ['other arguments', 'refund', { email: 'x@y.co' }],
  ['more arguments', 'refund', { ...ORDER, amount: 1 }],
])('an approval does not count for %s, and the call still waits [T14]', async (_what, name, args) => {
  const stop = await stopped(client.call('refund', ORDER))
  const { error } = await client.call(name, args, { requestState: stop.requestState, inputResponses: answers(stop, approve) })
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('another tool or with other arguments') })
  expect((await comeBack(stop)).result).toMatchObject({ structuredContent: { paid: 149.99 } })
})

test('of two open forms, the one without an answer is asked again under another state', async () => {
  const args = { orderId: 'o', amount: 5 }
  const stop = await stopped(client.call('pay_twice', args))
  const [first = '', second = ''] = stop.keys
  const again = await stopped(client.call('pay_twice', args, { requestState: stop.requestState, inputResponses: { [first]: approve } }))
  expect(again.keys).toEqual([second])
  expect(again.requestState).not.toBe(stop.requestState)
  const stale = await client.call('pay_twice', args, { requestState: stop.requestState, inputResponses: { [second]: approve } })
  expect(stale.error).toMatchObject({ code: -32602 })
  const { result } = await client.call('pay_twice', args, { requestState: again.requestState, inputResponses: { [second]: edit } })
  expect(result).toMatchObject({ structuredContent: { one: { paid: 5 }, other: { paid: 7 } } })
})

test('with no answer at all, everything is asked again', async () => {
  const stop = await stopped(client.call('refund', ORDER))
  expect((await stopped(comeBack(stop, {}))).keys).toEqual(stop.keys)
})

test('answers to questions that nobody asked are ignored', async () => {
  const stop = await stopped(client.call('refund', ORDER))
  const { result } = await comeBack(stop, { ...answers(stop, edit), unknown: approve, __proto__: approve })
  expect(result).toMatchObject({ structuredContent: { paid: 7 } })
})

test('an answer without its state approves nothing: the question is asked', async () => {
  const stop = await stopped(client.call('refund', ORDER))
  expect((await stopped(client.call('refund', ORDER, { inputResponses: answers(stop, approve) }))).keys).not.toEqual(stop.keys)
})

test.each([
  ['a number', 7],
  ['null', null],
  ['a list', [approve]],
  ['no action', {}],
  ['an unknown action', { action: 'approve' }],
  ['no content', { action: 'accept' }],
  ['content of the wrong kind', { action: 'accept', content: 'approve' }],
  ['no decision', { action: 'accept', content: { reason: 'fine' } }],
  ['an unknown decision', { action: 'accept', content: { decision: 'APPROVE' } }],
  ['an edit that is no JSON', { action: 'accept', content: { decision: 'edit', input: '{' } }],
  ['an edit of the wrong kind', { action: 'accept', content: { decision: 'edit', input: { amount: 1 } } }],
])('a response that is %s pays nothing [T14]', async (_what, response) => {
  const stop = await stopped(client.call('refund', ORDER))
  const reply = await comeBack(stop, answers(stop, response))
  expect(JSON.stringify(reply)).not.toContain('paid')
})

test('of two that come back with the same state at once, one goes on', async () => {
  const stop = await stopped(client.call('refund', ORDER))
  const replies = await Promise.all([comeBack(stop), comeBack(stop)])
  expect(replies.filter(({ result }) => result !== undefined)).toHaveLength(1)
})

test('a state of one server is refused by another', async () => {
  const other = await RawClient.start('2026-07-28')
  const stop = await stopped(client.call('refund', ORDER))
  const { error } = await other.call('refund', ORDER, { requestState: stop.requestState, inputResponses: answers(stop, approve) })
  expect(error).toMatchObject({ code: -32602 })
  await other.close()
})

/** Gives the same answer for as long as the server asks. */
async function insisting(name: string, given: Record<string, unknown>, response: unknown) {
  const shown: string[] = []
  let reply = await client.call(name, given)
  for (let stop = inputRequired(reply); stop !== undefined; stop = inputRequired(reply)) {
    shown.push(JSON.stringify(reply.result))
    reply = await client.call(name, given, { requestState: stop.requestState, inputResponses: answers(stop, response) })
  }
  return { shown, result: reply.result }
}

test('an answer that does not fit its schema is asked for again, and at last a failure that says why [T16]', async () => {
  const unfit = { action: 'accept', content: { city: 'Oslo', nights: 'three' } }
  const { shown, result } = await insisting('asks', { input: 'Where to?' }, unfit)
  expect(shown.map((each) => each.includes("Your last answer does not count: 'nights': must be number"))).toEqual([false, true, true])
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('nights') }] })
})

test('an edit that does not fit is asked for again, and at last nobody has decided [T14]', async () => {
  const unfit = { action: 'accept', content: { decision: 'edit', input: '{"amount":"much"}' } }
  const { shown, result } = await insisting('refund', ORDER, unfit)
  expect(shown.map((each) => each.includes('Your last answer does not count'))).toEqual([false, true, true])
  expect(shown[1]).toContain("The edit does not fit: 'amount'")
  expect(JSON.stringify(result)).toContain('without a decision')
  expect(JSON.stringify(result)).not.toContain('Invalid input')
})
