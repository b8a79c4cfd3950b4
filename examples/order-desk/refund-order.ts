import { gate, saga, service, tool, ToolError, ToolPipeline } from 'toolwright'
import { z } from 'zod'
import { Bank } from './bank.ts'
import { OrderBook } from './order-book.ts'
import { PostOffice } from './post-office.ts'

const orders = service({ check: (value) => value instanceof OrderBook })
const bank = service({ check: (value) => value instanceof Bank })
const post = service({ check: (value) => value instanceof PostOffice })

/** What a query, a payment and a mail take. */
const ORDERS = { latencyMs: 5, p99Ms: 50, costUsd: 0, reliability: 0.9999 }
const BANK = { latencyMs: 300, p99Ms: 2000, costUsd: 0.1, reliability: 0.999 }
const POST = { latencyMs: 200, p99Ms: 5000, costUsd: 0.0001, reliability: 0.98 }

const OrderId = z.object({ orderId: z.string().describe('The number on the receipt') })
const Refund = OrderId.extend({ amount: z.number().positive() })

const findOrder = tool({
  name: 'find_order',
  description: 'Finds an order by its number.',
  inputSchema: OrderId,
  outputSchema: z.object({ id: z.string(), email: z.email(), total: z.number() }),
  effect: 'read',
  estimates: ORDERS,
  services: { orders },
  async execute({ orderId }, { services }) {
    const order = await services.orders.find(orderId)
    if (order !== undefined) return order
    throw new ToolError(`No order ${orderId} is known.`, { class: 'not_found', hint: 'Ask for the number on the receipt.' })
  },
})

const reserveRefund = tool({
  name: 'reserve_refund',
  description: 'Sets an amount aside to be paid back for an order.',
  inputSchema: Refund,
  effect: 'write',
  idempotent: 'keyed',
  estimates: ORDERS,
  services: { orders },
  async execute({ orderId, amount }, { services, idempotencyKey: key }) {
    await services.orders.reserve({ key, orderId, amount })
    return `${amount.toFixed(2)} reserved for order ${orderId}`
  },
})

const releaseRefund = tool({
  name: 'release_refund',
  description: 'Lets go what was set aside for an order.',
  inputSchema: OrderId,
  effect: 'write',
  idempotent: true,
  estimates: ORDERS,
  services: { orders },
  async execute({ orderId }, { services }) {
    await services.orders.release(orderId)
    return `nothing is reserved for order ${orderId}`
  },
})

const payOut = tool({
  name: 'pay_out',
  description: 'Has the bank pay an amount back for an order.',
  inputSchema: Refund,
  effect: 'write',
  idempotent: 'keyed',
  estimates: BANK,
  services: { bank },
  async execute({ orderId, amount }, { services, idempotencyKey: key, signal }) {
    await services.bank.payOut({ key, orderId, amount }, signal)
    return `${amount.toFixed(2)} paid back for order ${orderId}`
  },
})

const takeBack = tool({
  name: 'take_back',
  description: 'Has the bank take a payout back.',
  inputSchema: OrderId,
  effect: 'write',
  idempotent: true,
  estimates: BANK,
  services: { bank },
  async execute({ orderId }, { services, signal }) {
    await services.bank.takeBack(orderId, signal)
    return `the payout for order ${orderId} is taken back`
  },
})

const mailCustomer = tool({
  name: 'mail_customer',
  description: 'Writes to a customer.',
  inputSchema: z.object({ to: z.email(), subject: z.string(), text: z.string() }),
  effect: 'irreversible',
  estimates: POST,
  services: { post },
  async execute(letter, { services, idempotencyKey: key }) {
    await services.post.send({ key, ...letter })
    return `told ${letter.to}`
  },
})

/** All of it or none of it: when a step fails, those before it are undone, the latest first. */
const refund = saga({
  name: 'refund',
  description: 'Pays an order back and tells the customer.',
  inputSchema: Refund.extend({ email: z.email() }),
})
  .step('reserve', reserveRefund, {
    compensate: { with: releaseRefund, class: 'reversible', input: ({ input: { orderId } }) => ({ orderId }) },
  })
  .step('pay', payOut, {
    compensate: { with: takeBack, class: 'semantic', input: ({ input: { orderId } }) => ({ orderId }) },
  })
  .step('mail', mailCustomer, {
    input: ({ input: { email, orderId }, results }) => ({
      to: email,
      subject: `Your order ${orderId}`,
      text: `Good news: ${results.pay.text}.`,
    }),
    compensate: 'irreversible',
  })
  .build({ output: ({ results }) => `${results.pay.text}; ${results.mail.text}` })

/** What the desk does for a customer: one tool, to be called once. Above 100, a person decides. */
export const refundOrder = ToolPipeline.builder()
  .name('refund_order')
  .description('Pays an order back and tells the customer.')
  .step(findOrder)
  .adapter(({ value: { id, email, total } }) => ({ orderId: id, email, amount: total }))
  .step(
    gate(refund, {
      approval: ({ amount }) => amount > 100,
      why: ({ amount, orderId }) => `A refund of ${amount.toFixed(2)} for order ${orderId} is above 100.`,
      risk: 'high',
    }),
  )
  .build()
