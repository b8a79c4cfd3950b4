import { readFile, writeFile } from 'node:fs/promises'
import { failure, tool } from 'toolwright'
import { inPhases, task } from 'toolwright/agent'
import { z } from 'zod'

const Order = z.object({ id: z.string(), currency: z.string(), amount: z.number() })

const readOrders = tool({
  name: 'read_orders',
  description: 'Reads the orders of a day.',
  effect: 'read',
  inputSchema: z.object({ file: z.string() }),
  outputSchema: z.array(Order),
  async execute({ file }) {
    const [, ...lines] = (await readFile(file, 'utf8')).trim().split('\n')
    return lines.map((line) => {
      const [id = '', currency = '', amount = ''] = line.split(',')
      return { id, currency, amount: Number(amount) }
    })
  },
})

const readRates = tool({
  name: 'read_rates',
  description: 'Reads the exchange rates of a day.',
  effect: 'read',
  inputSchema: z.object({ file: z.string() }),
  outputSchema: z.record(z.string(), z.number()),
  execute: async ({ file }) => JSON.parse(await readFile(file, 'utf8')),
})

const convert = tool({
  name: 'convert',
  description: 'Adds orders of all currencies in euros.',
  effect: 'read',
  inputSchema: z.object({ orders: z.array(Order), rates: z.record(z.string(), z.number()) }),
  outputSchema: z.object({ orders: z.number(), euros: z.number() }),
  execute({ orders, rates }) {
    const unknown = orders.find(({ currency }) => rates[currency] === undefined)
    if (unknown !== undefined) return failure(`There is no rate of ${unknown.currency} for the order ${unknown.id}.`)
    const euros = orders.reduce((sum, { currency, amount }) => sum + amount * (rates[currency] ?? 0), 0)
    return { orders: orders.length, euros: Math.round(euros * 100) / 100 }
  },
})

const writeReport = tool({
  name: 'write_report',
  description: 'Writes the report of a day.',
  effect: 'write',
  idempotent: true,
  inputSchema: z.object({ file: z.string(), text: z.string() }),
  async execute({ file, text }) {
    await writeFile(file, text)
    return text
  },
})

const orders = task({
  name: 'orders',
  description: 'The orders of the day.',
  tool: readOrders,
  input: (_earlier, { folder, day }) => ({ file: `${folder}/orders-${day}.csv` }),
})
const rates = task({
  name: 'rates',
  description: 'The rates of the day.',
  tool: readRates,
  input: (_earlier, { folder }) => ({ file: `${folder}/rates.json` }),
})
const totals = task({
  name: 'totals',
  description: 'All orders in euros.',
  tool: convert,
  input: (earlier) => ({ orders: earlier(orders).value, rates: earlier(rates).value }),
})
const report = task({
  name: 'report',
  description: 'The report of the day.',
  tool: writeReport,
  input: (earlier, { out, day }) => {
    const { orders: count, euros } = earlier(totals).value
    return { file: `${out}/report-${day}.txt`, text: `${day}: ${count} orders, ${euros} EUR` }
  },
})

/** Extract side by side, then transform, then load: four tasks, and no model. */
export const nightly = inPhases({
  name: 'nightly',
  description: 'Adds the orders of a day and writes a report.',
  phases: [[orders, rates], [totals], [report]],
})
