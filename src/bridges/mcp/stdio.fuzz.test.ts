import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RawClient, type Revision } from '../../../test/fixtures/mcp/raw-client.ts'

const SEED = 20_260_728
const LINES = 2000
const BETWEEN_VALID_CALLS = 25

/** A value where another is wanted. */
const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1e308, 2 ** 60, '', '\u0000', '__proto__', 'constructor', 'toString', 'refund', [], {}, [[[]]]),
  fc.jsonValue(),
)
const id: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, '', 0, -1, 1.5, 2 ** 53, 'x'.repeat(10_000), 'valid-0', 'valid-1', true, [], {}),
  fc.integer(),
  fc.string(),
)
const method = fc.oneof(
  fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'server/discover', 'subscriptions/listen', 'notifications/cancelled'),
  fc.constantFrom('notifications/progress', 'notifications/initialized', 'resources/read', 'prompts/get', 'logging/setLevel', 'tasks/get'),
  fc.string(),
)
const GIVEN = { email: 'a@b.co', orderId: 'o', amount: 500, input: 'x' }
const args = fc.oneof(wrong, fc.record({ email: wrong, orderId: wrong, amount: wrong, input: wrong }, { requiredKeys: [] }))
const state = fc.oneof(fc.constantFrom('v1.', 'v1.e30.AAAA', 'v1.eyJwIjp7ImNhbGwiOiJ4In19.AAAA', 'x'.repeat(5000)), wrong)
const responses = fc.oneof(
  wrong,
  fc.dictionary(fc.string(), fc.oneof(wrong, fc.constant({ action: 'accept', content: { decision: 'approve' } }))),
)
const proper = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
}
const envelope = fc.oneof(
  { weight: 4, arbitrary: fc.record({ progressToken: wrong }, { requiredKeys: [] }).map((each) => ({ ...each, ...proper })) },
  { weight: 1, arbitrary: wrong },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        'io.modelcontextprotocol/protocolVersion': fc.oneof(fc.constantFrom('2026-07-28', '2025-11-25', '1999-01-01'), wrong),
        'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constantFrom({ elicitation: {} }, {}), wrong),
        'io.modelcontextprotocol/clientInfo': wrong,
      },
      { requiredKeys: [] },
    ),
  },
)
const params = fc.oneof(
  wrong,
  fc.record(
    {
      name: wrong,
      arguments: args,
      requestState: state,
      inputResponses: responses,
      _meta: envelope,
      requestId: id,
      progressToken: wrong,
      progress: wrong,
      protocolVersion: wrong,
      capabilities: wrong,
    },
    { requiredKeys: [] },
  ),
)
const known = fc.constantFrom('refund', 'find_order', 'pay', 'pay_twice', 'shout', 'hangs', 'asks', 'crashes', 'picture')
/** A call as it should be but for one of its parts. */
const nearlyProper = fc
  .tuple(
    known,
    fc.oneof(
      fc.record({ name: wrong }),
      fc.record({ arguments: args }),
      fc.record({ inputResponses: responses }),
      fc.record({ requestState: state }),
      fc.record({ _meta: envelope }),
    ),
  )
  .map(([name, part]) => ({ name, arguments: GIVEN, _meta: proper, ...part }))
const message = fc.oneof(
  { weight: 6, arbitrary: fc.record({ jsonrpc: fc.constant('2.0'), id, method, params }, { requiredKeys: ['jsonrpc', 'method'] }) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(), nearlyProper)
      .map(([number, each]) => ({ jsonrpc: '2.0', id: number, method: 'tools/call', params: each })),
  },
  { weight: 1, arbitrary: fc.record({ jsonrpc: wrong, id, method: wrong, params: wrong }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record({ jsonrpc: fc.constant('2.0'), id, result: wrong }) },
  { weight: 1, arbitrary: fc.record({ jsonrpc: fc.constant('2.0'), id, error: wrong }) },
)
const calling = (parameters: string): string => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${parameters}}`
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

const line: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 12, arbitrary: message.map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 4 }).map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat()).map(([each, at]) => cut(JSON.stringify(each), at)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, ' ')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => bytes.filter((byte) => byte !== 10)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      calling('{"__proto__":{"name":"pay"},"name":"shout","arguments":{"__proto__":{"input":"x"}}}'),
      calling('{"name":"find_order","arguments":{"email":"a@b.co","constructor":{"prototype":{"x":1}}}}'),
      calling(`{"name":"shout","arguments":{"input":${nested(100)}}}`),
      calling(`{"name":"shout","arguments":{"input":${nested(20_000)}}}`),
      calling(`{"name":"refund","arguments":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`),
      calling(`{"name":"${'x'.repeat(100_000)}"}`),
      `{"jsonrpc":"2.0","id":${'9'.repeat(400)},"method":"ping"}`,
    ),
  },
)

function cut(text: string, at: number): string {
  return text.slice(0, at % Math.max(1, text.length))
}

describe.each<Revision>(['2025-11-25', '2026-07-28'])('revision %s', (revision) => {
  test(`${LINES} hostile lines: nothing crashes or hangs, nothing strange is printed, and proper calls are answered [T10]`, async () => {
    const client = await RawClient.start(revision)
    const answered = async (text: string): Promise<void> => {
      expect((await client.call('shout', { input: text })).result).toMatchObject({ content: [{ type: 'text', text: text.toUpperCase() }] })
    }
    for (const [index, each] of fc.sample(line, { numRuns: LINES, seed: SEED }).entries()) {
      client.write(each)
      if (index % BETWEEN_VALID_CALLS === 0) await answered(`call ${index}`)
    }
    await answered('the last')
    expect(client.strays).toEqual([])
    expect(client.process.exitCode).toBeNull()
    await client.close()
    expect(await client.exited).toEqual([0, null])
  }, 60_000)

  test('a line of megabytes is read; one beyond 10 MB ends the connection, and the process with it', async () => {
    const client = await RawClient.start(revision)
    const long = 'x'.repeat(3_000_000)
    expect((await client.call('shout', { input: long })).result).toMatchObject({ content: [{ text: long.toUpperCase() }] })
    client.write(`"${'x'.repeat(11_000_000)}"`)
    expect(await client.exited).toEqual([0, null])
    expect(client.strays).toEqual([])
  })
})
