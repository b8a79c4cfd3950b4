import { compound, gate, tool } from 'toolwright'
import { z } from 'zod'

const Order = z.object({ id: z.string(), total: z.number() })

export const orders = tool({
  name: 'find_orders',
  version: '1.2.0',
  description: 'Finds the orders of a customer, newest first.',
  inputSchema: z.object({ email: z.email().describe('The customer') }),
  outputSchema: z.object({ latest: Order }),
  effect: 'read',
  permissions: ['orders:read'],
  estimates: { latencyMs: 80, p99Ms: 400, reliability: 0.99, costUsd: 0.0004 },
  async execute({ email }, { progress }) {
    progress(`Looking for ${email}`)
    return { latest: { id: `order-of-${email}`, total: 149.99 } }
  },
})

export const issueRefund = tool({
  name: 'issue_refund',
  description: 'Pays an order back.',
  inputSchema: z.object({ orderId: z.string(), amount: z.number().positive() }),
  effect: 'irreversible',
  idempotent: 'keyed',
  execute: async ({ orderId, amount }, { idempotencyKey }) => `refunded ${amount} for ${orderId} (${idempotencyKey})`,
})

export const careful = gate(issueRefund, { approval: ({ amount }) => amount > 100, why: 'A refund above 100.' })

export const refund = compound({
  name: 'refund_latest_order',
  description: 'Refunds the latest order of a customer.',
  inputSchema: z.object({ email: z.email() }),
  parts: { orders, careful },
  async run({ email }, context) {
    const found = await context.call('find', orders, { email })
    if (!found.ok) return found
    const { id, total } = found.value.latest
    return context.call('refund', careful, { orderId: id, amount: total })
  },
})

export const answer = await refund.call(
  { email: 'ada@example.com' },
  { deadline: '5s', principal: { id: 'ada', permissions: ['orders:read'] }, review: { review: () => ({ action: 'continue' }) } },
)
export const said: string = answer.ok ? answer.value : answer.error.hint
