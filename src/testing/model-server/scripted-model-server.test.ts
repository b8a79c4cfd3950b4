import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../../../scripts/run-program.ts'
import { fakeClock } from '../fake-clock.ts'
import type { ChatRequest } from './chat-request.ts'
import { type ScriptedModelServer, scriptedModelServer } from './scripted-model-server.ts'

const HI = { role: 'user', content: 'Hi.' }

async function post({ url }: ScriptedModelServer, body: unknown, init: RequestInit = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: text, ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const ask = (server: ScriptedModelServer, more: object = {}) => post(server, { model: 'm', messages: [HI], ...more })

test('it listens on the loopback interface alone', async () => {
  await using server = await scriptedModelServer({ turns: [] })
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
})

test('an answer has the shape of the API, and the same ids in every run', async () => {
  const turns = [
    {
      text: 'Look.',
      toolCalls: [{ name: 'a', arguments: { x: 1 } }, { name: 'b' }, { name: 'c', arguments: '{"x"' }],
      usage: { inputTokens: 3, outputTokens: 4 },
    },
  ]
  await using server = await scriptedModelServer({ turns })
  const { text } = await ask(server)
  expect(JSON.parse(text)).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Look.',
          tool_calls: [
            { id: 'call_1_1', type: 'function', function: { name: 'a', arguments: '{"x":1}' } },
            { id: 'call_1_2', type: 'function', function: { name: 'b', arguments: '{}' } },
            { id: 'call_1_3', type: 'function', function: { name: 'c', arguments: '{"x"' } },
          ],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  })
})

test('a stream ends with [DONE], and tells usage only when it was asked for', async () => {
  await using server = await scriptedModelServer({ turns: [{ text: 'Hello, world' }, { text: 'Hello, world' }] })
  const events = async (more: object) =>
    (await ask(server, { stream: true, ...more })).text.split('\n\n').map((event) => event.replace('data: ', ''))
  const plain = await events({})
  expect(plain.slice(-2)).toEqual(['[DONE]', ''])
  expect(plain.join('')).not.toContain('usage')
  const counted = await events({ stream_options: { include_usage: true } })
  expect(JSON.parse(counted.at(-3) ?? '')).toMatchObject({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } })
})

test('no chunk of a stream holds half a character', async () => {
  await using server = await scriptedModelServer({ turns: [{ text: '1234567🌦 and on' }] })
  const { text } = await ask(server, { stream: true })
  const contents = Array.from(text.matchAll(/"content":("(?:[^"\\]|\\.)*")/g), ([, content = '']) => String(JSON.parse(content)))
  expect(contents.join('')).toBe('1234567🌦 and on')
  expect(contents.filter((content) => !content.isWellFormed())).toEqual([])
})

test('a refusal asks for no pause, unless the script does', async () => {
  await using server = await scriptedModelServer({ turns: [{ status: 429 }, { status: 429, headers: { 'retry-after-ms': '20' } }] })
  const pauses = [await ask(server), await ask(server)].map(({ headers }) => headers.get('retry-after-ms'))
  expect(pauses).toEqual(['0', '20'])
})

test.each([true, false])('an answer that is cut off ends in a broken connection, stream: %s', async (stream) => {
  await using server = await scriptedModelServer({ turns: [{ text: 'A text that never ends.', cutOff: true }] })
  await expect(ask(server, { stream })).rejects.toThrow('terminated')
})

test('a stream that fails on the way is broken off, and the server goes on', async () => {
  const timer = () => {
    throw new Error('no timers here')
  }
  await using server = await scriptedModelServer({
    clock: { ...fakeClock(), timer },
    turns: [{ text: 'A text in chunks.', chunkDelayMs: 1 }, { text: 'Next.' }],
  })
  await expect(ask(server, { stream: true })).rejects.toThrow(/terminated|fetch failed/)
  expect((await ask(server)).text).toContain('Next.')
})

test('usage that the script leaves out is a quarter of the characters', async () => {
  await using server = await scriptedModelServer({ turns: [{ text: 'x'.repeat(398) }] })
  expect(JSON.parse((await ask(server)).text)).toMatchObject({ usage: { prompt_tokens: 9, completion_tokens: 100, total_tokens: 109 } })
})

test('a turn may depend on the request, and may wait for something', async () => {
  const echo = async ({ body }: ChatRequest) => ({ text: `${body.model}: ${String(body.messages.at(-1)?.content)}` })
  await using server = await scriptedModelServer({ turns: [echo] })
  expect((await ask(server)).text).toContain('m: Hi.')
})

test('a turn that throws is told to the client', async () => {
  const turns = [{ text: 'ok' }, () => Promise.reject(new Error('no idea'))]
  await using server = await scriptedModelServer({ turns })
  await ask(server)
  const { status, text } = await ask(server)
  expect([status, text]).toEqual([500, expect.stringContaining('Turn 2 of the script failed: no idea')])
})

test('requests that come at once each get a turn of their own', async () => {
  await using server = await scriptedModelServer({ turns: Array.from({ length: 20 }, (_, index) => ({ text: `turn-${index}.` })) })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server)))
  expect(new Set(answers.map(({ text }) => /turn-\d+/.exec(text)?.[0])).size).toBe(20)
  expect(server.unplayed).toEqual([])
})

describe('what a real endpoint would not take is refused, says why, and uses up no turn:', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } }
  const calls = { role: 'assistant', content: null, tool_calls: [call] }
  const answered = { role: 'tool', tool_call_id: 'c1', content: '1' }
  const withMessages = (...messages: unknown[]) => ({ model: 'm', messages })
  const withTools = (...tools: unknown[]) => ({ ...withMessages(HI), tools })
  const offered = (name: string, parameters?: unknown) => ({ type: 'function', function: { name, parameters } })

  test.each([
    ['{"model":', 'The body is not JSON'],
    ['[]', 'The body must be a JSON object'],
    [{ messages: [HI] }, "'model' must be the name of a model"],
    [withMessages(), 'at least one message'],
    [{ ...withMessages(HI), stream: 'yes' }, "'stream' must be true or false"],
    [withMessages({ role: 'robot', content: 'x' }), 'messages[0] needs a role'],
    [withMessages(HI, calls), 'No message of role tool answers c1 at the end.'],
    [withMessages(HI, calls, HI), 'No message of role tool answers c1 before messages[2].'],
    [withMessages(HI, answered), 'messages[1] answers the tool call "c1", which is not open.'],
    [withMessages(HI, calls, answered, answered), 'messages[3] answers the tool call "c1", which is not open.'],
    [withMessages({ ...calls, tool_calls: [call, call] }), 'is there twice'],
    [withMessages({ ...calls, tool_calls: [{ ...call, function: { name: 'a', arguments: {} } }] }), 'a text of arguments'],
    [withMessages({ ...calls, tool_calls: 'all' }), 'tool_calls must be a list'],
    [withTools(), 'at least one tool'],
    [withTools(offered('not a name')), 'tools[0] needs a function whose name'],
    [withTools(offered('a'), offered('a')), 'tools[1]: the name "a" is there twice'],
    [withTools(offered('a', { type: 'string' })), 'must be a JSON Schema of type object'],
  ])('%j', async (body, words) => {
    await using server = await scriptedModelServer({ turns: [{ text: 'ok' }] })
    const { status, text } = await post(server, body)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining(words), type: 'invalid_request_error' } })
    expect([server.requests.length, server.unplayed.length]).toEqual([0, 1])
  })

  test('another path and another method', async () => {
    await using server = await scriptedModelServer({ turns: [] })
    const elsewhere = await fetch(`${server.url}/models`)
    expect([elsewhere.status, await elsewhere.text()]).toEqual([404, expect.stringContaining('POST /v1/chat/completions')])
    const read = await fetch(`${server.url}/chat/completions`)
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('while calls that are all answered are taken', async () => {
    await using server = await scriptedModelServer({ turns: [{ text: 'ok' }] })
    expect((await post(server, withMessages(HI, calls, answered, HI))).status).toBe(200)
  })
})

test('what may hold a credential is masked in the record', async () => {
  await using server = await scriptedModelServer({ turns: [{ text: 'ok' }] })
  const headers = { authorization: 'Bearer s3cret', 'x-api-key': 's3cret', cookie: 'session=s3cret', 'x-team': 'blue' }
  await fetch(`${server.url}/chat/completions?key=s3cret`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', messages: [HI] }),
  })
  expect(server.requests[0]).toMatchObject({ path: '/v1/chat/completions', headers: { 'x-team': 'blue' } })
  expect(JSON.stringify(server.requests)).not.toContain('s3cret')
})

test('a stream may pause between its chunks', async () => {
  const clock = fakeClock()
  await using server = await scriptedModelServer({ clock, turns: [{ text: 'One piece and another.', chunkDelayMs: 1000 }] })
  const answer = ask(server, { stream: true })
  await expect.poll(() => clock.pending()).toBe(1)
  expect((await clock.until(answer)).text).toContain('[DONE]')
  expect(clock.now()).toBe(1_700_000_000_000 + 5 * 1000)
})

describe('closing', () => {
  test('breaks a request that waits, and is harmless when repeated', async () => {
    const server = await scriptedModelServer({ turns: [{ broken: 'silent' }] })
    const waiting = ask(server).catch((error: unknown) => error)
    await expect.poll(() => server.requests.length).toBe(1)
    await Promise.all([server.close(), server.close()])
    expect(await waiting).toBeInstanceOf(Error)
    await expect(ask(server)).rejects.toThrow('fetch failed')
  })

  test('a client that leaves in the middle of a delay leaves no timer behind', async () => {
    const clock = fakeClock()
    await using server = await scriptedModelServer({ clock, turns: [{ text: 'x', delayMs: 1000 }] })
    const cancel = new AbortController()
    const waiting = post(server, { model: 'm', messages: [HI] }, { signal: cancel.signal }).catch((error: unknown) => error)
    await expect.poll(() => clock.pending()).toBe(1)
    cancel.abort()
    await waiting
    await expect.poll(() => clock.pending()).toBe(0)
  })

  test('a client that breaks off while it sends does no harm', async () => {
    await using server = await scriptedModelServer({ turns: [{ text: 'ok' }] })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await new Promise((resolve) =>
      socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"model"', resolve),
    )
    socket.destroy()
    expect((await ask(server)).status).toBe(200)
  })
})

test('a program that forgets to close it ends all the same', async () => {
  const program = `
    import { scriptedModelServer } from ${JSON.stringify(join(import.meta.dirname, 'scripted-model-server.ts'))}
    console.log((await scriptedModelServer({ turns: [] })).url)
  `
  const run = await runProgram('node', ['--input-type=module', '--eval', program])
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('http://127.0.0.1:')])
})

test('turns that are no list are refused', async () => {
  await expect(scriptedModelServer({ turns: { text: 'x' } as never })).rejects.toThrow('must be a list')
})
