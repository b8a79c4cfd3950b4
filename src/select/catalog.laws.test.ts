import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { catalog, type Catalog } from './catalog.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-laws-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const THINGS = ['order', 'invoice', 'weather', 'parcel', 'meeting', 'photo']
const make = (thing: string, verb: string): AgentTool =>
  tool({ name: `${verb}_${thing}`, description: `Can ${verb} a ${thing}.`, effect: 'read', execute: () => 'done' }) as AgentTool
const POOL = ['find', 'delete', 'send'].flatMap((verb) => THINGS.map((thing) => make(thing, verb)))
const nameOf = (number: number): string => (POOL[number] as AgentTool).name

const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), tool: fc.nat(POOL.length - 1) }),
  fc.record({ kind: fc.constant('remove' as const), tool: fc.nat(POOL.length - 1) }),
  fc.record({
    kind: fc.constant('replace' as const),
    server: fc.constantFrom('one', 'two'),
    tools: fc.uniqueArray(fc.nat(POOL.length - 1)),
  }),
  fc.record({ kind: fc.constant('learn' as const), tool: fc.nat(POOL.length - 1), text: fc.constantFrom('book a table', 'rain today') }),
  fc.record({ kind: fc.constant('save' as const) }),
)

const REQUESTS = ['send the invoice and then find my parcel', 'will it rain today?', 'book a table for two']

/** Scores are sums in another order: the last digits may differ. */
async function answers(tools: Catalog): Promise<unknown> {
  const told = []
  for (const request of REQUESTS) {
    const { tools: found } = await tools.select(request, { k: POOL.length })
    told.push(found.map(({ tool: { name }, score }) => `${score.toFixed(4)} ${name}`).toSorted())
  }
  return told
}

test('requests that are asked while tools and traces change see only tools that are there; in the end all is as in a new catalog', async () => {
  let world = 0
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 14 }), async (changes) => {
      const index = join(folder, `index-${world++ % 5}`)
      const tools = await catalog([], { index, threshold: 0 })
      const servers = new Map<string, string | undefined>()
      const learned: { text: string; tool: string; served: true }[] = []
      const asked: Promise<void>[] = []
      const ask = (): void => {
        const request = REQUESTS[asked.length % REQUESTS.length] as string
        asked.push(
          tools.select(request).then(({ tools: found }) => {
            for (const { tool: each } of found) expect(tools.get(each.name)).toBe(each)
          }),
        )
      }
      for (const each of changes) {
        ask()
        if (each.kind === 'add' && !servers.has(nameOf(each.tool))) {
          servers.set(nameOf(each.tool), undefined)
          await Promise.all([tools.add([POOL[each.tool] as AgentTool]), ask()])
        } else if (each.kind === 'remove') {
          expect(tools.remove(nameOf(each.tool))).toBe(servers.delete(nameOf(each.tool)) ? 1 : 0)
        } else if (each.kind === 'replace') {
          const isOther = (name: string): boolean => servers.has(name) && servers.get(name) !== each.server
          const next = each.tools.filter((number) => !isOther(nameOf(number)))
          for (const [name, server] of servers) if (server === each.server) servers.delete(name)
          for (const number of next) servers.set(nameOf(number), each.server)
          await Promise.all([
            tools.replaceServer(
              each.server,
              next.map((number) => POOL[number] as AgentTool),
            ),
            ask(),
          ])
        } else if (each.kind === 'learn') {
          learned.push({ text: each.text, tool: nameOf(each.tool), served: true })
          await Promise.all([tools.learn(learned.slice(-1)), ask()])
        } else if (each.kind === 'save') asked.push(tools.saveIndex())
      }
      await Promise.all(asked)
      expect(tools.names().toSorted()).toEqual([...servers.keys()].toSorted())
      const fresh = await catalog([], { threshold: 0 })
      for (const [name, server] of servers) await fresh.add([POOL.find((each) => each.name === name) as AgentTool], { server })
      await fresh.learn(learned)
      expect(await answers(tools)).toEqual(await answers(fresh))
    }),
    { numRuns: 150 },
  )
}, 60_000)
