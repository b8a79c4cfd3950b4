import type { Pool } from 'pg'

/** The shop's own tables, beside those of the runs. A key stands for one reservation or one payout, however often somebody asks for it. */
const TABLES = `
CREATE SCHEMA order_desk;
CREATE TABLE order_desk.customer_order (id text PRIMARY KEY, email text NOT NULL, total numeric(10, 2) NOT NULL);
CREATE TABLE order_desk.reservation (
  key text PRIMARY KEY,
  order_id text NOT NULL REFERENCES order_desk.customer_order,
  amount numeric(10, 2) NOT NULL CHECK (amount > 0),
  state text NOT NULL DEFAULT 'reserved' CHECK (state IN ('reserved', 'released')),
  asked integer NOT NULL DEFAULT 1
);
CREATE TABLE order_desk.payout (
  key text PRIMARY KEY,
  order_id text NOT NULL,
  amount numeric(10, 2) NOT NULL CHECK (amount > 0),
  state text NOT NULL DEFAULT 'paid' CHECK (state IN ('paid', 'taken back')),
  asked integer NOT NULL DEFAULT 1
);
INSERT INTO order_desk.customer_order VALUES
  ('A-1001', 'ada@example.com', 149.99), ('B-2002', 'bob@example.com', 45.00), ('C-3003', 'cyd@example.com', 60.00);
`

export async function createTables(pool: Pool): Promise<void> {
  await pool.query(TABLES)
}

export interface MoneyRow {
  readonly table: 'reservation' | 'payout'
  readonly amount: string
  readonly state: string
  /** How often somebody asked for it under its key. */
  readonly asked: number
}

/** What the tables say about the money of an order. */
export async function moneyRows(pool: Pool, orderId: string): Promise<readonly MoneyRow[]> {
  const { rows } = await pool.query<MoneyRow>(
    `SELECT 'reservation' AS table, amount, state, asked FROM order_desk.reservation WHERE order_id = $1
     UNION ALL SELECT 'payout', amount, state, asked FROM order_desk.payout WHERE order_id = $1`,
    [orderId],
  )
  return rows
}
