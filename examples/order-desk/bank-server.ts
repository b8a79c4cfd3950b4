import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Pool } from 'pg'
import { z } from 'zod'

const Payout = z.object({ orderId: z.string(), amount: z.number().positive() })

/** An answer that is kept back: the money has moved, and whoever asked does not know it yet. */
interface HeldAnswer {
  readonly paid: Promise<void>
  readonly send: () => void
}

export interface BankServer {
  readonly url: string
  /** Keeps back the next answer about an order. */
  readonly hold: (orderId: string) => HeldAnswer
  readonly close: () => Promise<void>
}

/** The bank: an HTTP service that honours idempotency keys. The unique key of its table is what makes a payout happen once. */
export async function openBank(pool: Pool): Promise<BankServer> {
  const held = new Map<string, { readonly onPaid: () => void; readonly sent: Promise<void> }>()
  const payOut = async (request: IncomingMessage): Promise<void> => {
    const { orderId, amount } = Payout.parse(await json(request))
    const key = z.string().parse(request.headers['idempotency-key'])
    await pool.query(
      `INSERT INTO order_desk.payout (key, order_id, amount) VALUES ($1, $2, $3)
       ON CONFLICT (key) DO UPDATE SET asked = payout.asked + 1`,
      [key, orderId, amount],
    )
    const waiting = held.get(orderId)
    held.delete(orderId)
    waiting?.onPaid()
    await waiting?.sent
  }
  const takeBack = (orderId: string) =>
    pool.query("UPDATE order_desk.payout SET state = 'taken back' WHERE order_id = $1", [decodeURIComponent(orderId)])

  const server = createServer((request, response) => {
    const orderId = /^\/payouts\/([^/]+)$/.exec(request.url ?? '')?.[1]
    const done = request.method === 'DELETE' && orderId !== undefined ? takeBack(orderId) : payOut(request)
    done.then(
      () => response.writeHead(204).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (orderId) => {
      const paid = Promise.withResolvers<void>()
      const sent = Promise.withResolvers<void>()
      held.set(orderId, { onPaid: paid.resolve, sent: sent.promise })
      return { paid: paid.promise, send: sent.resolve }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
