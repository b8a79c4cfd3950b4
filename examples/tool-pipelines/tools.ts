import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tool, ToolError } from 'toolwright'
import { z } from 'zod'

/** Pages that a search can find: a stand-in for the web that is the same on every machine. */
const PAGES = [
  { title: 'AI trends of the year', url: 'https://example.com/trends', price: 149.99 },
  { title: 'AI tools compared', url: 'https://example.com/tools', price: 89.5 },
]

export const webSearch = tool({
  name: 'web_search',
  description: 'Searches the web. Gives the results as JSON.',
  inputSchema: z.object({ query: z.string().describe('What to look for') }),
  effect: 'read',
  estimates: { latencyMs: 300, p99Ms: 2000, reliability: 0.98, costUsd: 0.005 },
  execute: ({ query }) => ({
    results: PAGES.filter(({ title }) => query.split(' ').some((word) => title.toLowerCase().includes(word.toLowerCase()))),
  }),
})

/** Reads `results[0].title` out of JSON. */
export const jsonParser = tool({
  name: 'json_parser',
  description: 'Takes one value out of JSON by its path.',
  inputSchema: z.object({ jsonPath: z.string().describe('Such as results[0].title'), json: z.string().describe('The JSON text') }),
  effect: 'read',
  estimates: { latencyMs: 1, p99Ms: 2, reliability: 1 },
  execute: ({ jsonPath, json }): string => {
    let value: unknown = JSON.parse(json)
    for (const key of jsonPath.split(/[.[\]]/).filter((part) => part !== '')) {
      value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
    }
    if (value === undefined)
      throw new ToolError(`There is nothing at '${jsonPath}'.`, { class: 'not_found', hint: 'Look at the JSON and correct the path.' })
    return typeof value === 'string' ? value : JSON.stringify(value)
  },
})

/** Multiplies two decimals exactly: all that the examples need of a calculator. */
export const calculator = tool({
  name: 'calculator',
  description: 'Calculates a product such as "149.99 * 1.1".',
  effect: 'read',
  estimates: { latencyMs: 1, p99Ms: 2, reliability: 1 },
  execute: (expression): string => {
    const match = /^\s*(\d+)(?:\.(\d+))?\s*\*\s*(\d+)(?:\.(\d+))?\s*$/.exec(expression)
    if (match === null) throw new ToolError(`'${expression}' is not a product of two decimals.`, { class: 'input_validation' })
    const [, a = '', aFraction = '', b = '', bFraction = ''] = match
    const digits = String(BigInt(a + aFraction) * BigInt(b + bFraction)).padStart(aFraction.length + bFraction.length + 1, '0')
    const point = digits.length - aFraction.length - bFraction.length
    return [digits.slice(0, point), digits.slice(point).replace(/0+$/, '')].filter((part) => part !== '').join('.')
  },
})

/** Writes into one folder, after a person has agreed where that is asked for. */
export function fileWrite(folder: string, { requireApproval = false }: { readonly requireApproval?: boolean } = {}) {
  return tool({
    name: 'file_write',
    description: 'Writes a text to result.txt.',
    effect: 'write',
    idempotent: true,
    requireApproval: requireApproval ? { why: 'It writes to disk.' } : false,
    estimates: { latencyMs: 5, p99Ms: 50, reliability: 0.999 },
    execute: async (content) => {
      await writeFile(join(folder, 'result.txt'), content)
      return 'Written: result.txt'
    },
  })
}
