import assert from 'node:assert/strict'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { agent } from 'toolwright/agent'
import { gptTokens } from 'toolwright/context'
import { catalog } from 'toolwright/select'
import { scriptedModelServer } from 'toolwright/testing'
import { listedTools } from './listed-tools.ts'
import { officeTools } from './office-tools.ts'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

await using clearing = new AsyncDisposableStack()
const count = await gptTokens()

// `node main.ts tools.json` counts with the tools of a file, such as those of your own servers.
const [, , file] = process.argv
const servers = file === undefined ? officeTools() : await listedTools(file)
const all = [...servers.values()].flat()
const tools = await catalog([], { countTokens: count })
for (const [server, each] of servers) await tools.add(each, { server })

/** What the model of the script calls. The tools of a file are found, and not called. */
const [find, pay] =
  file === undefined
    ? [
        [{ toolCalls: [{ name: 'shop_find_order', arguments: { person: 'ada@example.com' } }] }],
        [{ toolCalls: [{ name: 'shop_create_refund', arguments: { id: 'OR-1042', note: 'It came broken.' } }] }],
      ]
    : [[], []]

/** The agent with all tools, and the same with the catalog. The model follows a script: what it is sent is counted, as it came over the wire. */
const schemaTokens = async (has: 'all' | 'catalog'): Promise<readonly number[]> => {
  const model = await scriptedModelServer({
    turns: [
      ...find,
      ...(has === 'all' ? [] : [{ toolCalls: [{ name: 'search_tools', arguments: { query: 'write a refund for an order' } }] }]),
      ...pay,
      { text: 'The order of Ada is refunded.' },
    ],
  })
  clearing.defer(model.close)
  const clerk = agent({
    name: 'clerk',
    role: 'Office clerk',
    goal: 'Do what people ask for.',
    model: createOpenAICompatible({ name: 'model', baseURL: model.url })('model'),
    ...(has === 'all' ? { tools: all } : { catalog: { from: tools, first: 3, offered: 5 } }),
  })
  const answer = await clerk.run('Find the order of ada@example.com in the shop.')
  assert.equal(answer.text, 'The order of Ada is refunded.')
  if (pay.length > 0) assert.equal(answer.ok && JSON.stringify(answer.value.messages).includes('create refund: done'), true)
  return model.requests.map(({ body }) => count(JSON.stringify(body.tools ?? [])))
}

const before = await schemaTokens('all')
const after = await schemaTokens('catalog')
const mean = (figures: readonly number[]): number => Math.round(figures.reduce((sum, each) => sum + each, 0) / figures.length)
const saved = 100 * (1 - Math.max(...after) / Math.min(...before))
const turns = (figures: readonly number[]): string => `${figures.length} ${figures.length === 1 ? 'turn' : 'turns'}`
print(`${all.length} tools: ${mean(before)} tokens of schemas in each of ${turns(before)}`)
print(`the catalog: ${after.join(', ')} tokens, in ${turns(after)}`)
print(`${saved.toFixed(1)} % fewer in the worst turn`)
assert.ok(saved >= 98, 'A turn with the catalog has at least 98 % fewer tokens of schemas.')

const tree = await tools.tree()
const largest = tree.categories.toSorted((a, b) => b.tools - a.tools)[0]
const shown = tree.categories.find(({ name }) => name === 'shop') ?? largest
print(`categories: ${tree.categories.map(({ name, tools: size }) => `${name} ${size}`).join(', ')}`)
print(`the schemas of the ${shown?.name}: ${shown?.schemaTokens} of ${tree.schemaTokens} tokens`)
