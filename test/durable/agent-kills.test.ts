import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scriptedModelServer } from '../../src/testing/model-server/scripted-model-server.ts'
import type { ScriptedAnswer, ScriptedTurn } from '../../src/testing/model-server/scripted-turn.ts'
import { deskAgent } from '../fixtures/run/agent-desk.ts'
import { durableRuns } from '../fixtures/run/durable-runs.ts'

const database = durableRuns()
const folder = mkdtempSync(join(tmpdir(), 'agent-kills-'))
const children = new Set<ChildProcess>()

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  if (child.kill('SIGKILL')) await exited
  children.delete(child)
}

afterAll(async () => {
  for (const child of children) await kill(child)
  rmSync(folder, { recursive: true, force: true })
})

const SCRIPT: readonly ScriptedAnswer[] = [
  { toolCalls: [{ name: 'find', arguments: { of: 'ada' } }] },
  { toolCalls: [{ name: 'pay', arguments: { order: 'ada-1' } }] },
  { toolCalls: [{ name: 'find', arguments: { of: 'ben' } }] },
  { toolCalls: [{ name: 'pay', arguments: { order: 'ben-1' } }] },
  { text: 'Both are paid back.' },
]

test(
  'an agent that is killed at each of its turns ends, and asks its model for no recorded turn again [T18]',
  { timeout: 120_000 },
  async () => {
    const file = join(folder, 'paid')
    writeFileSync(file, '')
    /** How often the model was asked for each turn: a ledger of its own. */
    const asked = SCRIPT.map(() => 0)
    let worker: ChildProcess | undefined
    const turn: ScriptedTurn = async ({ body }) => {
      const at = body.messages.filter(({ role }) => role === 'assistant').length
      asked[at] = (asked[at] ?? 0) + 1
      // The first time that a turn is asked for, the worker dies before it has the answer.
      if (asked[at] === 1 && worker !== undefined) await kill(worker)
      return SCRIPT[at] ?? { text: 'Too many turns.' }
    }
    await using server = await scriptedModelServer({ turns: Array.from({ length: 40 }, () => turn) })
    const desk = deskAgent(server.url, file)
    const runs = await database.open([desk], { worker: false })
    const run = await runs.start(desk, { task: 'Pay back.' })
    for (let workers = 0; workers < 10 && (await run.status()).status !== 'completed'; workers++) {
      // As it is when the silence of the dead worker has been noticed.
      await runs.store.pool.query("UPDATE toolwright_queue.job SET state = 'retry', heartbeat_on = NULL WHERE state = 'active'")
      worker = fork(join(import.meta.dirname, '../fixtures/run/agent-worker.ts'), [database.home, server.url, file], { execArgv: [] })
      children.add(worker)
      await Promise.race([once(worker, 'exit'), run.result()])
    }
    expect(await run.result()).toMatchObject({ ok: true, text: 'Both are paid back.', value: { turns: 5, toolCalls: 4 } })
    expect(asked).toEqual([2, 2, 2, 2, 2])
    const paid = readFileSync(file, 'utf8').trim().split('\n')
    expect(paid.map((line) => line.split(' ')[1]).toSorted()).toEqual(['ada-1', 'ben-1'])
  },
)
