import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

interface Mail {
  readonly to: string
  readonly text: string
}

export interface MailServer {
  readonly port: number
  /** What has arrived, oldest first. */
  readonly mails: readonly Mail[]
  /** From now on, mail to this address is refused with 550. */
  readonly refuse: (address: string) => void
  readonly close: () => Promise<void>
}

/** A mail server that keeps what it gets. It listens on this machine only. */
export async function openMailServer(): Promise<MailServer> {
  const mails: Mail[] = []
  const refused = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1000,
    onRcptTo: ({ address }, _session, next) => {
      const refusal = Object.assign(new Error('No such mailbox here'), { responseCode: 550 })
      next(refused.has(address) ? refusal : undefined)
    },
    onData: (stream, { envelope }, next) => {
      text(stream).then((message) => {
        for (const { address } of envelope.rcptTo) mails.push({ to: address, text: bodyOf(message) })
        next()
      }, next)
    },
  })
  // Somebody who hangs up in the middle, as a worker that is killed does, is no trouble of the server.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    refuse: (address) => void refused.add(address),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The mails of the desk are short and plain: what follows the headers is their text. */
function bodyOf(message: string): string {
  return message.slice(message.indexOf('\r\n\r\n')).trim()
}
