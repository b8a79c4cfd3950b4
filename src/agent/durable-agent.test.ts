import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { gate } from '../combinators/gate/gate.ts'
import { outputRouter } from '../context/output-router.ts'
import { estimateTokens } from '../context/tokens.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { replayFromEveryPrefix } from '../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../testing/run-in-segments.ts'
import { type JournalEntry, memoryJournal } from '../tool/journal/journal.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'
import { textOfOutput } from './messages.ts'

/** Plays by what the prompt holds, so that it answers the same in every process. */
const byPrompt =
  (...turns: readonly ModelTurn[]): ModelTurn =>
  ({ prompt }) =>
    turns[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Done.'

function desk(...turns: readonly ModelTurn[]) {
  const paid: string[] = []
  const orders = tool({
    name: 'orders',
    description: 'Lists orders.',
    effect: 'read',
    inputSchema: z.object({ of: z.string() }),
    execute: ({ of }) => [`${of}-1`, `${of}-2`],
  })
  const pay = tool({
    name: 'pay',
    description: 'Pays back.',
    effect: 'write',
    idempotent: 'keyed',
    inputSchema: z.object({ order: z.string() }),
    execute: ({ order }) => (paid.push(order), `${order} is paid back`),
  })
  const { model, requests } = scriptedModel(byPrompt(...turns))
  const clerk = agent({ name: 'clerk', role: 'Clerk', goal: 'Pay back.', model, tools: [orders, gate(pay)] })
  return { clerk: clerk.asTool(), requests, paid }
}

const SCRIPT: readonly ModelTurn[] = [
  {
    calls: [
      ['orders', { of: 'ada' }],
      ['orders', { of: 'ben' }],
      ['nothing', {}],
      ['orders', '{'],
    ],
  },
  {
    text: 'Paying.',
    calls: [
      ['pay', { order: 'ada-1' }],
      ['pay', { order: 'ben-2' }],
    ],
  },
  'Both are paid back.',
]
const approve = () => ({ review: { review: () => ({ action: 'continue' }) as const } })

test('an agent resumes from every point of its record, and asks its model for no turn twice [T18]', async () => {
  const { clerk, requests } = desk(...SCRIPT)
  const report = await replayFromEveryPrefix(clerk, { task: 'Pay back.' }, { options: approve })
  expect('result' in report.live && report.live.result.text).toBe('Both are paid back.')
  expect(report.diverged).toEqual([])
  expect(report.entries.length).toBeGreaterThan(12)
  // A journal waits for the answers of a model before anything goes on: they have cost something.
  const answers = report.entries.filter((entry) => entry.kind === 'call' && entry.tool === 'clerk_model' && entry.result !== undefined)
  expect(answers.map((entry) => entry.kind === 'call' && entry.repeatable)).toEqual([false, false, false])
  for (let prefix = 0; prefix <= report.entries.length; prefix++) {
    const entries = report.entries.slice(0, prefix)
    const known = entries.filter((entry) => entry.kind === 'call' && entry.tool === 'clerk_model' && entry.result !== undefined)
    const before = requests.length
    await clerk.call({ task: 'Pay back.' }, { ...approve(), journal: memoryJournal(entries), idempotencyKey: 'replayed-run' })
    expect(requests.length - before, `after ${prefix} entries`).toBe(SCRIPT.length - known.length)
  }
})

test('an agent parks at each gate in the middle, and goes on in the next segment', async () => {
  const { clerk, requests, paid } = desk(...SCRIPT)
  const run = await runInSegments(
    clerk,
    { task: 'Pay back.' },
    { decide: ({ tool: name }) => ({ action: name === 'pay' ? 'continue' : 'reject' }) },
  )
  expect('result' in run.end && run.end.result.text).toBe('Both are paid back.')
  expect(run.segments).toBe(3)
  expect(requests).toHaveLength(3)
  expect(paid.toSorted()).toEqual(['ada-1', 'ben-2'])
})

test('a durable agent goes on in another process after a crash, parked at a gate [T18]', async () => {
  const { clerk, requests, paid } = desk(...SCRIPT)
  const runs = memoryRuns()
  const first = createRuntime({ tools: [clerk], database: runs })
  const { id } = await first.start(clerk, { task: 'Pay back.' })
  await runs.idle()
  expect((await (await first.run(id)).status()).status).toBe('waiting')
  runs.crash()
  const second = createRuntime({ tools: [clerk], database: runs })
  for (const { request } of await second.inbox.list({ run: id })) await second.inbox.approve(request.id, 'bob')
  const result = await (await second.run(id)).result()
  expect(result).toMatchObject({ ok: true, text: 'Both are paid back.', value: { turns: 3, toolCalls: 6 }, usage: { tokens: 45 } })
  expect(requests).toHaveLength(3)
  expect(paid.toSorted()).toEqual(['ada-1', 'ben-2'])
  await second.close()
})

test('what a router admits is recorded: a run that is taken up reads the same [T18]', async () => {
  const rows = tool({
    name: 'rows',
    description: 'Many rows.',
    effect: 'read',
    execute: () => Array.from({ length: 500 }, (_, row) => ({ row, name: `name ${row}`, amount: row * 3 })),
  })
  const router = outputRouter({ budget: { window: 4000, maxOutput: 300 } })
  const { model, requests } = scriptedModel(
    byPrompt({ calls: [['rows', { input: '' }]] }, ({ prompt }) => {
      const pointer = /out_\w+/.exec(JSON.stringify(prompt))?.[0]
      return { calls: [['read_output', { pointer, path: '[?row == `321`].amount' }]] }
    }),
  )
  const reader = agent({ name: 'reader', role: 'Reader', goal: 'Read.', model, tools: [rows], router }).asTool()
  // The first run loads packages, for which a fake clock does not wait.
  await reader.call({ task: 'What is the amount of row 321?' })
  requests.splice(0)
  const report = await replayFromEveryPrefix(reader, { task: 'What is the amount of row 321?' })
  // A pointer that is not recorded yet is made anew; from then on the transcript is the same.
  const lastDecision = report.entries.findLastIndex(({ kind }) => kind === 'decision')
  expect(report.diverged.filter(({ prefix, end }) => prefix > lastDecision || !('result' in end) || end.result.text !== 'Done.')).toEqual(
    [],
  )
  expect(report.entries.filter(({ kind }) => kind === 'decision').map(({ path }) => path)).toEqual([
    'reader/delimiter',
    'reader/turn1.call1.admitted',
    'reader/turn2.call1.admitted',
  ])
  expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['rows', 'read_output'])
  expect(JSON.stringify(requests[1]?.prompt.at(-1)).length).toBeLessThan(2500)
  expect(JSON.stringify(requests[2]?.prompt.at(-1))).toContain('963')
})

test('a run that is taken up keeps the budget of its router', async () => {
  const rows = tool({
    name: 'rows',
    description: 'Many rows.',
    effect: 'read',
    inputSchema: z.object({ table: z.number() }),
    execute: ({ table }) => Array.from({ length: 300 }, (_, row) => ({ row, name: `name ${row} of ${table}`, amount: row * table })),
  })
  const call = (table: number): ModelTurn => ({ calls: [['rows', { table }]] })
  const { model } = scriptedModel(byPrompt(call(1), call(2), call(3)))
  const router = outputRouter({ budget: { window: 1600, maxOutput: 600, generationReserve: 0 } })
  const reader = agent({ name: 'reader', role: 'Reader', goal: 'Read.', model, tools: [rows], router }).asTool()
  const admitted = async (
    past: readonly JournalEntry[],
  ): Promise<{ readonly tokens: number; readonly entries: readonly JournalEntry[] }> => {
    const journal = memoryJournal(past)
    const result = await reader.call({ task: 'Read.' }, { journal, idempotencyKey: 'one' })
    const texts = result.ok
      ? result.value.messages.flatMap((message) =>
          message.role === 'tool' ? message.content.map(({ output }) => textOfOutput(output)) : [],
        )
      : []
    expect(texts).toHaveLength(3)
    return { tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0), entries: journal.entries }
  }
  const live = await admitted([])
  expect(live.tokens).toBeGreaterThan(600)
  const second = live.entries.findLastIndex(({ kind, path }) => kind === 'decision' && path.includes('turn2'))
  expect((await admitted(live.entries.slice(0, second + 1))).tokens).toBeLessThanOrEqual(1600)
  expect(live.tokens).toBeLessThanOrEqual(1600)
})

/** What the record of a run holds in the end, in bytes of JSON. */
async function recordedBytes(turns: number): Promise<number> {
  const note = tool({
    name: 'note',
    description: 'Notes a number.',
    effect: 'read',
    inputSchema: z.object({ at: z.number() }),
    execute: ({ at }) => `Number ${at} is noted. `.repeat(20),
  })
  const { model } = scriptedModel(byPrompt(...Array.from({ length: turns }, (_, at): ModelTurn => ({ calls: [['note', { at }]] }))))
  const journal = memoryJournal()
  const result = await agent({ name: 'noter', role: 'Noter', goal: 'Note.', model, tools: [note] })
    .asTool()
    .call({ task: 'Note numbers.' }, { journal, idempotencyKey: 'one' })
  expect(result).toMatchObject({ ok: true, value: { toolCalls: turns } })
  const latest = new Map(journal.entries.map((entry) => [entry.path, entry]))
  return [...latest.values()].reduce((sum, entry) => sum + JSON.stringify(entry).length, 0)
}

test('the record grows with the turns of an agent, not with their square [T18]', async () => {
  const [five, twentyFive] = [await recordedBytes(5), await recordedBytes(25)]
  expect(twentyFive).toBeLessThan(5 * five)
})

test('a run whose prompt is another one is not taken up [T18]', async () => {
  const one = (role: string) => {
    const { model } = scriptedModel('Done.')
    return agent({ name: 'clerk', role, goal: 'Help.', model, tools: [] }).asTool()
  }
  const journal = memoryJournal()
  await one('Clerk').call({ task: 'Help.' }, { journal, idempotencyKey: 'one' })
  expect(JSON.stringify(journal.entries)).toContain('You are: Clerk')
  const again = (role: string) => one(role).call({ task: 'Help.' }, { journal: memoryJournal(journal.entries), idempotencyKey: 'one' })
  expect(await again('Clerk')).toMatchObject({ ok: true })
  await expect(again('Judge')).rejects.toMatchObject({ code: 'replay_diverged' })
})

test('a run that is taken up goes on in the same blocks: all of its transcript can be read [R3]', async () => {
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    inputSchema: z.object({ at: z.number() }),
    execute: ({ at }) => `Seen ${at}.`,
  })
  const { model } = scriptedModel(byPrompt({ calls: [['look', { at: 1 }]] }, { calls: [['look', { at: 2 }]] }))
  const router = outputRouter({ budget: { window: 8000 } })
  const looker = agent({ name: 'looker', role: 'Looker', goal: 'Look.', model, tools: [look], router }).asTool()
  const journal = memoryJournal()
  await looker.call({ task: 'Look.' }, { journal, idempotencyKey: 'one' })
  const firstResult = journal.entries.findIndex(({ path }) => path === 'looker/turn1.call1.admitted')
  const again = await looker.call(
    { task: 'Look.' },
    { journal: memoryJournal(journal.entries.slice(0, firstResult + 1)), idempotencyKey: 'one' },
  )
  const text = again.ok ? JSON.stringify(again.value.messages) : ''
  const marks = new Set([...text.matchAll(/<tool_output-(\d+) /g)].map(([, mark]) => mark))
  expect(text.match(/<tool_output-/g)).toHaveLength(2)
  expect(marks.size).toBe(1)
})
