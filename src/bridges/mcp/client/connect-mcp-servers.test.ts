import { afterEach, describe, expect, test } from 'vitest'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import type { McpServerEntries } from '../../../runtime/mcp-server-entry.ts'
import { resolve } from '../../../tool/resolve/resolve.ts'
import { connectMcpServers, type ConnectMcpServersOptions, type McpServers } from './connect-mcp-servers.ts'
import { connectMcp } from './connect-mcp.ts'
import type { ConnectMcpOptions } from './connect-options.ts'
import { modelNames } from './tool-definition.ts'

const open: McpServers[] = []

async function connected(entries: McpServerEntries, options: ConnectMcpServersOptions = {}): Promise<McpServers> {
  const servers = await connectMcpServers(entries, options)
  open.push(servers)
  return servers
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const only = (names: readonly string[]): { readonly include: readonly string[] } => ({ include: names })

describe('several servers', () => {
  test('[T10] stand in a list of tools, each tool with the name of its server before it', async () => {
    const servers = await connected({
      one: { ...upstream('usual'), ...only(['echo']) },
      'two.b': { ...upstream('usual'), ...only(['echo']) },
      off: { command: '/no/such', disabled: true },
    })
    const tools = await resolve([servers])
    expect(tools.tools.map(({ name }) => name)).toEqual(['one_echo', 'two_b_echo'])
    expect(await tools.call('one_echo', '{"say":"hi"}')).toMatchObject({ ok: true, text: 'hi' })
    expect(servers.findings()).toEqual([])
    expect(() => servers.server('off')).toThrow(/The servers are: one, two\.b/)
  })

  test('that claim one name: the first keeps it, and that is a finding', async () => {
    const some = { ...upstream('usual'), ...only(['echo']), prefix: 'same' }
    const servers = await connected({ one: some, two: some })
    expect(servers.tools().map(({ name }) => name)).toEqual(['same_echo'])
    expect(servers.findings()).toMatchObject([{ code: 'name_taken', server: 'two' }])
  })

  test('one of which was not there can be reached later', async () => {
    const servers = await connected({ one: { ...upstream('never lists'), connectTimeout: 600 } })
    expect(servers.findings()).toMatchObject([{ code: 'unreachable', server: 'one' }])
    await expect(servers.server('one').refresh()).rejects.toThrow(/took longer|cannot be reached|timed out/)
  })

  test('take pins by name', async () => {
    const entry = { ...upstream('usual'), ...only(['echo', 'meta']) }
    const pins = (await connected({ one: entry })).pins()
    const pinned = await connected({ one: entry }, { pins: { one: { ...pins['one'], echo: 'other' } } })
    expect(pinned.findings()).toMatchObject([{ code: 'tool_changed', tool: 'echo' }])
    expect(pinned.tools().map(({ name }) => name)).toEqual(['one_meta'])
  })

  test('get variables of the environment', async () => {
    const entry = {
      ...upstream('usual'),
      ...only(['environment']),
      env: { A: '${ONE}', B: 'x-${env:ONE}-${NONE:-none}', C: '$ONE ${EMPTY:-full}' },
    }
    const servers = await connected({ up: entry }, { variables: { ONE: '1', EMPTY: '' } })
    expect(await servers.server('up').tool('environment').call({})).toMatchObject({ value: { A: '1', B: 'x-1-none', C: '$ONE full' } })
  })
})

describe('wrong options', () => {
  test.each<readonly [string, unknown, RegExp]>([
    ['an unknown option', { command: 'x', comand: 'y' }, /Did you mean 'command'/],
    ['neither a program nor an address', {}, /say either 'command'/],
    ['both', { command: 'x', url: 'http://a' }, /say either 'command'/],
    ['an old transport', { type: 'sse', url: 'http://a' }, /transport of 2024/],
    ['a type that does not fit', { type: 'http', command: 'x' }, /'type' must be 'stdio' here/],
    ['another protocol', { url: 'file:///etc/passwd' }, /begins with http/],
    ['a password in the address', { url: 'http://ann:secret-word@a/' }, /must not hold a user or a password/],
    ['a header that cannot be sent', { url: 'http://a', headers: { 'x-key': 'secret-word\nx: y' } }, /cannot be sent/],
    ['a variable that is no text', { command: 'x', env: { KEY: 5 } }, /"KEY" in 'env' must be a text/],
    ['a NUL', { command: 'x\0y' }, /'command' must be the name/],
    ['headers for a program', { command: 'x', headers: {} }, /are for a server with a 'url'/],
    ['arguments for an address', { url: 'http://a', args: [] }, /are for a server with a 'command'/],
    ['arguments that are no list', { command: 'x', args: 'y' }, /'args' must be a list/],
    ['wrong metadata', { command: 'x', metadata: { a: { efect: 'read' } } }, /Did you mean 'effect'/],
    ['wrong pins', { command: 'x', pins: { a: 5 } }, /'pins' must be/],
    ['a wrong name', { command: 'x', name: 'a b' }, /'name' must be/],
    ['no tools at all', { command: 'x', maxTools: 0 }, /'maxTools' must be/],
  ])('%s is a configuration error that repeats no value', async (_what, options, message) => {
    const failing = connectMcp(options as ConnectMcpOptions)
    await expect(failing).rejects.toThrow(message)
    await expect(failing).rejects.toThrow(/^(?!.*secret-word)/s)
  })

  test.each<readonly [string, unknown, RegExp]>([
    ['a name with a space', { 'a b': { command: 'x' } }, /The name of an MCP server/],
    ['the prototype', JSON.parse('{"__proto__":{"command":"x"}}'), /The name of an MCP server/],
    [
      'a variable that is not set',
      { a: { command: '${NOT_SET_HERE}' } },
      /variable NOT_SET_HERE, which stands in 'command' of MCP server 'a'/,
    ],
    ['a variable of another kind', { a: { command: 'x', args: ['${input:key}'] } }, /\$\{input:key\} in 'args'/],
    ['no object', { a: [] }, /must be an object/],
  ])('of several: %s', async (_what, entries, message) => {
    await expect(connectMcpServers(entries as McpServerEntries)).rejects.toThrow(message)
  })
})

describe('names for models', () => {
  test('are legal, unique, and the same in every order', () => {
    const names = ['a', 'a b', 'a-b', 'a_b', 'x'.repeat(100), '日本']
    const own = modelNames(names, 'my.server')
    expect(own.get('a')).toBe('my_server_a')
    expect(own.get('a_b')).toBe('my_server_a_b')
    expect(new Set(own.values()).size).toBe(names.length)
    for (const each of own.values()) expect(each).toMatch(/^[A-Za-z0-9_]{1,64}$/)
    const turned = modelNames(names.toReversed(), 'my.server')
    for (const name of names) expect(turned.get(name)).toBe(own.get(name))
  })
})
