import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { connectMcpServers } from './connect-mcp-servers.ts'
import { connectMcp } from './connect-mcp.ts'
import { checkConnection } from './check-connection.ts'
import { ServerConnection } from './server-connection.ts'
import { shownAddress } from './target-secrets.ts'

function notesFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'unreachable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'notes.txt')
}

/** A program of Node that notes each of its starts. */
function program(code: string): { readonly command: string; readonly args: readonly string[]; readonly starts: () => number } {
  const notes = notesFile()
  const noted = `require('node:fs').appendFileSync(${JSON.stringify(notes)}, 'x'); ${code}`
  return { command: process.execPath, args: ['-e', noted], starts: () => readFileSync(notes, 'utf8').length }
}

describe('a program that cannot run', () => {
  test.each([
    ['says why', `console.error('Missing the file of keys'); process.exit(2)`, /exit code 2; its last lines: Missing the file of keys$/],
    ['lacks a module', `require('./no-such-module')`, /Cannot find module '.\/no-such-module'/],
  ])('and %s is started once, and its words are told once', async (_what, code, said) => {
    const { starts, ...target } = program(code)
    await expect(connectMcp({ name: 'up', ...target })).rejects.toThrow(said)
    expect(starts()).toBe(1)
  })

  test('since it does not answer has the time to connect once, and is ended', async () => {
    const { starts, ...target } = program(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`)
    const began = performance.now()
    await expect(connectMcp({ name: 'up', ...target, connectTimeout: 500 })).rejects.toThrow(/did not answer in 500 ms/)
    expect(starts()).toBe(1)
    expect(performance.now() - began).toBeLessThan(2500)
  })

  test('and ends late has the time to connect once, over both of its starts', async () => {
    const { starts, ...target } = program('setTimeout(() => process.exit(1), 600)')
    await expect(connectMcp({ name: 'up', ...target, connectTimeout: 1000 })).rejects.toThrow(/did not answer in 1000 ms/)
    expect(starts()).toBe(2)
  })

  test("of which 'revision' says what it speaks is started once", async () => {
    const { starts, ...target } = program('process.exit(0)')
    await expect(connectMcp({ name: 'up', ...target, revision: '2025-11-25' })).rejects.toThrow('exit code 0')
    expect(starts()).toBe(1)
    const older = await connectMcp({ name: 'up', ...upstream('ends when it is asked for a newer revision'), revision: '2025-11-25' })
    onTestFinished(() => older.close())
    expect(older.info()?.revision).toBe('2025-11-25')
    await expect(connectMcp({ name: 'up', ...target, revision: '2026-07-28' as never })).rejects.toThrow("'revision' must be '2025-11-25'")
  })

  test('and ends without a word is started once for each further attempt', async () => {
    const clock = fakeClock()
    const { starts, ...target } = program('process.exit(0)')
    const connection = new ServerConnection(checkConnection({ name: 'up', ...target, clock }))
    onTestFinished(() => connection.close())
    await expect(connection.open()).rejects.toThrow('exit code 0')
    expect(starts()).toBe(2)
    for (let attempt = 1; attempt <= 4; attempt++) {
      await clock.advance(120_000)
      await expect(connection.open()).rejects.toThrow('exit code 0')
      expect(starts()).toBe(2 + attempt)
    }
  })

  test.each([1, 2, 3, 4, 5])('and ends without a word until its start %i is found in the revision that it speaks', async (down) => {
    const notes = notesFile()
    const older = upstream('ends when it is asked for a newer revision')
    const flaky = `const fs = require('node:fs')
      fs.appendFileSync(${JSON.stringify(notes)}, 'x')
      if (fs.readFileSync(${JSON.stringify(notes)}, 'utf8').length <= ${down}) process.exit(0)
      const { spawn } = require('node:child_process')
      const child = spawn(${JSON.stringify(older.command)}, ${JSON.stringify(older.args)}, { stdio: 'inherit' })
      child.on('exit', (code) => process.exit(code ?? 1))`
    const clock = fakeClock()
    const connection = new ServerConnection(checkConnection({ name: 'up', command: process.execPath, args: ['-e', flaky], clock }))
    onTestFinished(() => connection.close())
    const open = (): Promise<boolean> =>
      connection.open().then(
        () => true,
        () => false,
      )
    let isOpen = await open()
    for (let attempt = 0; attempt < 8 && !isOpen; attempt++) {
      await clock.advance(120_000)
      isOpen = await open()
    }
    expect(connection.face().tools()).not.toHaveLength(0)
  })
})

test('a program that closes its output and lives on is noticed at once', async () => {
  const up = await connectMcp({ name: 'up', ...upstream('closes its output') })
  onTestFinished(() => up.close())
  const began = performance.now()
  expect(await up.tool('act').call({}, { deadline: '20s' })).toMatchObject({
    ok: false,
    error: { code: 'service_unavailable', outcome: 'unknown', message: expect.stringContaining('it has closed its output') as string },
  })
  expect(performance.now() - began).toBeLessThan(5000)
})

test('a connection that is closed while it is opened again is closed soon, and the call says so', async () => {
  const { command, args } = upstream('hangs at a restart')
  const notes = notesFile()
  const up = await connectMcp({ name: 'up', command, args: [...args, notes], connectTimeout: '30s' })
  await up.tool('act').call({})
  const waiting = up.tool('act').call({})
  await expect.poll(() => readFileSync(notes, 'utf8')).toBe('start\nstart\n')
  const began = performance.now()
  await up.close()
  expect(performance.now() - began).toBeLessThan(2500)
  expect(await waiting).toMatchObject({
    error: { outcome: 'not_started', retryable: false, message: expect.stringContaining('closed by this program') as string },
  })
})

describe('an address', () => {
  test('where nobody listens is named, with the reason', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    server.close()
    await once(server, 'close')
    const url = `http://127.0.0.1:${port}/mcp?api_key=open-sesame`
    await expect(connectMcp({ name: 'web', url })).rejects.toThrow(
      new RegExp(
        `^MCP server 'web' cannot be reached at http://127.0.0.1:${port}/mcp: fetch failed: connect ECONNREFUSED 127.0.0.1:${port}$`,
      ),
    )
  })

  test('that answers with an error is named, with its status', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end('nothing here')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/wrong`
    await expect(connectMcp({ name: 'web', url })).rejects.toThrow(
      /reached \(HTTP 404\) at http:\/\/127\.0\.0\.1:\d+\/wrong: .*nothing here$/,
    )
  })

  test('that lets nobody in is told as such, the cause first, now and in the pause before the next attempt', async () => {
    let answer = 401
    const body = JSON.stringify({ error: 'invalid_token', error_description: 'The token has expired. '.repeat(50) })
    const server = createServer((_request, response) => response.writeHead(answer).end(body)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`
    const denied = { code: 'access_denied', class: 'authorization', retryable: false, outcome: 'not_started' }
    for (answer of [401, 403])
      for (const revision of [undefined, '2025-11-25'] as const)
        await expect(connectMcp({ name: 'web', url, revision })).rejects.toMatchObject({
          ...denied,
          message: expect.stringMatching(new RegExp(`^MCP server 'web' refuses access \\(HTTP ${answer}\\) at ${url}: `)) as string,
          hint: expect.stringContaining("'auth', or 'headers'") as string,
        })
    const servers = await connectMcpServers({ web: { url } })
    onTestFinished(() => servers.close())
    for (let time = 0; time < 2; time++) await expect(servers.server('web').refresh()).rejects.toMatchObject(denied)
    expect(servers.findings()).toMatchObject([
      { code: 'unreachable', hint: expect.stringMatching(/'auth', or 'headers'.* tried again/) as string },
    ])
    expect(servers.findings()[0]?.hint).not.toContain('Check the command')
  })

  test.each([
    [401, 'Bearer'],
    [403, 'Bearer error="insufficient_scope", scope="orders"'],
  ])('that answers %i to a token names the status too', async (status, challenge) => {
    const server = createServer((_request, response) => response.writeHead(status, { 'www-authenticate': challenge }).end()).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`
    for (const revision of [undefined, '2025-11-25'] as const)
      await expect(connectMcp({ name: 'web', url, revision, auth: { token: async () => 'key' } })).rejects.toMatchObject({
        code: 'access_denied',
        message: expect.stringMatching(new RegExp(`^MCP server 'web' refuses access \\(HTTP ${status}\\) at `)) as string,
      })
  })

  test('is shown without its parameters, and without a key in its path', () => {
    expect(shownAddress('https://mcp.example.com:8443/v1/s/AbCdEf0123456789xyz/mcp?key=x#y')).toBe(
      'https://mcp.example.com:8443/v1/s/••••••/mcp',
    )
  })
})
