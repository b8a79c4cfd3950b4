import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { freePort } from '../fixtures/free-port.ts'
import { CERTIFICATES, TEST_KEY } from './certificates.ts'
import type { MisbehavingServers } from './misbehaving-servers.ts'
import { type RealError, realErrors } from './real-error.ts'

const mail = { from: 'ada@example.com', to: 'bob@example.com', subject: 'Hello', text: 'Hello' }
const times = { connectionTimeout: 2000, greetingTimeout: 400, socketTimeout: 2000 }

interface Sending {
  readonly server?: SMTPServerOptions
  readonly client?: object
  readonly mail?: SendMailOptions
}

/** Sends a mail through a server that refuses as it is told. */
async function sent({ server: options = {}, client = {}, mail: more = {} }: Sending): Promise<void> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    allowInsecureAuth: true,
    onData: (stream, _session, next) => void stream.resume().on('end', () => next()),
    ...options,
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  try {
    await createTransport({ host: '127.0.0.1', port: (listening.address() as AddressInfo).port, ...times, ...client }).sendMail({
      ...mail,
      ...more,
    })
  } finally {
    await new Promise<void>((done) => server.close(() => done()))
  }
}

/** Sends a mail to a server that speaks these lines, one after each of the client, and then closes. */
async function dictated(lines: readonly string[]): Promise<void> {
  const server: Server = createServer((socket) => {
    const left = [...lines]
    const speak = (): void => {
      const line = left.shift()
      if (line === undefined) socket.end()
      else socket.write(`${line}\r\n`)
    }
    socket.on('error', () => undefined)
    socket.on('data', speak)
    speak()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await createTransport({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ...times }).sendMail(mail)
  } finally {
    server.close()
  }
}

const refusal = (responseCode: number): Error => Object.assign(new Error('It went wrong.'), { responseCode })
const refusingData = (code: number): SMTPServerOptions => ({
  onData: (stream, _session, next) => void stream.resume().on('end', () => next(refusal(code))),
})
const refusingRecipients = (code: number): SMTPServerOptions => ({ onRcptTo: (_address, _session, next) => next(refusal(code)) })

export function mailErrors(servers: MisbehavingServers): readonly RealError[] {
  const to = (port: number): Promise<unknown> => createTransport({ host: '127.0.0.1', port, ...times }).sendMail(mail)
  return realErrors('nodemailer', [
    ['nobody listens', 'service_unavailable', 'not_started', async () => to(await freePort())],
    ['a server that is silent', 'service_unavailable', 'not_started', () => to(servers.silentPort)],
    // It says the same as after the message.
    ['a server that closes', 'service_unavailable', 'unknown', () => to(servers.closingPort)],
    ['a server of something else', 'upstream_error', 'not_started', () => dictated(['HTTP/1.1 200 OK'])],
    ['a server that is full', 'service_unavailable', 'not_started', () => dictated(['421 Too busy, come later'])],
    [
      'a wrong password',
      'access_denied',
      'not_started',
      () => sent({ server: { onAuth: (_auth, _session, next) => next(refusal(535)) }, client: { auth: { user: 'a', pass: 'b' } } }),
    ],
    ['no password', 'access_denied', 'not_started', () => sent({ client: { auth: { user: 'a' } } })],
    ['a recipient that does not exist', 'invalid_request', 'failed', () => sent({ server: refusingRecipients(550) })],
    ['a recipient whose mailbox is busy', 'service_unavailable', 'failed', () => sent({ server: refusingRecipients(450) })],
    [
      'a sender that may not send',
      'invalid_request',
      'failed',
      () => sent({ server: { onMailFrom: (_address, _session, next) => next(refusal(553)) } }),
    ],
    ['a message that is refused', 'invalid_request', 'failed', () => sent({ server: refusingData(554) })],
    ['a message that is refused for now', 'service_unavailable', 'failed', () => sent({ server: refusingData(451) })],
    ['a message that is too large', 'invalid_request', 'failed', () => sent({ server: refusingData(552) })],
    ['no recipient', 'invalid_request', 'failed', () => sent({ mail: { to: '' } })],
    [
      'a certificate that nobody signed',
      'upstream_error',
      'not_started',
      () => sent({ server: { disabledCommands: [], key: TEST_KEY, cert: CERTIFICATES.selfSigned }, client: { requireTLS: true } }),
    ],
    ['closed after the message', 'service_unavailable', 'unknown', () => dictated(['220 a', '250 a', '250 a', '250 a', '354 go on'])],
    ['an attachment that does not exist', 'not_found', 'failed', () => sent({ mail: { attachments: [{ path: '/no/such/file' }] } })],
  ])
}
