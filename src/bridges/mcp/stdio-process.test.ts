import { describe, expect, test } from 'vitest'
import { RawClient, type Revision } from '../../../test/fixtures/mcp/raw-client.ts'

const ORDER = { email: 'a@b.co' }

/** A call that runs and one that waits for a person; and, as no client should, two under one id. */
async function busy(revision: Revision): Promise<RawClient> {
  const client = await RawClient.start(revision)
  void client.call('hangs', { input: '' })
  const refunded = client.call('refund', ORDER)
  if (revision === '2025-11-25') await client.heard('elicitation/create')
  else await refunded
  const twice = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'hangs', arguments: { input: '' }, ...client.envelope } }
  client.write(JSON.stringify(twice))
  client.write(JSON.stringify(twice))
  await expect.poll(() => client.stderr.split('hanging').length - 1).toBe(3)
  return client
}

describe.each<Revision>(['2025-11-25', '2026-07-28'])('revision %s', (revision) => {
  test('when its input ends the process ends well, and all calls are cancelled', async () => {
    const client = await busy(revision)
    client.process.stdin.end()
    expect(await client.exited).toEqual([0, null])
    expect(client.stderr.split('let go').length - 1).toBe(3)
    expect(client.strays).toEqual([])
  })

  test('when nobody reads its output any more the process ends well', async () => {
    const client = await busy(revision)
    client.process.stdout.destroy()
    client.process.stderr.destroy()
    void client.call('chatty', { input: 'x'.repeat(100_000) })
    void client.call('shout', { input: 'x'.repeat(100_000) })
    expect(await client.exited).toEqual([0, null])
  })

  test('SIGTERM ends it at once', async () => {
    const client = await busy(revision)
    client.process.kill('SIGTERM')
    expect(await client.exited).toEqual([null, 'SIGTERM'])
  })

  test('hundreds of calls at once each get their own answer', async () => {
    const client = await RawClient.start(revision)
    const replies = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        client.call(index % 2 === 0 ? 'shout' : 'find_order', { input: `n${index}`, email: `n${index}@b.co` }),
      ),
    )
    expect(replies.map(({ result }) => (result?.['content'] as readonly { text: string }[] | undefined)?.[0]?.text)).toEqual(
      Array.from({ length: 500 }, (_, index) => (index % 2 === 0 ? `N${index}` : `{"id":"order-of-n${index}@b.co","total":149.99}`)),
    )
    expect(client.strays).toEqual([])
    await client.close()
  })
})

test('programs that a tool starts cannot print into the protocol', async () => {
  const client = await RawClient.start('2025-11-25')
  expect((await client.call('spawns', { input: '' })).result).toMatchObject({ content: [{ text: 'noise of a child\n' }] })
  expect(client.stderr.split('noise of a child').length - 1).toBe(5)
  expect(client.strays).toEqual([])
  await client.close()
}, 30_000)

test('a client that gives its call up while its user is asked withdraws the question, and the call ends', async () => {
  const client = await RawClient.start('2025-11-25')
  void client.call('refund', ORDER)
  const asked = await client.heard('elicitation/create')
  client.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'valid-1' } }))
  expect((await client.heard('notifications/cancelled')).params).toMatchObject({ requestId: asked.id })
  await client.close()
})

test('a client that cannot show the form after all has rejected it [T14]', async () => {
  const client = await RawClient.start('2025-11-25')
  const refunded = client.call('refund', ORDER)
  const { id } = await client.heard('elicitation/create')
  client.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no window' } }))
  expect((await refunded).result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/No reviewer decided[^]*no window/) }],
  })
  await client.close()
})

test('a client that looks for the newer revision first and then shakes hands is still connected', async () => {
  const probing = await RawClient.probing()
  expect((await probing.call('shout', { input: 'here' })).result).toMatchObject({ content: [{ text: 'HERE' }] })
  void probing.call('refund', ORDER)
  await probing.heard('elicitation/create')
  await probing.close()
  expect(await probing.exited).toEqual([0, null])
})
