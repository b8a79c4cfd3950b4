import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { gate, tool } from 'toolwright'
import { agent } from 'toolwright/agent'
import { z } from 'zod'

/** A refund clerk: its model is at one address, the shop with its orders at another. */
export function refundClerk({ modelUrl, shopUrl }: { readonly modelUrl: string; readonly shopUrl: string }) {
  const findOrders = tool({
    name: 'find_orders',
    description: 'Finds the orders of a customer, newest first.',
    effect: 'read',
    inputSchema: z.object({ email: z.string() }),
    execute: async ({ email }) => (await fetch(`${shopUrl}/orders?of=${encodeURIComponent(email)}`)).json(),
  })
  const refund = tool({
    name: 'refund',
    description: 'Pays an order back.',
    effect: 'irreversible',
    idempotent: 'keyed',
    inputSchema: z.object({ order: z.string() }),
    execute: async ({ order }, { idempotencyKey }) =>
      (await fetch(`${shopUrl}/refund?order=${order}&key=${encodeURIComponent(idempotencyKey)}`, { method: 'POST' })).text(),
  })
  return agent({
    name: 'refund_clerk',
    role: 'Refund clerk',
    goal: 'Pay back what is due, after a person has agreed.',
    model: createOpenAICompatible({ name: 'model', baseURL: modelUrl })('model'),
    tools: [findOrders, gate(refund)],
  }).asTool()
}
