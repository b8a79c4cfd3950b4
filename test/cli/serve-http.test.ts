import { expect, test } from 'vitest'
import { httpClient, statelessRequest } from '../fixtures/mcp/over-http.ts'
import { folderWith, runCli } from './run-cli.ts'

const TOKEN = 'a-token-that-is-long-enough'

/** Serves until the given work is done, then stops the server as a supervisor does. */
async function serving(flags: readonly string[], work: (url: string) => Promise<void>, env: Readonly<Record<string, string>> = {}) {
  const done = Promise.withResolvers<void>()
  let isServed = false
  const run = runCli(['serve', '--http', '--port', '0', ...flags], {
    env,
    mostMs: 30_000,
    onStderr: (text, child) => {
      const url = / over MCP at (\S+)/.exec(text)?.[1]
      if (url === undefined || isServed || !text.includes('mcpServers')) return
      isServed = true
      work(url)
        .then(done.resolve, done.reject)
        .finally(() => child.kill('SIGTERM'))
    },
  })
  const [ended] = await Promise.all([run, done.promise])
  return ended
}

test('serve --http serves both revisions at loopback, says how clients connect, and drains at SIGTERM [T10] [X6]', async () => {
  const { code, stdout, stderr } = await serving([], async (url) => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    for (const revision of ['2025-11-25', '2026-07-28'] as const) {
      const client = await httpClient(url, revision)
      expect(await client.callTool({ name: 'echo', arguments: { input: 'hello' } })).toMatchObject({ content: [{ text: 'hello' }] })
    }
    expect((await statelessRequest(url.replace('/mcp', '/'), 'tools/list')).status).toBe(404)
  })
  expect({ code, stdout }).toEqual({ code: 143, stdout: '' })
  expect(stderr).toMatch(/^Serving 6 tools of toolwright\.config\.ts over MCP at http:.*\nClients connect with \{ "mcpServers": /)
  expect(stderr).toContain('Taking no more requests.')
})

test('serve --http wants the token of --token-env', async () => {
  const { stderr } = await serving(
    ['--token-env', 'MCP_TOKEN', '--path', '/tools'],
    async (url) => {
      expect(url).toMatch(/\/tools$/)
      expect((await statelessRequest(url, 'tools/list')).status).toBe(401)
      expect((await statelessRequest(url, 'tools/list', {}, { authorization: 'Bearer wrong' })).status).toBe(401)
      expect((await statelessRequest(url, 'tools/list', {}, { authorization: `Bearer ${TOKEN}` })).status).toBe(200)
    },
    { MCP_TOKEN: TOKEN },
  )
  expect(stderr).toContain('"headers": { "Authorization": "Bearer ${MCP_TOKEN}" }')
  expect(stderr).not.toContain(TOKEN)
})

test('serve --http takes the auth of the configuration', async () => {
  const config = `export default { tools: [], auth: ({ headers }) => (headers.get('x-key') === 'k' ? { principal: { id: 'ada', permissions: [] } } : undefined) }`
  const folder = await folderWith({ 'toolwright.config.ts': config })
  await serving(['--config', `${folder}/toolwright.config.ts`], async (url) => {
    expect((await statelessRequest(url, 'tools/list')).status).toBe(401)
    expect((await statelessRequest(url, 'tools/list', {}, { 'x-key': 'k' })).status).toBe(200)
  })
})

test.each<[readonly string[], RegExp]>([
  [['serve', '--http', '0.0.0.0:0'], /nothing asks who they are[\s\S]*--token-env/],
  [['serve', '--http', '--host', '192.168.7.7'], /nothing asks who they are/],
  [['serve', '--http', '3000', '--port', '4000'], /leave out --port/],
  [['serve', '--http', 'http://x/'], /address such as 3000/],
  [['serve', '--http', '--port', '70000'], /from 0 to 65535/],
  [['serve', '--http', '--token-env', 'NO_SUCH_TOKEN'], /NO_SUCH_TOKEN has no token/],
  [['serve', '--http', '127.0.0.1:0', '--drain', 'soon'], /^error: --drain must be/],
  [['serve', '--port', '4000'], /--port needs --http/],
  [['serve', '--token-env', 'X'], /--token-env needs --http/],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await runCli(words, { mostMs: 20_000 })
  expect(stderr).toMatch(message)
  expect(code).toBe(2)
})
