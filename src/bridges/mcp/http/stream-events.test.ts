import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { StreamEvents } from './stream-events.ts'

const note = (number: number, text = ''): JSONRPCMessage => ({ jsonrpc: '2.0', method: `note ${number}`, params: { text } })

async function replayed(store: EventStore, after: string): Promise<readonly string[]> {
  const methods: string[] = []
  const send = async (_id: string, message: JSONRPCMessage): Promise<void> =>
    void methods.push('method' in message ? message.method : 'result')
  await store.replayEventsAfter(after, { send })
  return methods
}

test('what came after an event on its stream is sent again, and nothing of other streams and sessions', async () => {
  const events = new StreamEvents(1_000_000)
  const [one, other] = [events.forSession(), events.forSession()]
  const first = await one.storeEvent('a', {} as JSONRPCMessage)
  await one.storeEvent('a', note(1))
  await one.storeEvent('b', note(2))
  await other.storeEvent('a', note(3))
  const last = await one.storeEvent('a', note(4))
  expect(await replayed(one, first)).toEqual(['note 1', 'note 4'])
  expect(await replayed(one, last)).toEqual([])
  expect(await one.getStreamIdForEventId?.(first)).toBe('a')
  expect(await events.forSession().getStreamIdForEventId?.(first)).toBeUndefined()
  for (const odd of ['', 'a', 'a_', '_1', 'c_1', `a_${'9'.repeat(400)}`]) expect(await one.getStreamIdForEventId?.(odd)).toBeUndefined()
})

test('the oldest go when a session has many events: the last ones still come', async () => {
  const store = new StreamEvents(10_000_000).forSession()
  const first = await store.storeEvent('a', note(0))
  for (let index = 1; index <= 500; index++) await store.storeEvent('a', note(index))
  const methods = await replayed(store, first)
  expect(methods).toHaveLength(128)
  expect(methods.at(-1)).toBe('note 500')
})

test('all sessions together keep no more bytes than they may, and a session that ends keeps none', async () => {
  const events = new StreamEvents(10_000)
  const [one, other] = [events.forSession(), events.forSession()]
  const first = await one.storeEvent('a', note(0))
  for (let index = 1; index <= 20; index++) await other.storeEvent('b', note(index, 'x'.repeat(1000)))
  expect(await one.getStreamIdForEventId?.(first)).toBeUndefined()
  expect((await replayed(other, 'b_0')).length).toBeLessThan(10)
  other.forget()
  expect(await other.getStreamIdForEventId?.('b_20')).toBeUndefined()
})

test('a session keeps no more bytes than its share, and its last message whatever the size: no session pushes out the events of others', async () => {
  const events = new StreamEvents(1_000_000, 5000)
  const [one, other] = [events.forSession(), events.forSession()]
  const first = await one.storeEvent('a', note(0))
  for (let index = 1; index <= 1000; index++) await other.storeEvent('b', note(index, 'x'.repeat(1000)))
  expect(await one.getStreamIdForEventId?.(first)).toBe('a')
  expect((await replayed(other, 'b_0')).length).toBeLessThan(5)
  await other.storeEvent('b', note(1001, 'x'.repeat(100_000)))
  expect(await replayed(other, 'b_0')).toEqual(['note 1001'])
})
