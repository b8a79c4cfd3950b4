import { type AgentTool, tool } from 'toolwright'
import type { Store } from 'toolwright/store'
import { z } from 'zod'

const Address = z.object({ customer: z.string(), city: z.string() })

/** Describes the wanted state, not an action: a repeated call changes nothing. */
export function setByUpsert({ pool }: Store): AgentTool<z.input<typeof Address>, string> {
  return tool({
    name: 'set_address',
    description: 'Sets the address of a customer.',
    inputSchema: Address,
    effect: 'write',
    idempotent: true,
    execute: async ({ customer, city }) => {
      await pool.query('INSERT INTO address (customer, city) VALUES ($1, $2) ON CONFLICT (customer) DO UPDATE SET city = excluded.city', [
        customer,
        city,
      ])
      return `${customer} lives in ${city}`
    },
  })
}
