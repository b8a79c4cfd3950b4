import { compound, gate, service, tool, ToolError } from 'toolwright'
import { z } from 'zod'

/** The shop's systems: an order book, a payment service that honours idempotency keys, and a mail room. */
export class Shop {
  readonly payments = new Map<string, string>()
  readonly mails: string[] = []
  readonly #orders: ReadonlyMap<string, { readonly id: string; readonly total: number; readonly paidWith: string }> = new Map([
    ['ada@example.com', { id: 'A-1001', total: 149.99, paidWith: 'card' }],
    ['bob@example.com', { id: 'B-2002', total: 19.5, paidWith: 'voucher' }],
  ])

  latestOrder(email: string) {
    return this.#orders.get(email)
  }

  /** The same key pays once, however often it comes. */
  pay(key: string, text: string): string {
    const known = this.payments.get(key)
    this.payments.set(key, known ?? text)
    return known ?? text
  }
}

const shop = service<Shop>({ check: (value): value is Shop => value instanceof Shop })

const findOrder = tool({
  name: 'find_latest_order',
  description: 'Finds the latest order of a customer.',
  inputSchema: z.object({ email: z.email().describe('The address of the customer') }),
  outputSchema: z.object({ id: z.string(), total: z.number(), paidWith: z.string() }),
  effect: 'read',
  permissions: ['orders:read'],
  services: { shop },
  execute: ({ email }, { services }) => {
    const order = services.shop.latestOrder(email)
    if (order === undefined)
      throw new ToolError(`No order is known for ${email}.`, {
        class: 'not_found',
        hint: 'Ask the customer for the address on the receipt.',
      })
    return order
  },
})

const issueRefund = tool({
  name: 'issue_refund',
  description: 'Pays an amount back for an order.',
  inputSchema: z.object({ orderId: z.string(), amount: z.number().positive() }),
  effect: 'irreversible',
  idempotent: 'keyed',
  permissions: ['refunds:write'],
  services: { shop },
  execute: ({ orderId, amount }, { services, idempotencyKey }) =>
    services.shop.pay(idempotencyKey, `${amount.toFixed(2)} paid back for order ${orderId}`),
})

const notify = tool({
  name: 'notify_customer',
  description: 'Writes to a customer.',
  inputSchema: z.object({ email: z.email(), text: z.string() }),
  effect: 'write',
  idempotent: 'keyed',
  services: { shop },
  async *execute({ email, text }, { services }) {
    yield 'writing'
    services.shop.mails.push(`${email}: ${text}`)
    return `told ${email}`
  },
})

const refundWithApproval = gate(issueRefund, {
  approval: ({ amount }) => amount > 100,
  why: ({ amount }) => `A refund of ${amount.toFixed(2)} is above 100.`,
  risk: 'high',
})

/** Three tools and a person, as one tool. */
export const refundLatestOrder = compound({
  name: 'refund_latest_order',
  version: '1.0.0',
  description: 'Refunds the latest order of a customer and tells them. Use it when a customer asks for their money back.',
  inputSchema: z.object({ email: z.email().describe('The address of the customer') }),
  parts: { findOrder, refundWithApproval, notify },
  async run({ email }, context) {
    const order = await context.call('find', findOrder, { email })
    if (!order.ok) return order
    const refund = await context.call('refund', refundWithApproval, { orderId: order.value.id, amount: order.value.total })
    if (!refund.ok) return refund
    const told = await context.call('notify', notify, { email, text: refund.value })
    return told.ok ? `${refund.value}; ${told.value}` : told
  },
})
