/** What the examples in the comments of src refer to and do not make themselves. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { LanguageModel } from 'ai'
import { annotate, compound, type ReviewRequest, tool } from 'toolwright'
import { z } from 'zod'

export interface Order {
  readonly id: string
  readonly total: number
}

export interface OrderBook {
  readonly of: (email: string) => readonly Order[]
}

export const db: OrderBook = { of: () => rows }

export const rows: readonly Order[] = [{ id: 'order_7', total: 120 }]

export const input = { email: 'ada@example.com' }

export const orders = tool({
  name: 'find_orders',
  description: 'Finds the orders of a customer, newest first.',
  inputSchema: z.object({ email: z.email() }),
  effect: 'read',
  execute: ({ email }) => db.of(email),
})

export const issueRefund = tool({
  name: 'issue_refund',
  description: 'Pays an order back.',
  inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
  idempotent: 'keyed',
  execute: ({ orderId, amount }) => `Refunded ${amount} for ${orderId}.`,
})

export const refund = compound({
  name: 'refund_latest_order',
  description: 'Pays the latest order of a customer back.',
  inputSchema: z.object({ email: z.email() }),
  parts: { orders, issueRefund },
  async run(given, context, parts) {
    const found = await context.call('find', parts.orders, given)
    if (!found.ok) return found
    const [latest] = found.value
    return latest === undefined
      ? 'Nothing to refund.'
      : context.call('refund', parts.issueRefund, { orderId: latest.id, amount: latest.total })
  },
})

export const roll = tool({ name: 'roll', description: 'Rolls a die.', effect: 'read', execute: () => 4 })

export const rollTwice = compound({
  name: 'roll_twice',
  description: 'Rolls a die twice.',
  parts: { roll },
  async run(given: string, context, parts) {
    await context.call('first', parts.roll, given)
    return context.call('second', parts.roll, given)
  },
})

export const greet = tool({
  name: 'greet',
  description: 'Greets a person by name.',
  inputSchema: z.object({ name: z.string() }),
  effect: 'read',
  execute: ({ name }) => `Hello, ${name}!`,
})

export const latestOrder = tool({
  name: 'latest_order',
  description: 'Finds the latest order of a customer.',
  inputSchema: z.object({ email: z.email() }),
  effect: 'read',
  execute: ({ email }) => ({ id: `order of ${email}`, total: 120 }),
})

export const shout = tool({ name: 'shout', description: 'Says it louder.', effect: 'read', execute: (given) => given.toUpperCase() })

export const slow = tool({
  name: 'slow',
  description: 'Never ends by itself.',
  effect: 'read',
  execute: () => new Promise<string>(() => {}),
})

export function evaluate(expression: string): number {
  return expression.split('+').reduce((sum, each) => sum + Number(each), 0)
}

export class MathTools {
  calculate(expression: string): number {
    return evaluate(expression)
  }
}

annotate(MathTools.prototype, { calculate: 'Calculates a mathematical expression.' })

export const session = { tools: [annotate({ today: () => '2026-01-01' }, { today: 'Says which day it is.' })] }

export const tools = [orders]

export async function askOnSlack(request: ReviewRequest): Promise<boolean> {
  return request.tool !== 'drop_database'
}

export const request = new IncomingMessage(new Socket())

export const response = new ServerResponse(request)

export const body = '{}'

export const secret = 'a secret that both sides know'

/** A language model of the AI SDK that always says the same. */
export const languageModel: Extract<LanguageModel, { specificationVersion: 'v4' }> = {
  specificationVersion: 'v4',
  provider: 'scene',
  modelId: 'scene',
  supportedUrls: {},
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'Order 7.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
    warnings: [],
  }),
  doStream: () => Promise.reject(new Error('It does not stream.')),
}

/** An embedding model of the AI SDK that finds all texts alike. */
export const embeddingModel = {
  doEmbed: async ({ values }: { readonly values: readonly string[] }) => ({ embeddings: values.map(() => [1, 2, 3]) }),
}

export const petStore = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: { '/pets': { get: { operationId: 'getPet', responses: {} } } },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
}
