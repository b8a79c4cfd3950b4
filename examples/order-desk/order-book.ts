import type { Pool } from 'pg'

export interface Order {
  readonly id: string
  readonly email: string
  readonly total: number
}

export interface Reservation {
  readonly key: string
  readonly orderId: string
  readonly amount: number
}

/** Orders, and what is set aside to be paid back for them. */
export class OrderBook {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async find(id: string): Promise<Order | undefined> {
    const { rows } = await this.#pool.query<Order>('SELECT id, email, total::float8 FROM order_desk.customer_order WHERE id = $1', [id])
    return rows[0]
  }

  /** The same key reserves once, however often it comes. */
  async reserve({ key, orderId, amount }: Reservation): Promise<void> {
    await this.#pool.query(
      `INSERT INTO order_desk.reservation (key, order_id, amount) VALUES ($1, $2, $3)
       ON CONFLICT (key) DO UPDATE SET asked = reservation.asked + 1`,
      [key, orderId, amount],
    )
  }

  async release(orderId: string): Promise<void> {
    await this.#pool.query("UPDATE order_desk.reservation SET state = 'released' WHERE order_id = $1", [orderId])
  }
}
