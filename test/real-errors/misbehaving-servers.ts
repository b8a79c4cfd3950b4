import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { CERTIFICATES, TEST_KEY } from './certificates.ts'

/** Servers on the loopback that fail as the path of a request says. */
export interface MisbehavingServers {
  /** `/status/429?retry-after=7`, `/reset`, `/close`, `/silent`, `/stuck-body`, `/cut-body`, `/garbage`, `/bad-gzip`, `/text/...`, `/around`. */
  readonly http: string
  /** Says what is not HTTP to whoever connects, whatever they send. */
  readonly garbagePort: number
  /** Takes connections and never says a word. */
  readonly silentPort: number
  /** Closes each connection at once. */
  readonly closingPort: number
  readonly tls: Readonly<Record<keyof typeof CERTIFICATES | 'newOnly' | 'wantsCertificate', string>>
  readonly http2: string
  readonly close: () => Promise<void>
}

const ACTS: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, rest: string) => void>> = {
  status: (_request, response, rest) => {
    const { pathname, searchParams } = new URL(rest, 'http://a')
    // The second header keeps the clients of OpenAI from trying again by themselves.
    response.writeHead(Number.parseInt(pathname.slice(1), 10), { ...Object.fromEntries(searchParams), 'x-should-retry': 'false' })
    response.end('{"error":{"message":"It went wrong."}}')
  },
  reset: ({ socket }) => socket.resetAndDestroy(),
  close: ({ socket }) => socket.end(),
  silent: () => undefined,
  'stuck-body': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"a":')
  },
  'cut-body': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"a":', () => response.socket?.end())
  },
  'broken-chunk': ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nabc\r\n'),
  garbage: ({ socket }) => socket.end('I am not HTTP.\r\n\r\n'),
  'huge-header': ({ socket }) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
  'bad-gzip': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not zipped'),
  text: (_request, response, rest) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(decodeURIComponent(rest.slice(1))),
  page: (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
  around: (_request, response) => response.writeHead(302, { location: '/around' }).end(),
}

function act(request: IncomingMessage, response: ServerResponse): void {
  const [, name = '', rest = ''] = /^\/([a-z0-9-]+)(.*)$/.exec(request.url ?? '') ?? []
  request.resume()
  ACTS[name]?.(request, response, rest)
}

export async function startMisbehaving(): Promise<MisbehavingServers> {
  const tcp = (talk: (socket: Socket) => void): Server =>
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      talk(socket)
    })
  const tls = (cert: string, more: object = {}): Server => createHttpsServer({ key: TEST_KEY, cert, ...more }, act)
  const servers = {
    http: createHttpServer(act),
    garbage: tcp((socket) => socket.once('data', () => socket.end('I am not a server of that kind.\r\n'))),
    silent: tcp((socket) => socket.resume()),
    closing: tcp((socket) => socket.destroy()),
    selfSigned: tls(CERTIFICATES.selfSigned),
    expired: tls(CERTIFICATES.expired),
    ofAnotherHost: tls(CERTIFICATES.ofAnotherHost),
    newOnly: tls(CERTIFICATES.selfSigned, { minVersion: 'TLSv1.3' }),
    wantsCertificate: tls(CERTIFICATES.selfSigned, { requestCert: true, rejectUnauthorized: true }),
    http2: refusingStreams(),
  }
  const ports = await Promise.all(Object.values(servers).map((server) => listening(server)))
  const port = (name: keyof typeof servers): number => ports[Object.keys(servers).indexOf(name)] ?? 0
  const https = (name: keyof typeof servers): string => `https://127.0.0.1:${port(name)}`
  return {
    http: `http://127.0.0.1:${port('http')}`,
    garbagePort: port('garbage'),
    silentPort: port('silent'),
    closingPort: port('closing'),
    tls: {
      selfSigned: https('selfSigned'),
      expired: https('expired'),
      ofAnotherHost: https('ofAnotherHost'),
      newOnly: https('newOnly'),
      wantsCertificate: https('wantsCertificate'),
    },
    http2: https('http2'),
    close: async () => {
      await Promise.all(Object.values(servers).map((server) => closed(server)))
    },
  }
}

/** Ends each stream with the code that its path names: `/7` is a refused stream. */
function refusingStreams(): Http2SecureServer {
  const server = createSecureServer({ key: TEST_KEY, cert: CERTIFICATES.selfSigned })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    stream.close(Number(String(headers[':path']).slice(1)))
  })
  return server
}

type AnyServer = Server | HttpServer | Http2SecureServer
const OPEN = new WeakMap<AnyServer, Set<Socket>>()

async function listening(server: AnyServer): Promise<number> {
  const open = new Set<Socket>()
  OPEN.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

async function closed(server: AnyServer): Promise<void> {
  for (const socket of OPEN.get(server) ?? []) socket.destroy()
  await new Promise((done) => server.close(done))
}
