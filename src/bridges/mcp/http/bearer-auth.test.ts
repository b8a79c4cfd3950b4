import { describe, expect, onTestFinished, test } from 'vitest'
import { localIssuer } from '../../../../test/fixtures/mcp/local-issuer.ts'
import { beginSession, httpClient, listening, rawPost, statelessRequest } from '../../../../test/fixtures/mcp/over-http.ts'
import type { Revision } from '../../../../test/fixtures/mcp/raw-client.ts'
import { gate } from '../../../combinators/gate/gate.ts'
import { createRuntime } from '../../../runtime/create-runtime.ts'
import { memoryRuns } from '../../../testing/memory-runs.ts'
import { tool } from '../../../tool/tool.ts'
import { bearerAuth, type BearerAuthOptions } from './bearer-auth.ts'
import { mcpHandler, type McpHandlerOptions } from './mcp-handler.ts'

const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28']
const RESOURCE = 'https://tools.example/mcp'
const METADATA = 'https://tools.example/.well-known/oauth-protected-resource/mcp'

/** A shop whose tools say who called them. */
async function shop(options: Partial<McpHandlerOptions> = {}, rules: Partial<BearerAuthOptions> = {}) {
  const log: string[] = []
  const who = tool({
    name: 'who',
    description: 'Says who calls.',
    effect: 'read',
    execute: (_input: string, { principal }) => {
      log.push(principal?.id ?? 'nobody')
      return `${principal?.id} may ${principal?.permissions.join()}`
    },
  })
  const refund = tool({
    name: 'refund',
    description: 'Pays back.',
    effect: 'write',
    permissions: ['orders:refund'],
    execute: (order) => {
      log.push(`refund ${order}`)
      return `Paid back ${order}.`
    },
  })
  const pay = gate(
    tool({
      name: 'pay',
      description: 'Pays.',
      effect: 'write',
      execute: (to, { principal }) => {
        log.push(`${principal?.id} pays ${to}`)
        return `Paid ${to}.`
      },
    }),
  )
  const issuer = await localIssuer(RESOURCE)
  const { jwksUri } = issuer
  const auth = bearerAuth({ issuer: issuer.issuer, jwksUri, resource: RESOURCE, scopes: ['tools'], ...rules })
  const mcp = await mcpHandler({ tools: [who, refund, pay], auth, ...options })
  onTestFinished(() => mcp.close())
  return { log, url: await listening(mcp.node), ...issuer, who, refund, pay, mcp }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe.each(REVISIONS)('revision %s', (revision) => {
  test('the subject of a token calls, with its scopes as permissions [T10] [X6]', async () => {
    const { url, token } = await shop()
    const client = await httpClient(url, revision, { token: await token({ sub: 'bob', scope: 'tools orders:refund' }) })
    expect(await client.callTool({ name: 'who', arguments: { input: '' } })).toMatchObject({
      content: [{ text: 'bob may tools,orders:refund' }],
    })
    expect(await client.callTool({ name: 'refund', arguments: { input: 'A1' } })).toMatchObject({ content: [{ text: 'Paid back A1.' }] })
  })

  test('no run of another tenant is told of, continued or joined [T14]', async () => {
    const { log, pay, issuer, jwks, token } = await shop()
    const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
    onTestFinished(() => runtime.close())
    const principal: BearerAuthOptions['principal'] = ({ sub, org }) => ({ id: String(sub), tenant: org, permissions: [] })
    const auth = bearerAuth({ issuer, jwks, resource: RESOURCE, principal })
    const mcp = await mcpHandler({ runtime, auth })
    onTestFinished(() => mcp.close())
    const url = await listening(mcp.node)
    const clientOf = async (org: string) => httpClient(url, revision, { token: await token({ sub: 'ada', more: { org } }) })
    const [north, south] = [await clientOf('north'), await clientOf('south')]
    const ask = async (client: typeof north) => {
      const { _meta } = await client.callTool({ name: 'pay', arguments: { input: 'carol' } })
      return (_meta as { 'toolwright/error': { pending: { run: string } } })['toolwright/error'].pending.run
    }
    const run = await ask(north)
    expect(await ask(north)).toBe(run)
    expect(await ask(south)).not.toBe(run)
    const told = await south.callTool({ name: 'run_status', arguments: { run } })
    expect(JSON.stringify(told)).toContain('There is no run')
    expect(await north.callTool({ name: 'run_status', arguments: { run } })).toMatchObject({ structuredContent: { status: 'pending' } })
    expect(log).toEqual([])
    const [item] = await runtime.inbox.list({ run })
    const params = {
      name: 'pay',
      arguments: { input: 'carol' },
      requestState: `run.${Buffer.from(JSON.stringify({ run })).toString('base64url')}`,
      inputResponses: { [item?.request.id ?? '']: { action: 'accept', content: { decision: 'approve' } } },
    }
    const as = async (org: string) => statelessRequest(url, 'tools/call', params, bearer(await token({ more: { org } })))
    expect((await as('south')).message).toMatchObject({
      error: { message: expect.stringContaining('Invalid or expired requestState') },
    })
    expect(await runtime.inbox.list({ run })).toHaveLength(1)
    expect((await as('north')).message?.result).toMatchObject({ content: [{ text: 'Paid carol.' }] })
    expect(log).toEqual(['ada pays carol'])
  })
})

test('no session and no stream of another caller is found, whatever else is the same [X6]', async () => {
  const { url, token, log } = await shop()
  const [ada, eve, otherClient] = await Promise.all([token(), token({ sub: 'eve' }), token({ client: 'phone' })])
  const session = { 'mcp-session-id': await beginSession(url, bearer(ada)) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who', arguments: { input: '' } } })
  const unknown = await rawPost(url, body, { 'mcp-session-id': crypto.randomUUID(), ...bearer(eve) })
  for (const stranger of [eve, otherClient]) {
    const reply = await rawPost(url, body, { ...session, ...bearer(stranger) })
    expect([reply.status, reply.text]).toEqual([404, unknown.text])
    const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...session, ...bearer(stranger) } })
    expect(stream.status).toBe(404)
    expect((await fetch(url, { method: 'DELETE', headers: { ...session, ...bearer(stranger) } })).status).toBe(404)
  }
  expect((await rawPost(url, body, session)).status).toBe(401)
  expect(log).toEqual([])
  // A new token of the same caller, with other scopes, uses the same session.
  const renewed = await token({ scope: 'tools more' })
  expect((await rawPost(url, body, { ...session, ...bearer(renewed) })).message?.result).toMatchObject({
    content: [{ text: 'ada may tools,more' }],
  })
})

test('no caller takes the sessions of others, however many it opens and uses [X6]', async () => {
  const { url, token } = await shop({ limits: { sessions: 4 } })
  const [ada, eve, mallory] = (await Promise.all(['ada', 'eve', 'mallory'].map((sub) => token({ sub })))).map(bearer)
  const first = { 'mcp-session-id': await beginSession(url, ada), ...ada }
  const streams: Response[] = []
  for (let index = 0; index < 3; index++) {
    const id = await beginSession(url, mallory)
    streams.push(await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': id, ...mallory } }))
  }
  const stream = await fetch(url, { headers: { accept: 'text/event-stream', ...first } })
  expect(await beginSession(url, mallory).catch(String)).toMatch(/No session: 503/)
  await beginSession(url, eve)
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect((await rawPost(url, list, first)).status).toBe(200)
  await streams[0]?.text()
  await Promise.all([...streams.slice(1), stream].map((each) => each.body?.cancel()))
})

test('a question is answered only by the caller whom it was put to', async () => {
  const { url, token, log } = await shop()
  const call = { name: 'pay', arguments: { input: 'carol' } }
  const asked = (await statelessRequest(url, 'tools/call', call, bearer(await token()))).message?.result
  const [key = ''] = Object.keys(asked?.['inputRequests'] as object)
  const answer = {
    ...call,
    requestState: asked?.['requestState'],
    inputResponses: { [key]: { action: 'accept', content: { decision: 'approve' } } },
  }
  const answered = async (options = {}) => (await statelessRequest(url, 'tools/call', answer, bearer(await token(options)))).message
  expect(await answered({ sub: 'eve' })).toMatchObject({ error: { code: -32602 } })
  expect(await answered({ client: 'phone' })).toMatchObject({ error: { code: -32602 } })
  expect(log).toEqual([])
  expect(await answered()).toMatchObject({ result: { content: [{ text: 'Paid carol.' }] } })
  expect(await answered()).toMatchObject({ error: { code: -32602 } })
  expect(log).toEqual(['ada pays carol'])
})

test('a client finds out where to get a token, and what for [T10]', async () => {
  const { url, issuer, token } = await shop({}, { scopesSupported: ['tools', 'orders:refund'], name: 'The shop' })
  const origin = new URL(url).origin
  for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])
    expect(await (await fetch(`${origin}${path}`)).json()).toEqual({
      resource: RESOURCE,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['tools', 'orders:refund'],
      resource_name: 'The shop',
    })
  const none = await statelessRequest(url, 'tools/list')
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, `Bearer scope="tools", resource_metadata="${METADATA}"`])
  const weak = await statelessRequest(url, 'tools/list', {}, bearer(await token({ scope: 'other' })))
  expect(weak.status).toBe(403)
  expect(weak.headers.get('www-authenticate')).toMatch(/^Bearer error="insufficient_scope", .*scope="tools", resource_metadata="/)
  const call = await statelessRequest(url, 'tools/call', { name: 'refund', arguments: { input: 'A1' } }, bearer(await token()))
  expect(call.status).toBe(403)
  expect(call.headers.get('www-authenticate')).toContain('scope="tools orders:refund"')
})

test('no token that is wrong in any way is taken, and nothing runs [X6]', async () => {
  const { url, log, badTokens } = await shop()
  for (const [what, token] of Object.entries(await badTokens())) {
    const reply = await statelessRequest(url, 'tools/call', { name: 'who', arguments: { input: '' } }, bearer(token))
    expect([what, reply.status]).toEqual([what, 401])
    expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await beginSession(url, bearer(token)).catch(String)).toMatch(/No session: 401/)
  }
  const inQuery = await statelessRequest(`${url}?access_token=x`, 'tools/list')
  expect(inQuery.status).toBe(401)
  expect(log).toEqual([])
})

test.each<[string, NonNullable<BearerAuthOptions['principal']>, Readonly<Record<string, unknown>>]>([
  ['a principal without an id', () => ({ id: '', permissions: [] }), {}],
  ['no principal', () => undefined as never, {}],
  ['a token without a subject, whoever the program makes of it', () => ({ id: 'root', permissions: [] }), { sub: '' }],
])('%s is let in by no token [X6]', async (_what, principal, more) => {
  const { url, log, token } = await shop({}, { principal })
  const reply = await statelessRequest(url, 'tools/call', { name: 'who', arguments: { input: '' } }, bearer(await token({ more })))
  expect([reply.status, log]).toEqual([401, []])
})

test('a token of more than 8 KB is refused, even if everything in it is right', async () => {
  const { url, log, token } = await shop()
  const call = async (length: number) => {
    const long = await token({ more: { groups: 'x'.repeat(length) } })
    return (await statelessRequest(url, 'tools/call', { name: 'who', arguments: { input: '' } }, bearer(long))).status
  }
  expect([await call(4000), await call(8000), log]).toEqual([200, 401, ['ada']])
})

test('clocks may differ by the tolerance', async () => {
  const { url, token } = await shop({}, { clockTolerance: '5m' })
  expect((await statelessRequest(url, 'tools/list', {}, bearer(await token({ expiresIn: -120 })))).status).toBe(200)
})

test('keys that cannot be read are no fault of the token', async () => {
  const warnings: string[] = []
  const log = { trace() {}, debug() {}, info() {}, error() {}, warn: (_fields: object, message: string) => void warnings.push(message) }
  const { url, token } = await shop({}, { jwksUri: 'http://127.0.0.1:9/jwks', log })
  const reply = await statelessRequest(url, 'tools/list', {}, bearer(await token()))
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
  expect(warnings).toEqual([expect.stringContaining('cannot be read')])
})

test('a function of the program may find the caller', async () => {
  const { url } = await shop({
    auth: ({ headers }) => (headers.get('x-key') === 'k' ? { principal: { id: 'ada', permissions: [] } } : undefined),
  })
  const refusedCall = await statelessRequest(url, 'tools/list')
  expect([refusedCall.status, refusedCall.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  const call = await statelessRequest(url, 'tools/call', { name: 'who', arguments: { input: '' } }, { 'x-key': 'k' })
  expect(call.message?.result).toMatchObject({ content: [{ text: 'ada may ' }] })
})

test.each([undefined, null, {}, { principal: undefined }, 'ada'])('an answer of auth such as %j lets nobody in', async (answer) => {
  const { url, log } = await shop({ auth: { authenticate: () => answer as never } })
  expect((await statelessRequest(url, 'tools/call', { name: 'who', arguments: { input: '' } })).status).toBe(401)
  expect(log).toEqual([])
})

const GOOD: BearerAuthOptions = { issuer: 'https://login.example', jwksUri: 'https://login.example/jwks', resource: RESOURCE }
test.each<[Partial<BearerAuthOptions>, RegExp]>([
  [{ issuer: 'http://login.example' }, /'issuer' of bearerAuth must be a URL with https/],
  [{ jwksUri: 'http://login.example/jwks' }, /'jwksUri'/],
  [{ jwksUri: undefined }, /either 'jwksUri' or 'jwks'/],
  [{ jwks: { keys: [] } }, /either 'jwksUri' or 'jwks'/],
  [{ jwksUri: undefined, jwks: { keys: 'none' } as never }, /'jwks' of bearerAuth must be a JSON Web Key Set/],
  [{ jwksUri: undefined, jwks: 'none' as never }, /'jwks' of bearerAuth must be a JSON Web Key Set/],
  [{ algorithms: ['none'] }, /'algorithms'/],
  [{ algorithms: ['HS256'] }, /'algorithms'/],
  [{ scopes: ['a b'] }, /'scopes'/],
  [{ audiance: 'x' } as never, /audience/],
])('bearerAuth refuses options such as %j', (options, message) => {
  expect(() => bearerAuth({ ...GOOD, ...options })).toThrow(message)
})
