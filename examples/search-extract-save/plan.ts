import { type AgentTool, tool, ToolPipeline } from 'toolwright'
import { calculator, fileWrite, jsonParser } from 'toolwright/kits/basic'
import { z } from 'zod'
import { webSearch } from './catalogue.ts'

/** Search, extract, calculate, save: four tools as one. A person sees the file before it is written. */
export function savePrice(folder: string) {
  return ToolPipeline.builder()
    .name('save_price')
    .description('Finds the best offer for a query, adds 10% tax to its price and saves that to price.txt.')
    .step(webSearch)
    .adapter(({ value }) => ({ jsonPath: 'results[0].price', json: value }))
    .step(jsonParser())
    .adapter(({ text }) => `${text} * 1.1`)
    .step(calculator())
    .adapter(({ text }) => ({ path: 'price.txt', content: `${text}\n`, mode: 'overwrite' as const }))
    .step(fileWrite({ root: folder, requireApproval: true }))
    .build()
}

const pickOffer = tool({
  name: 'pick_offer',
  description: 'Picks an offer.',
  inputSchema: z.object({ query: z.string() }),
  outputSchema: z.object({ sku: z.string(), quantity: z.number().int().min(1).max(500) }),
  effect: 'read',
  execute: () => ({ sku: 'keyboard-84', quantity: 1 }),
})
const placeOrder = tool({
  name: 'place_order',
  description: 'Orders.',
  inputSchema: z.object({ sku: z.string(), quantity: z.number().int().min(1).max(20) }),
  effect: 'irreversible',
  execute: ({ sku, quantity }) => `${quantity} of ${sku} ordered`,
})
const sendReceipt = tool({
  name: 'send_receipt',
  description: 'Sends a receipt.',
  effect: 'write',
  estimates: { latencyMs: 400, reliability: 0.95 },
  execute: (text) => `sent: ${text}`,
})

/** It compiles, since TypeScript knows nothing of bounds; and it would order before it knows whether the rest works. */
export const mistaken: AgentTool<{ query: string }, string> = ToolPipeline.builder()
  .name('order_in_a_hurry')
  .description('Orders what is found.')
  .step(pickOffer)
  .step(placeOrder)
  .step(sendReceipt)
  .build()
