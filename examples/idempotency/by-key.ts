import { type AgentTool, idempotent, tool } from 'toolwright'
import { postgresIdempotency, type Store } from 'toolwright/store'
import { z } from 'zod'

const Charge = z.object({ order: z.string(), amount: z.number() })

/** Charges an order once, even if it is called many times: the key of a request is its order. */
export function chargeByKey({ pool }: Store): AgentTool<z.input<typeof Charge>, string> {
  const charge = tool({
    name: 'charge',
    description: 'Charges an order.',
    inputSchema: Charge,
    effect: 'irreversible',
    execute: async ({ order, amount }) => {
      await pool.query('INSERT INTO charge (order_id, amount) VALUES ($1, $2)', [order, amount])
      return `charged ${amount} for ${order}`
    },
  })
  return idempotent(charge, { key: ({ order }) => order, store: postgresIdempotency(pool) })
}
