import { gate, tool } from 'toolwright'
import { z } from 'zod'

const Currency = z.enum(['EUR', 'GBP', 'USD'])
const Money = z.object({ amount: z.number(), currency: Currency })
const Line = z.object({ sku: z.string(), quantity: z.number().int().positive(), price: Money })
const Address = z.object({ street: z.string(), city: z.string(), postCode: z.string(), country: z.string().length(2) })
const Customer = z.object({ id: z.string(), email: z.email(), name: z.string(), address: Address, tags: z.array(z.string()) })
const Order = z.object({ id: z.string(), customerId: z.string(), lines: z.array(Line), placedAt: z.iso.datetime() })
const Decision = z.object({ orderId: z.string(), verdict: z.enum(['refund', 'replace', 'refuse']), reason: z.string().optional() })

export const readMail = tool({
  name: 'read_mail',
  description: 'Reads a mail of the support desk.',
  inputSchema: z.object({ mailId: z.string() }),
  outputSchema: z.object({ from: z.email(), subject: z.string(), body: z.string() }),
  effect: 'read',
  execute: ({ mailId }) => ({ from: 'ada@example.com', subject: mailId, body: 'Order A-1001 is broken.' }),
})

export const translate = tool({
  name: 'translate',
  description: 'Translates a text into English.',
  inputSchema: z.object({ body: z.string(), style: z.enum(['plain', 'literal']).default('plain') }),
  effect: 'read',
  execute: async ({ body, style }) => ({ text: body, style }),
})

export const findReference = tool({
  name: 'find_reference',
  description: 'Finds the number of an order in a text.',
  effect: 'read',
  execute: (text) => ({ orderId: /[A-Z]-\d+/.exec(text)?.[0] ?? '' }),
})

export const findOrder = tool({
  name: 'find_order',
  description: 'Finds an order.',
  inputSchema: z.object({ orderId: z.string() }),
  outputSchema: z.object({ order: Order }),
  effect: 'read',
  permissions: ['orders:read'],
  execute: ({ orderId }) => ({ order: { id: orderId, customerId: 'ada', lines: [], placedAt: '2026-01-01T00:00:00Z' } }),
})

export const findCustomer = tool({
  name: 'find_customer',
  description: 'Finds the customer of an order.',
  inputSchema: z.object({ order: Order }),
  outputSchema: z.object({ order: Order, customer: Customer }),
  effect: 'read',
  execute: ({ order }) => {
    const address = { street: 'Main Street 1', city: 'London', postCode: 'N1', country: 'GB' }
    return { order, customer: { id: order.customerId, email: 'ada@example.com', name: 'Ada', address, tags: [] } }
  },
})

export const priceLines = tool({
  name: 'price_lines',
  description: 'Adds up the lines of an order.',
  inputSchema: z.object({ order: Order, customer: Customer.pick({ tags: true }) }),
  outputSchema: z.object({ orderId: z.string(), total: Money }),
  effect: 'read',
  execute: ({ order }) => ({
    orderId: order.id,
    total: { amount: order.lines.reduce((sum, { price, quantity }) => sum + price.amount * quantity, 0), currency: 'GBP' as const },
  }),
})

export const convert = tool({
  name: 'convert',
  description: 'Converts money.',
  inputSchema: z.object({ orderId: z.string(), from: Money, to: Currency }),
  outputSchema: z.object({ orderId: z.string(), total: Money }),
  effect: 'read',
  execute: ({ orderId, from, to }) => ({ orderId, total: { amount: from.amount, currency: to } }),
})

export const addTax = tool({
  name: 'add_tax',
  description: 'Adds the tax of a country.',
  inputSchema: z.object({ orderId: z.string(), total: Money, country: z.string().default('GB') }),
  effect: 'read',
  execute: async ({ orderId, total }) => ({ orderId, net: total, tax: { ...total, amount: total.amount / 5 } }),
})

export const assessRisk = tool({
  name: 'assess_risk',
  description: 'Says how risky a refund is.',
  inputSchema: z.object({ orderId: z.string(), net: Money, tax: Money }),
  outputSchema: z.object({ orderId: z.string(), level: z.enum(['low', 'high']), score: z.number().min(0).max(1) }),
  effect: 'read',
  execute: ({ orderId, net }) => ({ orderId, level: net.amount > 100 ? ('high' as const) : ('low' as const), score: 0.5 }),
})

export const decide = tool({
  name: 'decide',
  description: 'Decides what to do about an order.',
  inputSchema: z.object({ orderId: z.string(), level: z.enum(['low', 'high']) }),
  outputSchema: Decision,
  effect: 'read',
  execute: ({ orderId, level }) => ({ orderId, verdict: level === 'low' ? ('refund' as const) : ('refuse' as const) }),
})

export const settle = gate(
  tool({
    name: 'settle',
    description: 'Carries a decision out.',
    inputSchema: Decision,
    outputSchema: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('paid'), orderId: z.string(), money: Money }),
      z.object({ kind: z.literal('sent'), orderId: z.string(), parcel: z.string() }),
      z.object({ kind: z.literal('nothing'), orderId: z.string() }),
    ]),
    effect: 'irreversible',
    idempotent: 'keyed',
    execute: ({ orderId }) => ({ kind: 'nothing' as const, orderId }),
  }),
  { approval: ({ verdict }) => verdict !== 'refuse' },
)

export const describeOutcome = tool({
  name: 'describe_outcome',
  description: 'Says in words what was done.',
  effect: 'read',
  execute: (outcome) => `What was done: ${outcome}`,
})

export const writeMail = tool({
  name: 'write_mail',
  description: 'Writes a mail.',
  inputSchema: z.object({ to: z.array(z.email()), text: z.string(), tone: z.enum(['warm', 'formal']) }),
  effect: 'read',
  execute: ({ to, text, tone }) => ({ to, text: `${tone}: ${text}`, parts: [{ type: 'text' as const, text }] }),
})

export const proofread = tool({
  name: 'proofread',
  description: 'Corrects a mail.',
  inputSchema: z.object({ to: z.array(z.string()), parts: z.array(z.object({ type: z.enum(['text', 'image']), text: z.string() })) }),
  effect: 'read',
  execute: async ({ to, parts }) => ({ to, lines: parts.map(({ text }) => text), changes: 0 }),
})

export const sendMail = tool({
  name: 'send_mail',
  description: 'Sends a mail.',
  inputSchema: z.object({ to: z.array(z.string()).min(1), lines: z.array(z.string()) }),
  outputSchema: z.object({ messageId: z.string(), accepted: z.array(z.string()) }),
  effect: 'irreversible',
  execute: ({ to }) => ({ messageId: 'm-1', accepted: to }),
})

export const archive = tool({
  name: 'archive',
  description: 'Puts a mail away.',
  inputSchema: z.object({ messageId: z.string(), folder: z.enum(['sent', 'cases']), keepDays: z.number().int().optional() }),
  effect: 'write',
  execute: ({ messageId, folder }) => ({ messageId, place: [folder, 1] as [typeof folder, number] }),
})

export const countCase = tool({
  name: 'count_case',
  description: 'Counts a case.',
  inputSchema: z.object({ place: z.tuple([z.string(), z.number()]) }),
  outputSchema: z.record(z.string(), z.number()),
  effect: 'write',
  execute: ({ place: [folder, count] }) => ({ [folder]: count }),
})

export const report = tool({
  name: 'report',
  description: 'Reports figures.',
  inputSchema: z.record(z.string(), z.number()),
  effect: 'read',
  execute: (figures) => Object.entries(figures).map(([name, value]) => ({ name, value })),
})

export const chart = tool({
  name: 'chart',
  description: 'Draws figures.',
  inputSchema: z.array(z.object({ name: z.string(), value: z.number() })),
  outputSchema: z.object({ svg: z.string(), width: z.number(), height: z.number() }),
  effect: 'read',
  execute: (rows) => ({ svg: '<svg/>', width: rows.length, height: 1 }),
})

export const publish = tool({
  name: 'publish',
  description: 'Puts a drawing on the board.',
  inputSchema: z.object({ svg: z.string() }),
  effect: 'write',
  execute: ({ svg }) => ({ url: `https://example.com/${svg.length}` }),
})
