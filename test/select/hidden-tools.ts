import fc from 'fast-check'
import { expect } from 'vitest'
import { catalog, type Catalog, searchTools, type SelectOptions } from '../../src/select/index.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { tool } from '../../src/tool/tool.ts'

const PERMISSIONS = ['orders:read', 'orders:write', 'staff:read']
const THINGS = ['order', 'invoice', 'weather', 'salary', 'parcel', 'meeting', 'contract', 'photo']
const VERBS = ['find', 'delete', 'translate', 'send', 'rename']

/** Each with a word that no other has, and one of eight sets of permissions. */
const POOL: readonly AgentTool[] = VERBS.flatMap((verb, row) =>
  THINGS.map((thing, column) => {
    const number = row * THINGS.length + column
    const permissions = PERMISSIONS.filter((_, bit) => ((number * 5 + row) >> bit) % 2 === 1)
    const name = `${verb}_${thing}_x${number}x`
    return tool({ name, description: `Can ${verb} a ${thing}, code k${number}k.`, effect: 'read', permissions, execute: () => name })
  }),
)

const word = fc.oneof(
  fc.constantFrom(...THINGS, ...VERBS, 'and then', 'please', 'the', ','),
  fc.nat(POOL.length - 1).map((number) => `k${number}k`),
)
const indices = fc.uniqueArray(fc.nat(POOL.length - 1), { maxLength: 14 })

const world = fc.record({
  tools: indices,
  permissions: fc.option(fc.subarray(PERMISSIONS)),
  refused: fc.option(indices, { nil: undefined }),
  requests: fc.array(
    fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 2 },
  ),
  traces: fc.array(
    fc.record({ text: fc.array(word, { minLength: 1, maxLength: 4 }), tool: fc.nat(POOL.length - 1), served: fc.boolean() }),
    {
      maxLength: 6,
    },
  ),
  k: fc.integer({ min: 1, max: 8 }),
  tokens: fc.option(fc.nat(200), { nil: undefined }),
  /** A name that a model may guess. */
  guess: fc.nat(POOL.length - 1),
})

/**
 * Random catalogs, callers, rules and requests: all that a caller gets from a catalog is the same, to the last digit, as from a catalog that
 * holds only what the caller may see.
 */
export async function checkHiddenTools(numRuns: number): Promise<number> {
  let checked = 0
  await fc.assert(
    fc.asyncProperty(world, async ({ tools, permissions, refused, requests, traces, k, tokens, guess }) => {
      const all = tools.map((each) => POOL[each] as AgentTool)
      const principal = permissions === null ? undefined : { id: 'ada', permissions }
      const allows = refused === undefined ? undefined : (each: AgentTool): boolean => !refused.includes(POOL.indexOf(each))
      const visible = all.filter(
        (each) => each.permissions.every((needed) => permissions?.includes(needed)) && (allows === undefined || allows(each)),
      )
      const learned = traces.map(({ text, tool: number, served }) => ({ text: text.join(' '), tool: POOL[number]?.name ?? '', served }))
      const names = new Set(visible.map(({ name }) => name))
      const asked: Asked = { requests, guess: (POOL[guess] as AgentTool).name, options: { principal, allows, k, tokens } }
      const whole = await catalog(all, { threshold: 0.05, server: 'desk' })
      await whole.learn(learned)
      const part = await catalog(visible, { threshold: 0.05, server: 'desk' })
      await part.learn(learned.filter((each) => names.has(each.tool)))
      const told = await everything(whole, asked)
      expect(told).toEqual(await everything(part, asked))
      checked++
      for (const each of all.filter(({ name }) => !names.has(name)))
        if (each.name !== asked.guess) expect(told.join('\n')).not.toContain(each.name)
    }),
    { numRuns },
  )
  return checked
}

interface Asked {
  readonly requests: readonly string[]
  readonly guess: string
  readonly options: SelectOptions
}

/** Every text that a caller can get. */
async function everything(tools: Catalog, { requests, guess, options }: Asked): Promise<string[]> {
  const { principal, allows } = options
  const told: string[] = []
  const { search, call } = searchTools(tools, { allows, pageSize: 2 })
  const asText = ({ text, ok, ...rest }: { text: string; ok: boolean; error?: { message: string } }): string =>
    JSON.stringify([ok, text, rest.error?.message])
  for (const request of requests) {
    const { tools: found, ...counts } = await tools.select(request, options)
    told.push(JSON.stringify({ ...counts, found: found.map(({ tool: each, ...rest }) => ({ ...rest, name: each.name })) }))
    for (const page of [1, 2]) told.push(asText(await search.call({ query: request, page } as never, { principal })))
  }
  told.push(asText(await search.call({ names: [guess] } as never, { principal })))
  told.push(asText(await call.call({ name: guess, arguments: { input: 'x' } } as never, { principal })))
  told.push(asText(await call.call({ name: guess.slice(0, -3), arguments: { input: 'x' } } as never, { principal })))
  return told
}
