import { Resolver } from 'node:dns/promises'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { type RequestOptions, get as getSecurely } from 'node:https'
import { createConnection } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { freePort } from '../fixtures/free-port.ts'
import type { MisbehavingServers } from './misbehaving-servers.ts'
import { type RealError, realErrors } from './real-error.ts'

/** The answer of Node's own clients, body included. */
function got(url: string, { secure = false, ...options }: RequestOptions & { readonly secure?: boolean } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = (secure ? getSecurely : get)(url, options, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (body += part))
      response.on('end', () => resolve(body))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}

/** A name server that answers each question with this code. */
async function nameServer(code: number): Promise<Socket> {
  const server = createSocket('udp4')
  server.on('message', (message, from) => {
    const answer = Buffer.from(message)
    answer[2] = 0x81
    answer[3] = 0x80 | code
    if (code >= 0) server.send(answer, from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function resolved(code: number): Promise<string[]> {
  const server = await nameServer(code)
  const resolver = new Resolver({ timeout: 50, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  try {
    return await resolver.resolve4('shop.example')
  } finally {
    server.close()
  }
}

async function streamed(url: string): Promise<void> {
  const session = connectHttp2(url, { rejectUnauthorized: false })
  try {
    const stream = session.request({ ':path': new URL(url).pathname })
    stream.resume()
    await once(stream, 'end')
  } finally {
    session.destroy()
  }
}

const briefly = (): AbortSignal => AbortSignal.timeout(30)

export function networkErrors(servers: MisbehavingServers): readonly RealError[] {
  const { http, tls, http2 } = servers
  const nowhere = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`
  return [
    ...realErrors('fetch', [
      ['nobody listens', 'service_unavailable', 'not_started', async () => fetch(await nowhere())],
      [
        'nobody listens at either address of a name',
        'service_unavailable',
        'not_started',
        async () => fetch(`http://localhost:${await freePort()}`),
      ],
      ['a name that does not exist', 'service_unavailable', 'not_started', () => fetch('http://no-such-host.invalid')],
      ['the connection is reset', 'service_unavailable', 'unknown', () => fetch(`${http}/reset`)],
      ['the connection is closed without an answer', 'service_unavailable', 'unknown', () => fetch(`${http}/close`)],
      ['the answer is not HTTP', 'upstream_error', 'unknown', () => fetch(`${http}/garbage`)],
      ['a header is too large', 'upstream_error', 'unknown', () => fetch(`${http}/huge-header`)],
      ['a chunk is malformed', 'upstream_error', 'unknown', async () => (await fetch(`${http}/broken-chunk`)).text()],
      ['no answer comes in time', 'service_unavailable', 'unknown', () => fetch(`${http}/silent`, { signal: briefly() })],
      [
        'the body stops in the middle',
        'service_unavailable',
        'unknown',
        async () => (await fetch(`${http}/stuck-body`, { signal: briefly() })).json(),
      ],
      ['the body is cut off', 'service_unavailable', 'unknown', async () => (await fetch(`${http}/cut-body`)).text()],
      ['the caller has gone', 'cancelled', 'unknown', () => fetch(`${http}/silent`, { signal: AbortSignal.abort() })],
      ['redirected for ever', 'upstream_error', 'failed', () => fetch(`${http}/around`)],
      ['redirected though that is refused', 'upstream_error', 'failed', () => fetch(`${http}/around`, { redirect: 'error' })],
      ['a body that is not zipped', 'upstream_error', 'unknown', async () => (await fetch(`${http}/bad-gzip`)).text()],
      ['a page in place of JSON', 'upstream_error', 'unknown', async () => (await fetch(`${http}/page`)).json()],
      ['an empty body in place of JSON', 'upstream_error', 'unknown', async () => (await fetch(`${http}/text/`)).json()],
      [
        'JSON that is cut off',
        'upstream_error',
        'unknown',
        async () => (await fetch(`${http}/text/${encodeURIComponent('{"a":')}`)).json(),
      ],
      ['a URL that is none', 'invalid_request', 'failed', () => fetch('not a url')],
      ['a scheme that it does not know', 'invalid_request', 'failed', () => fetch('gopher://a.example')],
      ['a port that is forbidden', 'invalid_request', 'failed', () => fetch('http://127.0.0.1:25')],
      ['a certificate that nobody signed', 'upstream_error', 'not_started', () => fetch(tls.selfSigned)],
      ['a Response with a status', 'not_found', 'failed', async () => thrown(await fetch(`${http}/status/404`))],
      ['a Response that says when', 'rate_limited', 'failed', async () => thrown(await fetch(`${http}/status/429?retry-after=7`)), 7000],
      [
        'a Response of a busy service',
        'service_unavailable',
        'failed',
        async () => thrown(await fetch(`${http}/status/503?retry-after=2`)),
        2000,
      ],
    ]),
    ...realErrors('node:http', [
      ['nobody listens', 'service_unavailable', 'not_started', async () => got(await nowhere())],
      ['the connection is reset', 'service_unavailable', 'unknown', () => got(`${http}/reset`)],
      ['the connection is closed without an answer', 'service_unavailable', 'unknown', () => got(`${http}/close`)],
      ['the answer is not HTTP', 'upstream_error', 'unknown', () => got(`${http}/garbage`)],
      ['a header is too large', 'upstream_error', 'unknown', () => got(`${http}/huge-header`)],
      ['a chunk is malformed', 'upstream_error', 'unknown', () => got(`${http}/broken-chunk`)],
      ['the body is cut off', 'service_unavailable', 'unknown', () => got(`${http}/cut-body`)],
      ['no answer comes in time', 'service_unavailable', 'unknown', () => got(`${http}/silent`, { signal: briefly() })],
      ['the caller has gone', 'cancelled', 'unknown', () => got(`${http}/silent`, { signal: AbortSignal.abort() })],
      ['a path with a blank', 'invalid_request', 'failed', () => got(http, { path: '/a b' })],
    ]),
    ...realErrors('node:tls', [
      ['a certificate that nobody signed', 'upstream_error', 'not_started', () => got(tls.selfSigned, { secure: true })],
      ['a certificate that has expired', 'upstream_error', 'not_started', () => got(tls.expired, { secure: true })],
      ['a certificate of another host', 'upstream_error', 'not_started', () => got(tls.ofAnotherHost, { secure: true })],
      ['a server without TLS', 'upstream_error', 'not_started', () => got(http.replace('http', 'https'), { secure: true })],
      [
        'a server of newer versions only',
        'upstream_error',
        'not_started',
        () => got(tls.newOnly, { secure: true, maxVersion: 'TLSv1.2', rejectUnauthorized: false }),
      ],
      [
        'a server that wants a certificate',
        'access_denied',
        'not_started',
        () => got(tls.wantsCertificate, { secure: true, rejectUnauthorized: false }),
      ],
      [
        'closed during the handshake',
        'service_unavailable',
        'not_started',
        () => got(`https://127.0.0.1:${servers.closingPort}`, { secure: true }),
      ],
      [
        'a server of something else',
        'upstream_error',
        'not_started',
        () => got(`https://127.0.0.1:${servers.garbagePort}`, { secure: true }),
      ],
      [
        'nobody listens',
        'service_unavailable',
        'not_started',
        async () => once(connectTls({ port: await freePort(), host: '127.0.0.1' }), 'secureConnect'),
      ],
    ]),
    ...realErrors('node:http2', [
      ['a stream that was refused', 'service_unavailable', 'not_started', () => streamed(`${http2}/7`)],
      ['an internal error', 'upstream_error', 'unknown', () => streamed(`${http2}/2`)],
      ['too many calls', 'rate_limited', 'unknown', () => streamed(`${http2}/11`)],
      ['an error of the flow', 'upstream_error', 'unknown', () => streamed(`${http2}/3`)],
      ['a stream that needs HTTP/1', 'upstream_error', 'failed', () => streamed(`${http2}/13`)],
      [
        'a header of HTTP/1',
        'tool_crashed',
        'failed',
        () =>
          connectHttp2(http2, { rejectUnauthorized: false })
            .on('error', () => undefined)
            .request({ connection: 'close' }),
      ],
      ['a certificate that nobody signed', 'upstream_error', 'not_started', () => streamedStrictly(http2)],
      [
        'a session that has ended',
        'service_unavailable',
        'not_started',
        async () => {
          const session = connectHttp2(http2, { rejectUnauthorized: false })
          session.on('error', () => undefined)
          session.destroy()
          await once(session.request({ ':path': '/' }), 'end')
        },
      ],
    ]),
    ...realErrors('node:net', [
      [
        'nobody listens',
        'service_unavailable',
        'not_started',
        async () => once(createConnection(await freePort(), '127.0.0.1'), 'connect'),
      ],
      [
        'no such socket',
        'service_unavailable',
        'not_started',
        async () => once(createConnection('/tmp/no-such-socket-of-a-server'), 'connect'),
      ],
      [
        'written to a server that has gone',
        'service_unavailable',
        'unknown',
        () =>
          new Promise((_resolve, reject) => {
            const socket = createConnection({ port: servers.closingPort, host: '127.0.0.1', allowHalfOpen: true })
            socket.on('error', reject)
            const writing = setInterval(() => socket.write('x'), 5)
            socket.on('close', () => clearInterval(writing))
          }),
      ],
    ]),
    ...realErrors('node:dns', [
      ['a name that does not exist', 'service_unavailable', 'not_started', () => resolved(3)],
      ['a name server that fails', 'upstream_error', 'unknown', () => resolved(2)],
      ['a name server that refuses', 'upstream_error', 'unknown', () => resolved(5)],
      ['a name server that does not understand', 'upstream_error', 'unknown', () => resolved(1)],
      ['a name without an address', 'not_found', 'failed', () => resolved(0)],
      ['a name server that is silent', 'service_unavailable', 'unknown', () => resolved(-1)],
    ]),
    ...realErrors('WebSocket', [['an address that is none', 'invalid_request', 'failed', () => opened('no address')]]),
  ]
}

function thrown(response: Response): never {
  // oxlint-disable-next-line no-throw-literal -- some programs do this.
  throw response
}

async function streamedStrictly(url: string): Promise<void> {
  const session = connectHttp2(url)
  await once(session, 'connect')
}

function opened(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
}
