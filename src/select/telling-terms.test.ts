import { expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'

const make = (name: string, description: string) => tool({ name, description, effect: 'read', execute: () => 'done' })

/** Of the six tools that serve requests, all say `ledger`, and none says `amigo`, which is in as many requests. */
const served = ['alpha', 'bravo', 'carol', 'delta', 'eagle', 'fancy']
const known = served.map((name) => make(name, `Opens the ledger of ${name}.`))
const traces = served.map((name) => ({ text: `amigo, the ledger of ${name}`, tool: name, served: true }))
const greeting = make('greeting', 'Says amigo in a friendly way.')
const closing = make('closing', 'Closes a ledger.')
const REQUEST = 'amigo, what about the ledger now'

async function scoresOf(tools: Awaited<ReturnType<typeof catalog>>): Promise<Record<string, number>> {
  const { tools: found } = await tools.select(REQUEST, { k: 20 })
  return Object.fromEntries(found.map(({ tool: { name }, score }) => [name, score]))
}

test('a word that the tools which serve requests with it do not say counts less for new tools', async () => {
  const tools = await catalog([...known, greeting, closing], { vectors: false, threshold: 0 })
  const before = await scoresOf(tools)
  await tools.learn(traces)
  const after = await scoresOf(tools)
  expect((after['greeting'] as number) / (after['closing'] as number)).toBeLessThan(
    (0.6 * (before['greeting'] as number)) / (before['closing'] as number),
  )
})

test('requests that a tool failed say nothing about its words', async () => {
  const tools = await catalog([...known, greeting, closing], { vectors: false, threshold: 0 })
  const unserved = traces.map((trace) => ({ ...trace, text: trace.text.replace('amigo, ', ''), served: true }))
  await tools.learn([...unserved, ...traces.map((trace) => ({ ...trace, served: false }))])
  const failed = await scoresOf(tools)
  await tools.learn(traces)
  const worked = await scoresOf(tools)
  expect((failed['greeting'] as number) / (failed['closing'] as number)).toBeGreaterThan(
    (1.5 * (worked['greeting'] as number)) / (worked['closing'] as number),
  )
})
