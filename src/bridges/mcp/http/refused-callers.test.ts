import { expect, onTestFinished, test } from 'vitest'
import { localIssuer } from '../../../../test/fixtures/mcp/local-issuer.ts'
import { listening, statelessRequest } from '../../../../test/fixtures/mcp/over-http.ts'
import { recordedLog } from '../../../../test/fixtures/recorded-log.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { tool } from '../../../tool/tool.ts'
import { bearerAuth, type BearerAuthOptions } from './bearer-auth.ts'
import { mcpHandler, type McpHandlerOptions } from './mcp-handler.ts'
import { RefusalLog } from './refusal-log.ts'

const RESOURCE = 'https://tools.example/mcp'
const who = tool({ name: 'who', description: 'Says who calls.', effect: 'read', execute: (_, { principal }) => principal?.id ?? '' })
const refund = tool({ name: 'refund', description: 'Pays back.', effect: 'write', permissions: ['refunds'], execute: () => 'paid' })

async function guardedShop(options: Partial<McpHandlerOptions> = {}, rules: Partial<BearerAuthOptions> = {}) {
  const issuer = await localIssuer(RESOURCE)
  const { log, lines } = recordedLog()
  const auth = bearerAuth({ issuer: issuer.issuer, jwksUri: issuer.jwksUri, resource: RESOURCE, scopes: ['tools'], ...rules })
  const mcp = await mcpHandler({ tools: [who, refund], auth, log, ...options })
  onTestFinished(() => mcp.close())
  const url = await listening(mcp.node)
  const call = (token?: string, name = 'who', headers = token === undefined ? {} : { authorization: `Bearer ${token}` }) =>
    statelessRequest(url, 'tools/call', { name, arguments: { input: '' } }, headers)
  return { ...issuer, lines, call }
}

test('the log has the reason of each refused token, and no token [X6]', async () => {
  const { badTokens, token, call, lines } = await guardedShop()
  const bad = await badTokens()
  for (const each of Object.values(bad)) expect((await call(each)).status).toBe(401)
  expect((await call(await token({ scope: 'other' }))).status).toBe(403)
  expect((await call(await token(), 'refund')).status).toBe(403)
  const all = lines.join('\n')
  for (const reason of [
    "'aud' of the token is not",
    "'iss' of the token is not",
    'has expired',
    'the signature of the token is wrong',
    'an algorithm that is not taken',
    'lacks the scope tools',
    "'refund' needs tools refunds",
    'from 127.0.0.1',
  ])
    expect(all).toContain(reason)
  expect(lines).toHaveLength(Object.keys(bad).length + 2)
  for (const each of Object.values(bad)) expect(all).not.toContain(each.split('.')[1])
})

test.each(['Basic YWRhOnNlY3JldA==', 'Bearer', 'Bearer two words'])(
  'the log says that %j is no bearer token, and not that a token is wrong',
  async (given) => {
    const { call, lines } = await guardedShop()
    expect((await call(undefined, 'who', { authorization: given })).status).toBe(401)
    expect(lines.join('\n')).toContain('the header Authorization has no bearer token')
  },
)

test('keys that cannot be read are logged with their place and the cause', async () => {
  const { token, call, lines } = await guardedShop({}, { jwksUri: 'http://127.0.0.1:1/jwks' })
  expect((await call(await token())).status).toBe(503)
  expect(lines.join('\n')).toMatch(/http:\/\/127\.0\.0\.1:1\/jwks cannot be read: .*(?:ECONNREFUSED|fetch failed)/)
})

test('refused requests are limited, and do not lock out a good token [X6]', async () => {
  const { token, call } = await guardedShop({ limits: { refusals: { calls: 5, per: '1m' } } })
  const statuses: number[] = []
  for (let index = 0; index < 8; index++) statuses.push((await call(index % 2 === 0 ? undefined : 'wrong')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  const late = await call()
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(late.headers.get('www-authenticate')).toContain('resource_metadata')
  expect((await call(await token())).status).toBe(200)
})

test('the log of refusals is short, and says how many were left out', async () => {
  const clock = fakeClock()
  const { log, lines } = recordedLog()
  const refusals = new RefusalLog('info', log, clock)
  for (let index = 0; index < 1000; index++) refusals.add(`refused ${index}`)
  expect(lines).toHaveLength(20)
  await clock.advance(60_000)
  refusals.add('refused again')
  expect(lines.slice(20)).toEqual([expect.stringContaining('980 more'), expect.stringContaining('refused again')])
})
