import { tool } from 'toolwright'
import { z } from 'zod'

/** What a search can find: a stand-in for the web that is the same on every machine. */
const OFFERS = [
  { title: 'Mechanical keyboard, 84 keys', url: 'https://shop.example/keyboard-84', price: 149.99 },
  { title: 'Mechanical keyboard, full size', url: 'https://shop.example/keyboard-104', price: 179 },
  { title: 'Trackball', url: 'https://shop.example/trackball', price: 62.5 },
]

export const webSearch = tool({
  name: 'web_search',
  description: 'Searches the web for offers. Gives title, address and price of each, best match first.',
  inputSchema: z.object({ query: z.string().min(1).describe('What to look for') }),
  outputSchema: z.object({ results: z.array(z.object({ title: z.string(), url: z.string(), price: z.number() })) }),
  effect: 'read',
  estimates: { latencyMs: 300, p99Ms: 2000, reliability: 0.98, costUsd: 0.005 },
  async execute({ query }, { sleep, progress }) {
    progress(`looking for ${query}`)
    await sleep(40)
    const words = query.toLowerCase().split(/\s+/)
    return { results: OFFERS.filter(({ title }) => words.some((word) => title.toLowerCase().includes(word))) }
  },
})
