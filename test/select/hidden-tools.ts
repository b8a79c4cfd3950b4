import assert from 'node:assert/strict'
import fc from 'fast-check'
import { catalog, type Catalog, embedder, searchTools, type SelectOptions, type TraceStore } from '../../src/select/index.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { tool } from '../../src/tool/tool.ts'

const PERMISSIONS = ['orders:read', 'orders:write', 'staff:read']
const THINGS = ['order', 'invoice', 'weather', 'salary', 'parcel', 'meeting', 'contract', 'photo']
const VERBS = ['find', 'delete', 'translate', 'send', 'rename']

/** Each with a word that no other has, one of eight sets of permissions, and some with a tag. */
const POOL: readonly AgentTool[] = VERBS.flatMap((verb, row) =>
  THINGS.map((thing, column) => {
    const number = row * THINGS.length + column
    const permissions = PERMISSIONS.filter((_, bit) => ((number * 5 + row) >> bit) % 2 === 1)
    const name = `${verb}_${thing}_x${number}x`
    const tags = number % 3 === 0 ? [`t${thing}`] : []
    const description = `Can ${verb} a ${thing}, code k${number}k.`
    return tool({ name, description, effect: 'read', tags, permissions, execute: () => name })
  }),
)

/** Some tools come from a server of their own, some from one with others, some from none. */
const serverOf = (number: number): string | undefined => [undefined, `s${number}s`, 'shared_one', 'shared_two'][number % 4]

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
  /** Whether traces come through a store, and meanings from a model. */
  hasStore: fc.boolean(),
  hasModel: fc.boolean(),
})

/**
 * Random catalogs, callers, rules and requests: all that a caller gets from a catalog is the same, to the last digit, as from a catalog that
 * holds only what the caller may see.
 */
export async function checkHiddenTools(numRuns: number): Promise<number> {
  let checked = 0
  await fc.assert(
    fc.asyncProperty(world, async ({ tools, permissions, refused, requests, traces, k, tokens, guess, ...parts }) => {
      const all = tools.map((each) => POOL[each] as AgentTool)
      const principal = permissions === null ? undefined : { id: 'ada', permissions }
      const allows = refused === undefined ? undefined : (each: AgentTool): boolean => !refused.includes(POOL.indexOf(each))
      const visible = all.filter(
        (each) => each.permissions.every((needed) => permissions?.includes(needed)) && (allows === undefined || allows(each)),
      )
      const learned = traces.map(({ text, tool: number, served }) => ({ text: text.join(' '), tool: POOL[number]?.name ?? '', served }))
      const names = new Set(visible.map(({ name }) => name))
      const categories = [serverOf(guess) ?? 'other', ...(POOL[guess] as AgentTool).tags, 'shared_tw']
      const asked: Asked = { requests, guess: (POOL[guess] as AgentTool).name, categories, options: { principal, allows, k, tokens } }
      const whole = await made(all, learned, parts)
      const part = await made(
        visible,
        learned.filter((each) => names.has(each.tool)),
        parts,
      )
      const told = await everything(whole, asked)
      assert.deepEqual(told, await everything(part, asked))
      checked++
      const text = told.join('\n')
      for (const each of all.filter(({ name }) => !names.has(name)))
        if (each.name !== asked.guess) assert.ok(!text.includes(each.name), `'${each.name}' is told`)
    }),
    { numRuns },
  )
  return checked
}

type Learned = readonly { readonly text: string; readonly tool: string; readonly served: boolean }[]

interface Parts {
  readonly hasStore: boolean
  readonly hasModel: boolean
}

/** A model that compares letters. */
const model = {
  doEmbed: async ({ values }: { values: string[] }) => ({
    embeddings: values.map((text) => [...'aeiorstn'].map((letter) => 1 + text.split(letter).length)),
  }),
}

/** A store that holds what another process has learned, of all tools. */
function storeOf(learned: Learned): TraceStore {
  const traces = learned.map((each, at) => ({ ...each, at }))
  return {
    add: async () => {},
    since: async (mark) => ({ traces: mark === undefined ? traces : [], forgotten: false, mark: 'read', more: false }),
    forget: async () => 0,
  }
}

/** From three tools on, categories count. */
async function made(tools: readonly AgentTool[], learned: Learned, { hasStore, hasModel }: Parts): Promise<Catalog> {
  const gaps: string[] = []
  const built = await catalog([], {
    threshold: 0.05,
    categoriesFrom: 2,
    onGap: ({ at: _at, ...gap }) => gaps.push(JSON.stringify(gap)),
    store: hasStore ? storeOf(learned) : undefined,
    vectors: hasModel ? embedder(model) : undefined,
  })
  for (const each of tools) await built.add([each], { server: serverOf(POOL.indexOf(each)) })
  if (!hasStore) await built.learn(learned)
  gapsOf.set(built, gaps)
  return built
}

/** What a catalog has told of gaps. */
const gapsOf = new WeakMap<Catalog, string[]>()

interface Asked {
  readonly requests: readonly string[]
  readonly guess: string
  readonly categories: readonly string[]
  readonly options: SelectOptions
}

/** Every text that a caller can get. */
async function everything(tools: Catalog, { requests, guess, categories, options }: Asked): Promise<string[]> {
  const { principal, allows } = options
  const told: string[] = []
  const { search, call } = searchTools(tools, { allows, pageSize: 2 })
  const asText = ({ text, ok, ...rest }: { text: string; ok: boolean; error?: { message: string } }): string =>
    JSON.stringify([ok, text, rest.error?.message])
  for (const request of requests) {
    const { tools: found, ...counts } = await tools.select(request, options)
    told.push(JSON.stringify({ ...counts, found: found.map(({ tool: each, ...rest }) => ({ ...rest, name: each.name })) }))
    for (const name of [guess, ...tools.visibleNames(options)])
      told.push(JSON.stringify((await tools.explain(request, name, options)) ?? null))
    for (const page of [1, 2]) told.push(asText(await search.call({ query: request, page } as never, { principal })))
  }
  told.push(asText(await search.call({ names: [guess] } as never, { principal })))
  told.push(asText(await call.call({ name: guess, arguments: { input: 'x' } } as never, { principal })))
  told.push(asText(await call.call({ name: guess.slice(0, -3), arguments: { input: 'x' } } as never, { principal })))
  told.push(JSON.stringify(await tools.tree({ principal, allows })))
  for (const category of categories) told.push(JSON.stringify((await tools.browse(category, { principal, allows })) ?? null))
  for (const category of ['*', ...categories]) told.push(asText(await search.call({ category } as never, { principal })))
  return [...told, ...(gapsOf.get(tools) ?? [])]
}
