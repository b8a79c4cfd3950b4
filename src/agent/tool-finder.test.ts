import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, type ScriptedModel, scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { gate } from '../combinators/gate/gate.ts'
import { outputRouter } from '../context/output-router.ts'
import { catalog } from '../select/index.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { recordingReview } from '../testing/recording-review.ts'
import { replayFromEveryPrefix } from '../testing/replay-from-every-prefix.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { agent, type AgentOptions } from './agent.ts'

/** Plays by what the prompt holds, so that it answers the same in every process. */
const byPrompt =
  (...turns: readonly ModelTurn[]): ModelTurn =>
  ({ prompt }) =>
    turns[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Done.'

const archive: readonly AgentTool[] = Array.from({ length: 60 }, (_, at) =>
  tool({
    name: `read_report_${at}`,
    description: `Reads the report number ${at} of the archive.`,
    effect: 'read',
    inputSchema: z.object({ year: z.number() }),
    execute: ({ year }) => `report ${at} of ${year}`,
  }),
)
const refund = tool({
  name: 'issue_refund',
  description: 'Pays an order back to a customer.',
  effect: 'write',
  idempotent: 'keyed',
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }) => `${order} is paid back`,
})
const weather = tool({
  name: 'weather',
  description: 'Tells the weather of a place.',
  effect: 'read',
  execute: (place) => `rain in ${place}`,
})
const secret = tool({ name: 'erase_customer', description: 'Erases a customer.', permissions: ['erase'], execute: () => 'erased' })

const SCRIPT: readonly ModelTurn[] = [
  { calls: [['weather', { input: 'Paris' }]] },
  { calls: [['search_tools', { query: 'pay an order back to a customer' }]] },
  { calls: [['issue_refund', { order: 'b7' }]] },
  'Rain, and b7 is paid back.',
]

async function desk(script: readonly ModelTurn[], options: Partial<AgentOptions<undefined>> = {}, tools: readonly AgentTool[] = [refund]) {
  const from = await catalog([...archive, weather, secret, ...tools])
  const { model, requests } = scriptedModel(byPrompt(...script))
  const clerk = agent({ name: 'clerk', role: 'Clerk', goal: 'Help.', model, catalog: { from, first: 2, offered: 3 }, ...options })
  return { clerk, from, requests }
}

const offered = ({ requests }: Pick<ScriptedModel, 'requests'>): string[][] =>
  requests.map(({ tools = [] }) => tools.map(({ name }) => name))

test('the tools that fit the task are offered at once, those that a search finds in the turns after it, and never more than so many [S3]', async () => {
  const { clerk, requests } = await desk(SCRIPT)
  const answer = await clerk.run('How is the weather in Paris, at this place?')
  expect(answer.text).toBe('Rain, and b7 is paid back.')
  const lists = offered({ requests })
  expect(lists[0]).toEqual(expect.arrayContaining(['search_tools', 'weather']))
  expect(lists[1]).not.toContain('issue_refund')
  expect(lists[2]).toContain('issue_refund')
  for (const list of lists) expect(list.length).toBeLessThanOrEqual(4)
  const searched = answer.ok ? JSON.stringify(answer.value.messages) : ''
  expect(searched).toContain('issue_refund: Pays an order back to a customer.')
})

test('a tool that was called stays, one that is neither called nor found again goes, and its name still works', async () => {
  const search = (query: string): ModelTurn => ({ calls: [['search_tools', { query }]] })
  const { clerk, requests } = await desk([
    search('pay an order back to a customer'),
    { calls: [['issue_refund', { order: 'a' }]] },
    search('read the report 7 of the archive'),
    { calls: [['read_report_7', { year: 2020 }]] },
    search('read the report 8 of the archive'),
    { calls: [['issue_refund', { order: 'b' }]] },
    'Done.',
  ])
  const answer = await clerk.run('Do things.')
  const lists = offered({ requests })
  expect(lists[2]).toContain('issue_refund')
  expect(lists[5]).not.toContain('issue_refund')
  expect(lists[6]).toContain('issue_refund')
  expect(answer.ok && JSON.stringify(answer.value.messages)).toContain('b is paid back')
})

test('what the caller may not call is not found, not offered, not called and not named', async () => {
  const script: readonly ModelTurn[] = [
    { calls: [['search_tools', { query: 'erase a customer' }]] },
    { calls: [['erase_customer', { input: 'x' }]] },
    { calls: [['erase_custome', { input: 'x' }]] },
    'No.',
  ]
  const { clerk, requests } = await desk(script)
  const answer = await clerk.run('Erase a customer', { principal: { id: 'ada', permissions: [] } })
  const told = JSON.stringify([requests.map(({ prompt, tools }) => [prompt.filter(({ role }) => role === 'tool'), tools]), answer.text])
  expect(told).toContain('There is no tool')
  expect(told.replaceAll(/'erase_custome\w?'|"toolName":"erase_custome\w?"/g, '')).not.toContain('erase')
  const boss = await desk(script)
  const done = await boss.clerk.run('Erase a customer', { principal: { id: 'eve', permissions: ['erase'] } })
  expect(done.ok && JSON.stringify(done.value.messages)).toContain('erased')
})

test('a run that is taken up at any point offers the same, also with a gate in a found tool [S3]', async () => {
  const { clerk, requests } = await desk(SCRIPT, {}, [gate(refund)])
  const task = 'How is the weather in Paris, at this place?'
  const options = () => ({ review: recordingReview({ action: 'continue' }) })
  await clerk.run(task, options())
  const lists = offered({ requests: requests.splice(0) })
  const report = await replayFromEveryPrefix(clerk.asTool(), { task }, { options })
  expect('result' in report.live && report.live.result.text).toBe('Rain, and b7 is paid back.')
  expect(report.diverged).toEqual([])
  expect(report.entries.some(({ kind, path }) => kind === 'decision' && path === 'clerk/found')).toBe(true)
  for (const { prompt, tools = [] } of requests)
    expect(tools.map(({ name }) => name)).toEqual(lists[prompt.filter(({ role }) => role === 'assistant').length])
})

test('a parked run goes on with the tools that it had found, though the catalog finds others by now', async () => {
  const { clerk, from, requests } = await desk(SCRIPT, {}, [gate(refund)])
  const task = 'How is the weather in Paris, at this place?'
  const whole = clerk.asTool()
  const runs = memoryRuns()
  const first = createRuntime({ tools: [whole], database: runs })
  const { id } = await first.start(whole, { task })
  await runs.idle()
  expect((await (await first.run(id)).status()).status).toBe('waiting')
  runs.crash()
  expect(requests.splice(0)).toHaveLength(3)
  await from.add([
    tool({
      name: 'pay_back',
      description: 'Tells the weather of a place. Pays an order back to a customer.',
      effect: 'read',
      execute: () => 'x',
    }),
  ])
  const second = createRuntime({ tools: [whole], database: runs })
  for (const { request } of await second.inbox.list({ run: id })) {
    expect(request.tool).toBe('issue_refund')
    await second.inbox.approve(request.id, 'bob')
  }
  const result = await (await second.run(id)).result()
  expect(result).toMatchObject({ ok: true, text: 'Rain, and b7 is paid back.' })
  expect(offered({ requests }).flat()).toContain('issue_refund')
  expect(offered({ requests }).flat()).not.toContain('pay_back')
  await second.close()
})

test('found schemas count for the window of a router', async () => {
  const router = outputRouter({ budget: { window: 4000, maxOutput: 300 } })
  const { clerk, requests } = await desk(SCRIPT, { router })
  const answer = await clerk.run('How is the weather in Paris, at this place?')
  expect(answer.text).toBe('Rain, and b7 is paid back.')
  expect(offered({ requests })[2]).toContain('issue_refund')
})

test('an agent that finds tools counts as one that may do anything, and wrong options are refused', async () => {
  const { clerk, from } = await desk(SCRIPT)
  expect([clerk.asTool().effect, clerk.asTool().idempotent, clerk.asTool().permissions]).toEqual(['irreversible', false, []])
  const { model } = scriptedModel('x')
  const wrong =
    (given: object): (() => unknown) =>
    () =>
      agent({ role: 'r', goal: 'g', model, catalog: given as never })
  for (const given of [{}, { from: {} }, { from, first: 11 }, { from, offered: 0 }, { from, top: 1 }])
    expect(wrong(given)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  expect(() => agent({ role: 'r', goal: 'g', model })).toThrow(/must be a list of tools/)
})

describe('a server is replaced while a run holds found tools', () => {
  const made = (change: string, ran: (own: () => AgentTool) => void): AgentTool => {
    const own: AgentTool = tool({
      name: 'issue_refund',
      description: 'Pays an order back to a customer.',
      effect: 'write',
      inputSchema: change === 'another schema' ? z.object({ invoice: z.string() }) : z.object({ order: z.string() }),
      permissions: change === 'closed' ? ['erase'] : [],
      execute: () => {
        ran(() => own)
        return `paid back by the ${change} one`
      },
    })
    return own
  }

  const cases = ['another object', 'another schema', 'closed', 'gone', 'gone and back'].flatMap((change) =>
    [0, 1, 2, 3].map((moment) => ({ change, moment })),
  )

  test.each(cases)('$change, before answer $moment: the tool that is there is called, or the model reads why not', async (each) => {
    const { change, moment } = each
    const isCurrent: boolean[] = []
    const ran = (own: () => AgentTool): void => void isCurrent.push(from.get('issue_refund') === own())
    const from = await catalog([...archive, weather])
    await from.replaceServer('shop', [made('first', ran)])
    const script = byPrompt(
      { calls: [['search_tools', { query: 'pay an order back to a customer' }]] },
      { calls: [['issue_refund', { order: 'b7' }]] },
      { calls: [['issue_refund', { order: 'b8' }]] },
      'Done.',
    )
    const changes: Promise<void>[] = []
    const { model } = scriptedModel((given) => {
      if (given.prompt.filter(({ role }) => role === 'assistant').length === moment) {
        if (change.startsWith('gone')) changes.push(from.replaceServer('shop', []))
        if (change !== 'gone') changes.push(from.replaceServer('shop', [made(change, ran)]))
      }
      return script
    })
    const clerk = agent({ name: 'clerk', role: 'Clerk', goal: 'Help.', model, catalog: { from, first: 0, offered: 3 } })
    const answer = await clerk.run('Pay back.', { principal: { id: 'ada', permissions: [] } })
    await Promise.all(changes)
    expect(answer.text).toBe('Done.')
    // Calls 1 and 2 are answers 1 and 2: those from the change on meet the new tool.
    const after = Math.max(0, Math.min(2, 3 - Math.max(1, moment)))
    const works = change === 'another object' || change === 'gone and back'
    expect(isCurrent).toEqual(Array<boolean>(works ? 2 : 2 - after).fill(true))
    const messages = answer.ok ? JSON.stringify(answer.value.messages) : ''
    expect(messages.includes(`paid back by the ${change} one`)).toBe(works && after > 0)
    const isMissed = (change === 'gone' || change === 'closed') && after > 0
    expect(messages.includes("There is no tool 'issue_refund'")).toBe(isMissed)
  })
})
