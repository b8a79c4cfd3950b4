import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import type { McpProgram } from '../../../runtime/mcp-server-entry.ts'
import { autoReview } from '../../../review/auto-review.ts'
import type { ToolEvent } from '../../../tool/event.ts'
import type { Logger } from '../../../tool/ports/logger.ts'
import { silentLogger } from '../../../tool/ports/logger.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'
import type { ConnectMcpOptions } from './connect-options.ts'

const open: AsyncDisposable[] = []

async function connected(options: Partial<ConnectMcpOptions & McpProgram> = {}, behaviour = 'usual'): Promise<McpConnection> {
  const connection = await connectMcp({ name: 'up', ...upstream(behaviour), ...options } as ConnectMcpOptions)
  open.push(connection)
  return connection
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each[Symbol.asyncDispose]()))
})

describe('the tools of a server', () => {
  test('[T10] are tools with the exact schemas of the server, and check an input before the call', async () => {
    const up = await connected()
    const echo = up.tool('echo')
    expect(echo.specification.parameters).toMatchObject({
      properties: { say: { type: 'string' } },
      required: ['say'],
      additionalProperties: false,
    })
    expect(await echo.call({ say: 'hi' })).toMatchObject({ ok: true, text: 'hi', value: 'hi', provenance: { source: 'mcp:up' } })
    expect(await echo.call({ say: 1 })).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    expect(up.info()).toEqual({ name: 'upstream', version: '1.2.3', revision: '2025-11-25', instructions: 'Be \\u{7}kind.' })
  })

  test('keep all parts of content', async () => {
    const { content, text } = (await (await connected()).tool('parts').call({})) as { content?: unknown; text: string }
    expect(text).toBe('first\nlast')
    expect(content).toEqual([
      { type: 'image', data: 'aW1n', mimeType: 'image/png' },
      { type: 'audio', data: 'c25k', mimeType: 'audio/wav' },
      { type: 'resource', uri: 'demo://text', mimeType: 'text/plain', text: 'inside' },
      { type: 'resource', uri: 'demo://blob', data: 'Ymlu' },
      { type: 'resource', uri: 'demo://link', name: 'link', mimeType: 'text/csv' },
    ])
  })

  test('give structured content as the value, and a failure where it does not fit the output schema', async () => {
    const counted = (await connected()).tool('counted')
    expect(await counted.call({ n: 4 })).toMatchObject({ ok: true, value: { n: 4 } })
    expect(await counted.call({ n: 'four' })).toMatchObject({ ok: false, error: { code: 'invalid_output' } })
  })

  test('take an output schema of the user, after that of the server', async () => {
    const up = await connectMcp({ ...upstream('usual'), metadata: { counted: { outputSchema: z.object({ n: z.number().max(9) }) } } })
    open.push(up)
    const result = await up.tool('counted').call({ n: 4 })
    expect(result.ok && result.value.n).toBe(4)
    expect(await up.tool('counted').call({ n: 10 })).toMatchObject({ error: { code: 'invalid_output' } })
    expect(await up.tool('counted').call({ n: 'x' })).toMatchObject({ error: { code: 'invalid_output' } })
  })

  test('count as irreversible unless the user or, where it is trusted, the server says otherwise', async () => {
    const plain = await connected()
    expect(new Set(plain.tools().map(({ effect }) => effect))).toEqual(new Set(['irreversible']))
    const told = await connected({ metadata: { echo: { effect: 'read', tags: ['x'], title: 'Say it' } } })
    expect(told.tool('echo')).toMatchObject({ effect: 'read', tags: ['x'], title: 'Say it' })
    expect(told.tool('meta').effect).toBe('irreversible')
  })

  test('are chosen by name or by a predicate, and get a prefix', async () => {
    const some = await connected({ include: ['echo', 'meta', 'nothing'], exclude: ({ name }) => name === 'meta', prefix: 'my-files' })
    expect(some.tools().map(({ name }) => name)).toEqual(['my_files_echo'])
    expect(some.findings()).toMatchObject([{ code: 'unknown_name', tool: 'nothing' }])
  })

  test('a name that the server does not have is a configuration error that names the nearest', async () => {
    const up = await connected()
    expect(() => up.tool('ecko')).toThrow(/has no tool 'ecko'.*'echo'/)
  })

  test('get the idempotency key of the call', async () => {
    const { value } = (await (await connected()).tool('meta').call({}, { idempotencyKey: 'order-7' })) as {
      value: { meta: Record<string, unknown> }
    }
    expect(value.meta['toolwright/idempotency-key']).toEqual(expect.any(String))
  })

  test('an approval that the user asks for stands before them', async () => {
    const up = await connected({ metadata: { echo: { requireApproval: true } } })
    const rejected = await up.tool('echo').call({ say: 'hi' }, { review: autoReview(() => ({ action: 'reject', reason: 'no' })) })
    expect(rejected).toMatchObject({ ok: false, error: { code: 'rejected' } })
  })
})

describe('a failure of the server', () => {
  test('is classified by its text, which does not say whether the tool has acted', async () => {
    const fails = (await connected()).tool('fails')
    expect(await fails.call({ why: 'It did not work' })).toMatchObject({
      ok: false,
      text: 'Error: It did not work',
      error: { code: 'tool_failed', outcome: 'unknown', retryable: false },
    })
    expect(await fails.call({ why: 'ENOENT: no such file' })).toMatchObject({ error: { class: 'not_found', outcome: 'unknown' } })
    expect(await fails.call({ why: 'MCP error -32602: Wrong' })).toMatchObject({
      error: { class: 'input_validation', outcome: 'unknown' },
    })
    expect(await fails.call({ why: 'Request failed with status code 429' })).toMatchObject({
      error: { code: 'rate_limited', class: 'rate_limited' },
    })
  })

  test('of a server of ours keeps its code, class and outcome', async () => {
    const fails = (await connected()).tool('fails')
    const told = { code: 'not_found', class: 'not_found', retryable: false, outcome: 'failed' }
    expect(await fails.call({ _meta: { 'toolwright/error': told }, why: 'Error: No order' })).toMatchObject({
      text: 'Error: No order',
      error: told,
    })
    const nonsense = { code: 'DROP TABLE', class: 'nice', retryable: 'yes', outcome: 'maybe' }
    expect(await fails.call({ _meta: { 'toolwright/error': nonsense } })).toMatchObject({
      error: { code: 'tool_failed', class: 'semantic', retryable: false, outcome: 'unknown' },
    })
  })

  test('is cut, and its control characters are visible', async () => {
    const up = await connected()
    const long = await up.tool('fails').call({ why: 'x'.repeat(100_000) })
    expect(long.text.length).toBeLessThan(5000)
    expect(await up.tool('protocol_error').call({})).toMatchObject({
      error: { code: 'invalid_request', outcome: 'unknown', message: expect.stringContaining('\\u{1b}[31mthing') as string },
    })
  })
})

describe('a call', () => {
  test('passes progress on', async () => {
    const events: ToolEvent[] = []
    await (await connected()).tool('reports').call({}, { on: (event) => void events.push(event) })
    expect(events.filter(({ type }) => type === 'call.progressed')).toMatchObject([
      { progress: 1, total: 2, message: 'part 1' },
      { progress: 2, total: 2, message: 'part 2' },
    ])
  })

  test('that is cancelled, or out of time, tells the server', async () => {
    const lines: string[] = []
    const log: Logger = { ...silentLogger, debug: (_fields, line) => void lines.push(line) }
    const up = await connected({ log })
    const controller = new AbortController()
    const calling = up.tool('hangs').call({}, { signal: controller.signal })
    setTimeout(() => controller.abort(), 50)
    expect(await calling).toMatchObject({ ok: false, error: { code: 'cancelled', outcome: 'unknown' } })
    expect(await up.tool('hangs').call({}, { deadline: 60 })).toMatchObject({
      ok: false,
      error: { code: 'deadline_exceeded', outcome: 'unknown' },
    })
    await expect.poll(() => lines).toEqual(['cancelled', 'cancelled'])
    expect(await up.tool('echo').call({ say: 'still here' })).toMatchObject({ ok: true })
  })

  test('in which the program dies has an unknown outcome, and the next one starts it again', async () => {
    const up = await connected({ metadata: { dies: { effect: 'read' } } })
    expect(await up.tool('dies').call({})).toMatchObject({
      ok: false,
      error: {
        code: 'service_unavailable',
        class: 'transient',
        outcome: 'unknown',
        message: expect.stringContaining('exit code 7') as string,
      },
    })
    expect(await up.tool('echo').call({ say: 'back' })).toMatchObject({ ok: true, text: 'back' })
  })

  test('after a program that keeps dying fails at once, says when to come back, and is not sent', async () => {
    const up = await connected()
    for (let time = 0; time < 2; time++) await up.tool('dies').call({})
    const refused = await up.tool('echo').call({ say: 'x' })
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'service_unavailable', outcome: 'not_started', retryAfterMs: expect.any(Number) as number },
    })
  })
})

describe('a question of the server', () => {
  test('goes to the reviewer of the call with its form', async () => {
    const up = await connected()
    const review = autoReview((request) => {
      expect(request).toMatchObject({ kind: 'question', tool: 'asks', why: "MCP server 'up' asks: Which colour?" })
      return { action: 'answer', value: { colour: 'blue' } }
    })
    expect(await up.tool('asks').call({}, { review })).toMatchObject({ text: '{"action":"accept","content":{"colour":"blue"}}' })
  })

  test('is declined where a person declines; without a person nobody has decided', async () => {
    const asks = (await connected()).tool('asks')
    expect((await asks.call({})).text).toMatch(/^{"action":"cancel"}\nWarning: Nobody has decided .* 'up' asked: the call has no reviewer/)
    expect(await asks.call({}, { review: autoReview(() => ({ action: 'reject' })) })).toMatchObject({ text: '{"action":"decline"}' })
  })

  test('is asked again, with the reason, where an answer does not fit, and three times at most: nobody has said no', async () => {
    const asks = (await connected()).tool('asks')
    const asked: string[] = []
    const answering = (...colours: readonly string[]) =>
      autoReview(({ why }) => {
        asked.push(why)
        return { action: 'answer', value: { colour: colours[asked.length - 1] ?? 'green' } }
      })
    expect((await asks.call({}, { review: answering('green', 'red') })).text).toBe('{"action":"accept","content":{"colour":"red"}}')
    expect(asked).toEqual([
      "MCP server 'up' asks: Which colour?",
      expect.stringMatching(/^MCP server 'up' asks: Which colour\?\n\nThe answer before does not fit: .*'colour'/),
    ])
    asked.length = 0
    expect((await asks.call({}, { review: answering() })).text).toMatch(
      /^{"action":"cancel"}\nWarning: Nobody has decided here what .* no answer fits/,
    )
    expect(asked).toHaveLength(3)
  })

  test('is put to nobody where it may belong to several calls', async () => {
    const up = await connected()
    const review = autoReview(() => ({ action: 'answer', value: { colour: 'red' } }))
    const controller = new AbortController()
    const other = up.tool('hangs').call({}, { review, signal: controller.signal })
    expect((await up.tool('asks').call({}, { review })).text).toBe('{"action":"cancel"}')
    controller.abort()
    await other
  })

  test('is asked ten times in a call, and not more', async () => {
    const review = autoReview(() => ({ action: 'answer', value: { colour: 'red' } }))
    const { text } = await (await connected()).tool('asks_often').call({}, { review })
    expect(text.split(' ').filter((each) => each === 'accept')).toHaveLength(10)
  })

  test('for a model or for folders is refused unless they are given', async () => {
    const up = await connected()
    expect(await up.tool('samples').call({})).toMatchObject({ text: '"refused"' })
    expect(await up.tool('roots').call({})).toMatchObject({ text: '"refused"' })
    const given = await connected({
      roots: [{ uri: 'file:///tmp' }],
      sampling: () => ({ model: 'm', role: 'assistant', content: { type: 'text', text: 'yes' } }),
    })
    expect((await given.tool('samples').call({})).text).toContain('"yes"')
    expect((await given.tool('roots').call({})).text).toContain('file:///tmp')
  })
})

describe('a list that changes', () => {
  test('is followed in one step; what has not changed is the same object', async () => {
    const up = await connected()
    const [echo, counted, meta] = [up.tool('echo'), up.tool('counted'), up.tool('meta')]
    let changes = 0
    up.onChange(() => changes++)
    await up.tool('add_tool').call({})
    await expect.poll(() => up.tools().some(({ name }) => name === 'added')).toBe(true)
    expect(changes).toBe(1)
    expect(up.tool('echo')).toBe(echo)
    expect(up.tool('counted')).not.toBe(counted)
    expect(up.findings()).toMatchObject([{ code: 'tool_changed', severity: 'warning', tool: 'counted' }])
    expect(await counted.call({ n: 1 })).toMatchObject({ error: { code: 'tool_changed', outcome: 'not_started' } })
    expect(await meta.call({})).toMatchObject({ error: { code: 'unknown_tool', outcome: 'not_started' } })
    expect(await up.tool('counted').call({ n: 1 })).toMatchObject({ ok: true })
  })
})

describe('a server that has other tools after a restart', () => {
  async function restarting(options: Partial<ConnectMcpOptions> = {}): Promise<{ up: McpConnection; calls: () => readonly string[] }> {
    const folder = mkdtempSync(join(tmpdir(), 'restarting-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const notes = join(folder, 'notes.txt')
    const { command, args } = upstream('changes at a restart')
    const up = await connected({ command, args: [...args, notes], ...options } as Partial<ConnectMcpOptions & McpProgram>)
    return { up, calls: () => readFileSync(notes, 'utf8').trim().split('\n') }
  }

  test.each(['with', 'without'])('gets no call of a changed tool, not even the first, %s pins', async (how) => {
    const { up: seen } = await restarting()
    const { up, calls } = await restarting(how === 'with' ? { pins: seen.pins() } : {})
    const [act, same] = [up.tool('act'), up.tool('same')]
    await up.tool('stop').call({})
    const refused = { ok: false, error: { code: 'tool_changed', outcome: 'not_started' } }
    expect(await Promise.all([act.call({}), act.call({}), act.call({})])).toMatchObject([refused, refused, refused])
    expect(await same.call({})).toMatchObject({ ok: true })
    expect(calls()).toEqual(['start', 'stop', 'start', 'same'])
    expect(up.findings()).toMatchObject([{ code: 'tool_changed', tool: 'act', severity: how === 'with' ? 'error' : 'warning' }])
    expect(up.tools().map(({ name }) => name)).toEqual(how === 'with' ? ['stop', 'same'] : ['act', 'stop', 'same'])
  })

  test('is asked for its tools once, whoever calls', async () => {
    const { up } = await restarting()
    const same = up.tool('same')
    await up.tool('stop').call({})
    let readings = 0
    up.onChange(() => readings++)
    await Promise.all([same.call({}), same.call({}), same.call({})])
    await same.call({})
    expect(readings).toBe(1)
  })
})

describe('pins', () => {
  test('hold from the moment that a server reports a change: a call is sent only after the list was read', async () => {
    const up = await connected()
    const counted = up.tool('counted')
    await up.tool('add_tool').call({})
    expect(await counted.call({ n: 1 })).toMatchObject({ error: { code: 'tool_changed', outcome: 'not_started' } })
  })

  test('refuse a tool that has changed, and one that is new', async () => {
    const { counted: _left, ...pins } = (await connected()).pins()
    const up = await connected({ pins: { ...pins, echo: 'another', gone: 'x' } })
    expect(up.findings()).toMatchObject([
      { code: 'tool_changed', severity: 'error', tool: 'echo' },
      { code: 'tool_unpinned', tool: 'counted' },
      { code: 'tool_missing', tool: 'gone' },
    ])
    expect(up.tools().some(({ name }) => name === 'echo' || name === 'counted')).toBe(false)
    expect(() => up.tool('echo')).toThrow(/changed the description or a schema.*toolwright pin --dry-run/)
  })

  test('hold while a server is connected', async () => {
    const pins = (await connected()).pins()
    const up = await connected({ pins })
    expect(up.findings()).toEqual([])
    const counted = up.tool('counted')
    await up.tool('add_tool').call({})
    await expect.poll(() => up.findings().map(({ code }) => code)).toContain('tool_changed')
    expect(await counted.call({ n: 1 })).toMatchObject({ error: { code: 'tool_changed', class: 'authorization', outcome: 'not_started' } })
    expect(up.tools().some(({ name }) => name === 'added' || name === 'counted')).toBe(false)
  })

  test('are the same every time', async () => {
    expect((await connected()).pins()).toEqual((await connected()).pins())
  })
})

describe('a program', () => {
  test('ends with all that it has started', async () => {
    const up = await connected({}, 'family')
    const { value } = (await up.tool('pid').call({})) as { value: { own: number; child: number } }
    for (const pid of [value.own, value.child]) expect(isAlive(pid)).toBe(true)
    await up.close()
    await expect.poll(() => [value.own, value.child].filter(isAlive)).toEqual([])
    expect(await up.tool('echo').call({ say: 'x' })).toMatchObject({ error: { outcome: 'not_started', retryable: false } })
  })

  test('gets its own variables, and of the environment only what every program needs', async () => {
    process.env['TEST_SECRET_OF_OURS'] = 'hush'
    const { value } = (await (await connected({ env: { API_KEY: 'k' } })).tool('environment').call({})) as {
      value: Record<string, string>
    }
    delete process.env['TEST_SECRET_OF_OURS']
    expect(value).toMatchObject({ API_KEY: 'k', PATH: process.env['PATH'] })
    expect(value).not.toHaveProperty('TEST_SECRET_OF_OURS')
  })

  test('may print to its standard error: it is logged without secrets', async () => {
    const lines: string[] = []
    const up = await connected({
      env: { API_KEY: 'abcdef123456' },
      log: { ...silentLogger, debug: (_fields, line) => void lines.push(line) },
    })
    await up.tool('secret').call({ long: 'y'.repeat(2000) })
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toMatch(/^key=•+ /)
    expect(lines[0]?.length).toBeLessThan(600)
  })

  test.each(['ends when it is asked for a newer revision', 'ignores the newer revision', 'prints noise'])(
    'that %s is understood',
    async (behaviour) => {
      expect(await (await connected({}, behaviour)).tool('echo').call({ say: 'hi' })).toMatchObject({ ok: true, text: 'hi' })
    },
  )

  test('that does not exist, or ends at once, is told with its reason', async () => {
    await expect(connectMcp({ name: 'no', command: '/no/such/program' })).rejects.toThrow(/MCP server 'no' cannot be reached.*ENOENT/)
    const args = ['-e', 'console.error("No licence key."); process.exit(4)']
    await expect(connectMcp({ name: 'no', command: process.execPath, args })).rejects.toThrow(/exit code 4.*No licence key/)
  })
})

/** A process that has ended and that nobody has waited for still has its number. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
