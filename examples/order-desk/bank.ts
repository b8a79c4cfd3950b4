import { ToolError } from 'toolwright'

export interface Payment {
  readonly key: string
  readonly orderId: string
  readonly amount: number
}

/** The bank, as the desk reaches it. */
export class Bank {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** The same key pays once, however often it comes. */
  async payOut({ key, ...payment }: Payment, signal: AbortSignal): Promise<void> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    await this.#ask('/payouts', { method: 'POST', headers, body: JSON.stringify(payment), signal })
  }

  async takeBack(orderId: string, signal: AbortSignal): Promise<void> {
    await this.#ask(`/payouts/${encodeURIComponent(orderId)}`, { method: 'DELETE', signal })
  }

  async #ask(path: string, request: RequestInit): Promise<void> {
    const { ok, status } = await fetch(`${this.#url}${path}`, request)
    if (!ok) throw new ToolError(`The bank answered ${status}.`, { class: 'server', outcome: 'unknown' })
  }
}
