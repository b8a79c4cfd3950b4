import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalSite, localSite } from '../../../test/fixtures/web/local-site.ts'
import { CERTIFICATES, TEST_KEY } from '../../../test/real-errors/certificates.ts'
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'
import { httpTool } from './http-tool.ts'

interface SecureSite {
  readonly port: number
  /** The name that each connection asked for, and the headers of each request. */
  readonly connections: (string | false)[]
  readonly requests: { readonly host: string | undefined; readonly authorization: string | undefined }[]
  readonly server: Server
}

async function secureSite(cert: string): Promise<SecureSite> {
  const connections: (string | false)[] = []
  const requests: SecureSite['requests'] = []
  const server = createServer({ key: TEST_KEY, cert }, ({ url = '', headers: { host, authorization } }, response) => {
    requests.push({ host, authorization })
    const to = new URL(url, 'https://x').searchParams.get('to')
    if (to === null) response.end('over https')
    else response.writeHead(302, { location: to }).end()
  })
  server.on('connection', () => void connections.push(false))
  server.on('secureConnection', (socket: TLSSocket & { servername?: string | false }) =>
    connections.splice(-1, 1, socket.servername ?? false),
  )
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, connections, requests, server }
}

let own: SecureSite
let expired: SecureSite
let elsewhere: SecureSite
let plain: LocalSite
const authorities = getCACertificates('default')

beforeAll(async () => {
  own = await secureSite(CERTIFICATES.selfSigned)
  expired = await secureSite(CERTIFICATES.expired)
  elsewhere = await secureSite(CERTIFICATES.ofAnotherHost)
  plain = await localSite(({ url }, response) =>
    response.writeHead(302, { location: new URL(url, 'http://x').searchParams.get('to') ?? '/' }).end(),
  )
})
beforeEach(() => {
  setDefaultCACertificates([CERTIFICATES.selfSigned, CERTIFICATES.expired, CERTIFICATES.ofAnotherHost])
  for (const { connections, requests } of [own, expired, elsewhere]) connections.length = requests.length = 0
  plain.seen.length = 0
})
afterEach(() => setDefaultCACertificates(authorities))
afterAll(async () => {
  for (const { server } of [own, expired, elsewhere]) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await plain.close()
})

const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1'],
  'elsewhere.example': ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'loopback.example': ['127.0.0.1'],
}
const local: GuardedFetchOptions = {
  privateHosts: ['127.0.0.1:*', 'localhost:*', 'elsewhere.example:*', 'metadata.example:*'],
  ports: 'any',
  timeout: '5s',
  lookup: async (host) => NAMES[host.replace(/\.$/, '')] ?? [],
}

describe('over https [T17]', () => {
  test('the certificate is checked for the name, at the address that was checked', async () => {
    let asked = 0
    const visit = guardedFetch({ ...local, lookup: async () => (asked++ === 0 ? ['127.0.0.1'] : ['169.254.169.254']) })
    const { status, body } = await visit(`https://localhost:${own.port}/`)
    expect([status, Buffer.from(body).toString(), asked]).toEqual([200, 'over https', 1])
    expect(own.connections).toEqual(['localhost'])
    expect(own.requests).toMatchObject([{ host: `localhost:${own.port}` }])
  })

  test('an address needs a certificate of its own, and is no name', async () => {
    expect((await guardedFetch(local)(`https://127.0.0.1:${own.port}/`)).status).toBe(200)
    expect(own.connections).toEqual([false])
    await expect(guardedFetch(local)(`https://127.0.0.1:${elsewhere.port}/`)).rejects.toMatchObject({ outcome: 'not_started' })
    expect(elsewhere.requests).toEqual([])
  })

  test('two names at one address have a connection each', async () => {
    const visit = guardedFetch(local)
    await visit(`https://localhost:${own.port}/`)
    await expect(visit(`https://elsewhere.example:${own.port}/`)).rejects.toThrow('its certificate is for another host')
    await visit(`https://localhost:${own.port}/`)
    expect(own.requests).toHaveLength(2)
  })

  const faults: readonly (readonly [what: string, site: () => SecureSite, host: string, why: string])[] = [
    ['has expired', () => expired, 'localhost', 'its certificate has expired'],
    ['is for another host', () => elsewhere, 'localhost', 'its certificate is for another host'],
    ['is for the address and not for the name', () => own, 'elsewhere.example', 'its certificate is for another host'],
  ]
  test.for(faults)('a certificate that %s ends the request before a byte of it is sent', async ([, site, host, why]) => {
    const sent = guardedFetch(local)(`https://${host}:${site().port}/`, { method: 'POST', body: 'pay', headers: { authorization: 't0p' } })
    await expect(sent).rejects.toMatchObject({ outcome: 'not_started', message: expect.stringContaining(why) as string })
    expect(site().requests).toEqual([])
  })

  test('a certificate that nobody vouches for does too, and the tool keeps its secret', async () => {
    setDefaultCACertificates(authorities)
    const pay = httpTool({
      name: 'pay',
      description: 'Pays.',
      method: 'POST',
      url: `https://localhost:${own.port}/`,
      auth: { secret: 'KEY' },
      access: local,
    })
    expect(await pay.call('all', { secrets: { get: () => 't0p' } })).toMatchObject({
      ok: false,
      error: { outcome: 'not_started', message: expect.stringContaining('nobody vouches for its certificate') as string },
    })
    expect(own.requests).toEqual([])
  })

  test('an address that is not allowed is not even connected to', async () => {
    for (const host of ['loopback.example', 'metadata.example', '[::ffff:127.0.0.1]', '0x7f.0.0.2'])
      await expect(guardedFetch(local)(`https://${host}:${own.port}/`)).rejects.toMatchObject({ code: 'url_refused' })
    expect(own.connections).toEqual([])
  })

  test('no redirect leads back to http, and one from http leads to https', async () => {
    const to = (url: string): string => `/?to=${encodeURIComponent(url)}`
    const down = guardedFetch(local)(`https://localhost:${own.port}${to(`${plain.url}/`)}`)
    await expect(down).rejects.toMatchObject({ code: 'url_refused', message: expect.stringContaining('from https to http') as string })
    expect(plain.seen).toEqual([])
    expect((await guardedFetch(local)(`${plain.url}${to(`https://localhost:${own.port}/`)}`)).url).toBe(`https://localhost:${own.port}/`)
  })
})
