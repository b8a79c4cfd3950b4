import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import { importFlags } from '../../../../test/fixtures/prepared.ts'
import { gate } from '../../../combinators/gate/gate.ts'
import { retry } from '../../../combinators/retry/retry.ts'
import { createRuntime } from '../../../runtime/create-runtime.ts'
import { memoryRuns } from '../../../testing/memory-runs.ts'
import { catalogueOf, type CatalogueRules, EMPTY_CATALOGUE } from './catalogue.ts'
import { connectMcp, type McpConnection } from './connect-mcp.ts'
import { connectMcpServers } from './connect-mcp-servers.ts'
import { ToolsFile } from './tools-file.ts'

const PROGRAM = new URL('../../../../test/fixtures/mcp/http-program.ts', import.meta.url).pathname
const SLOW = { timeout: 20_000, interval: 50 }

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'tools-file-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** An address at which a server process comes and goes. */
async function place() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const home = folder()
  const effects = join(home, 'effects.txt')
  writeFileSync(effects, '')
  let server: ChildProcess | undefined
  const goes = async (): Promise<void> => {
    if (server === undefined) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
    server = undefined
  }
  onTestFinished(goes)
  return {
    options: { name: 'notes', url: `http://127.0.0.1:${port}/mcp`, toolsFile: join(home, 'notes.tools.json') },
    effects: () => readFileSync(effects, 'utf8').split('\n').slice(0, -1),
    goes,
    comes: async (description = 'Notes a text.'): Promise<void> => {
      server = spawn(process.execPath, [...importFlags, PROGRAM, String(port), effects, description], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(server.stdout as NodeJS.ReadableStream, 'data')
    },
  }
}

/** What a server has left behind when it went. */
async function leavings() {
  const there = await place()
  await there.comes()
  const before = await connectMcp(there.options)
  const [names, pins] = [before.tools().map(({ name }) => name), before.pins()]
  await before.close()
  return { names, pins, text: readFileSync(there.options.toolsFile, 'utf8') }
}

let known: ReturnType<typeof leavings> | undefined

/** Where a server was once, and is away now. */
async function left() {
  const { text, ...told } = await (known ??= leavings())
  const there = await place()
  writeFileSync(there.options.toolsFile, text)
  return { ...there, ...told }
}

async function connected(options: Parameters<typeof connectMcp>[0]): Promise<McpConnection> {
  const connection = await connectMcp(options)
  onTestFinished(() => connection.close())
  return connection
}

const AWAY = { code: 'service_unavailable', class: 'transient', outcome: 'not_started', retryable: true }

describe('a server that is away when a program starts again', () => {
  test('has the tools that it had: their calls fail until it comes, and again when it goes [T10]', async () => {
    const { options, names, pins, effects, comes, goes } = await left()
    const connection = await connected(options)
    expect(connection.tools().map(({ name }) => name)).toEqual(names)
    expect(connection.pins()).toEqual(pins)
    expect(connection.info()).toBeUndefined()
    expect(connection.findings()).toMatchObject([
      { code: 'unreachable', server: 'notes', hint: expect.stringContaining('those of its file') as string },
    ])
    const note = connection.tool('note')
    const call = () => note.call({ text: 'x' })
    expect(await call()).toMatchObject({ error: { ...AWAY, retryAfterMs: expect.any(Number) as number } })
    expect(effects()).toEqual([])
    await comes()
    await expect.poll(call, SLOW).toMatchObject({ ok: true, value: { noted: 'x' } })
    expect(effects()).toEqual(['x'])
    expect(connection.findings()).toEqual([])
    expect(connection.tool('note')).toBe(note)
    await goes()
    await expect.poll(call, SLOW).toMatchObject({ error: AWAY })
    await comes()
    await expect.poll(call, SLOW).toMatchObject({ ok: true })
  })

  test('gets no call of a tool that it describes otherwise now, and the file has the new description', async () => {
    const { options, comes, effects } = await left()
    const connection = await connected(options)
    const note = connection.tool('note')
    await comes('Notes a text, and tells everybody.')
    await expect.poll(() => note.call({ text: 'x' }), SLOW).toMatchObject({ error: { code: 'tool_changed', outcome: 'not_started' } })
    expect(effects()).toEqual([])
    expect(connection.findings()).toMatchObject([{ code: 'tool_changed' }])
    expect(readFileSync(options.toolsFile, 'utf8')).toContain('tells everybody')
  })

  test('does not keep people from deciding about the runs that wait there', async () => {
    const { options, comes, effects } = await left()
    const database = memoryRuns()
    const begun = async () => {
      const connection = await connected(options)
      const careful = gate(retry(connection.tool('note'), { attempts: 200, base: 50, max: 50 }))
      const runtime = createRuntime({ tools: [careful], database })
      onTestFinished(() => runtime.close())
      return { runtime, careful }
    }
    const first = await begun()
    const { id } = await first.runtime.start(first.careful, { text: 'x' })
    await database.idle()
    await first.runtime.close()
    const { runtime } = await begun()
    const [item] = await runtime.inbox.list()
    expect(item?.run).toBe(id)
    await runtime.inbox.approve(item?.request.id ?? '')
    await comes()
    expect(await (await runtime.run(id)).result()).toMatchObject({ ok: true, value: { noted: 'x' } })
    expect(effects()).toEqual(['x'])
  })

  test('is one of several servers, and found in the background', async () => {
    const { options, comes, names } = await left()
    const { name, ...entry } = options
    const servers = await connectMcpServers({ [name]: { ...entry, prefix: '' }, other: upstream('usual') })
    onTestFinished(() => servers.close())
    expect(
      servers
        .server(name)
        .tools()
        .map((each) => each.name),
    ).toEqual(names)
    expect(servers.findings()).toMatchObject([{ code: 'unreachable', server: name }])
    await comes()
    await expect.poll(() => servers.server(name).info()?.name, SLOW).toBeDefined()
    expect(servers.findings()).toEqual([])
  })

  test('is offered under the pins and the choice of today', async () => {
    const { options, pins } = await left()
    expect((await connected({ ...options, pins })).tools()).toHaveLength(1)
    const changed = await connected({ ...options, pins: { note: 'another' } })
    expect(changed.findings()).toMatchObject([{ code: 'unreachable' }, { code: 'tool_changed' }])
    expect(changed.tools()).toEqual([])
    expect((await connected({ ...options, exclude: ['note'] })).tools()).toEqual([])
  })

  test.each([
    [
      'no file',
      undefined,
      {
        name: 'ToolError',
        message: expect.stringContaining('cannot be reached') as string,
        hint: expect.stringContaining("'toolsFile'") as string,
      },
    ],
    [
      'no JSON',
      '{',
      {
        code: 'invalid_option',
        message: expect.stringMatching(/notes\.tools\.json.*not JSON.*Remove the file.*cannot be reached/s) as string,
      },
    ],
    [
      'another file',
      '{"notes":1}',
      { code: 'invalid_option', message: expect.stringContaining('it is not a file with the tools') as string },
    ],
    [
      'another version',
      '{"format":"tools of an MCP server","version":2,"server":"notes","tools":[]}',
      { code: 'invalid_option', message: expect.stringContaining('version 2') as string },
    ],
    [
      'the file of another server',
      '{"format":"tools of an MCP server","version":1,"server":"mail","tools":[]}',
      { code: 'invalid_option', message: expect.stringContaining("'mail'") as string },
    ],
  ])('is told as away where there is %s', async (_what, text, failure) => {
    const { options } = await place()
    if (text !== undefined) writeFileSync(options.toolsFile, text)
    await expect(connectMcp(options)).rejects.toMatchObject(failure)
  })

  test('is not a server that refuses access: that is told at once', async () => {
    const { options } = await left()
    const server = createServer((_request, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    await expect(connectMcp({ ...options, url })).rejects.toMatchObject({ code: 'access_denied' })
  })
})

describe('the file', () => {
  test('is written only if the server says something else', async () => {
    const toolsFile = join(folder(), 'tools.json')
    const options = { name: 'up', ...upstream('usual'), toolsFile }
    await (await connected(options)).close()
    const before = statSync(toolsFile)
    await (await connected(options)).close()
    expect(statSync(toolsFile).ino).toBe(before.ino)
  })

  test('that cannot be written is told to the log, and the tools work', async () => {
    const warned: string[] = []
    const log = { debug() {}, info() {}, error() {}, warn: (_fields: unknown, message: string) => void warned.push(message) }
    const connection = await connected({
      name: 'up',
      ...upstream('usual'),
      toolsFile: join(folder(), 'missing', 'tools.json'),
      log: log as never,
    })
    expect(connection.tools().length).toBeGreaterThan(0)
    expect(warned).toEqual([expect.stringContaining("The tools of MCP server 'up' are not kept: ENOENT")])
  })

  test('says of any list what the server says of it', async () => {
    const path = join(folder(), 'tools.json')
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', '__proto__', 'x\u200Bx', 'x'.repeat(300)))
    const schema = fc.oneof(
      fc.constant({ type: 'object' }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(text, fc.record({ type: fc.constant('string'), description: text })),
      }),
      fc.constantFrom<unknown>(null, 'object', { type: 'string' }),
    )
    const any = fc.record(
      {
        name: text,
        title: text,
        description: text,
        inputSchema: schema,
        outputSchema: schema,
        annotations: fc.dictionary(text, fc.boolean()),
        other: text,
      },
      { requiredKeys: ['name', 'inputSchema'] },
    )
    const rules: CatalogueRules = {
      server: 'up',
      prefix: '',
      runs: undefined as never,
      asksHere: true,
      call: undefined as never,
      include: ({ name }) => name !== 'a',
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(any, fc.jsonValue()), { maxLength: 6 }), async (tools) => {
        const there = catalogueOf({ tools }, rules, EMPTY_CATALOGUE)
        await new ToolsFile(path, 'up').write(there.told)
        const read = await new ToolsFile(path, 'up').read()
        if (read === undefined || 'problem' in read) throw new Error(read?.problem)
        const kept = catalogueOf({ tools: read.tools }, rules, EMPTY_CATALOGUE)
        expect([...kept.definitions]).toEqual([...there.definitions])
      }),
      { numRuns: 200 },
    )
  })
})
