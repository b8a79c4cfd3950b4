// Three levels for one capability: a bank, its mirror, and a table in the program. Run it with `node examples/exchange-rates/main.ts`.
import { byPerson, fallback, level, tool, ToolError } from 'toolwright'
import { z } from 'zod'
import { type Mood, type RateServer, startRateServer } from './rate-servers.ts'

const Pair = z.object({ pair: z.string().describe('Two currencies, such as EURUSD') })
const Rate = z.object({ rate: z.number() })

const bank = await startRateServer({ EURUSD: 1.0842 })
const mirror = await startRateServer({ EURUSD: 1.08 })

/** Asks a server over HTTP. */
function rateFrom(name: string, { url }: RateServer) {
  return tool({
    name,
    description: 'Gives the rate of two currencies.',
    inputSchema: Pair,
    effect: 'read',
    async execute({ pair }, { signal }) {
      const response = await fetch(`${url}/${pair}`, { signal })
      if (!response.ok) throw new ToolError(`${name} answered ${response.status}.`, { code: 'service_unavailable' })
      return Rate.parse(await response.json())
    },
  })
}

const table = tool({
  name: 'table',
  description: 'Gives the rate of the day before.',
  inputSchema: Pair,
  effect: 'read',
  execute: ({ pair }): { rate: number } => {
    if (pair !== 'EURUSD') throw new ToolError(`The table has no ${pair}.`, { code: 'not_found' })
    return { rate: 1.07 }
  },
})

const exchangeRate = fallback(
  { name: 'exchange_rate', description: 'The rate of two currencies.', inputSchema: Pair, outputSchema: Rate },
  [
    level(rateFrom('bank', bank), { deadline: '3s' }),
    level(rateFrom('mirror', mirror), { deadline: '3s', estimates: { accuracy: 0.95 } }),
    level(table, { estimates: { accuracy: 0.6 } }),
    byPerson({ urgency: 'high' }),
  ],
)

const review = {
  review: ({ why }: { readonly why: string }) => {
    console.log(`  a person is asked: ${why}`)
    return { action: 'answer' as const, value: { rate: 0.0092 }, by: 'ada' }
  },
}

async function ask(pair: string, bankIs: Mood, mirrorIs: Mood): Promise<void> {
  bank.mood = bankIs
  mirror.mood = mirrorIs
  const result = await exchangeRate.call({ pair }, { review, deadline: '20s' })
  const failed = (result.attempts ?? []).flatMap(({ level: name, error }) => (error === undefined ? [] : `${name} ${error.class}`))
  const confidence = result.ok && result.confidence !== undefined ? `, confidence ${result.confidence}` : ''
  console.log(`${pair}, bank ${bankIs}, mirror ${mirrorIs}: ${result.text} by ${result.level}${confidence}`)
  if (failed.length > 0) console.log(`  before it: ${failed.join(', ')}`)
}

await ask('EURUSD', 'fine', 'fine')
await ask('EURUSD', 'overloaded', 'fine')
await ask('EURUSD', 'silent', 'resets')
await ask('EURUSD', 'broken', 'overloaded')
await ask('JPYUSD', 'resets', 'resets')

await bank.close()
await mirror.close()
