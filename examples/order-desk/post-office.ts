import { createTransport, type Transporter } from 'nodemailer'
import { ToolError } from 'toolwright'

export interface Letter {
  readonly key: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mail by SMTP. */
export class PostOffice {
  readonly #transport: Transporter

  constructor(port: number) {
    this.#transport = createTransport({
      host: '127.0.0.1',
      port,
      ignoreTLS: true,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  /** A refusal is certain: nothing was sent. After any other trouble nobody knows. */
  async send({ key, ...letter }: Letter): Promise<void> {
    try {
      await this.#transport.sendMail({ ...letter, from: 'desk@shop.example', messageId: `<${key}@shop.example>` })
    } catch (cause) {
      const { response, responseCode } = cause as { readonly response?: string; readonly responseCode?: number }
      if (responseCode === undefined || responseCode < 500) throw cause
      throw new ToolError(`The mail server refused the mail: ${response}.`, {
        hint: 'Ask the customer for another address.',
        outcome: 'failed',
        cause,
      })
    }
  }
}
