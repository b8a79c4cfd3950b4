import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { scriptedModelServer } from '../../src/testing/model-server/scripted-model-server.ts'
import type { ScriptedAnswer, ScriptedTurn } from '../../src/testing/model-server/scripted-turn.ts'
import { deskAgent } from '../fixtures/run/agent-desk.ts'
import { durableRuns } from '../fixtures/run/durable-runs.ts'

const database = durableRuns()
const folder = mkdtempSync(join(tmpdir(), 'agent-torture-'))
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

const RUNS = 12
const TURNS = 6
const MOST_WORKERS = 30

/** Finds and pays by turns, then answers. */
function answerAt(turn: number, who: string): ScriptedAnswer {
  if (turn > TURNS) return { text: `${who} is done.` }
  const call = turn % 2 === 1 ? { name: 'find', arguments: { of: who } } : { name: 'pay', arguments: { order: `${who}-${turn}` } }
  return { toolCalls: [call], delayMs: 20 }
}

test(
  'agents whose workers are killed after a changing number of turns end; no recorded turn is asked for again, and each key pays one order [T18] [G5]',
  { timeout: 400_000 },
  async () => {
    const file = join(folder, 'paid')
    writeFileSync(file, '')
    const ids = new Map<string, string>()
    const askedAgain: string[] = []
    let asked = 0
    const turn: ScriptedTurn = async ({ body }) => {
      asked++
      const at = body.messages.filter(({ role }) => role === 'assistant').length + 1
      const who = /customer(\d+)/.exec(JSON.stringify(body.messages[1]))?.[0] ?? ''
      const path = `desk/turn${at}`
      const recorded = await runs.store.pool.query('SELECT 1 FROM toolwright.entry WHERE run = $1 AND path = $2 AND ended_no IS NOT NULL', [
        ids.get(who),
        path,
      ])
      if (recorded.rows.length > 0) askedAgain.push(`${who} ${path}`)
      return answerAt(at, who)
    }
    await using server = await scriptedModelServer({ turns: Array.from({ length: 5000 }, () => turn) })
    const desk = deskAgent(server.url, file)
    const runs = await database.open([desk], { worker: false })
    const started = await Promise.all(
      Array.from({ length: RUNS }, async (_, index) => {
        const run = await runs.start(desk, { task: `Pay back customer${index}.` })
        ids.set(`customer${index}`, run.id)
        return run
      }),
    )
    const isOver = async (): Promise<boolean> =>
      (await Promise.all(started.map((run) => run.status()))).every(({ status }) => status === 'completed')
    let kills = 0
    while (kills < MOST_WORKERS && !(await isOver())) {
      // As it is when the silence of the dead worker has been noticed.
      await runs.store.pool.query("UPDATE toolwright_queue.job SET state = 'retry', heartbeat_on = NULL WHERE state = 'active'")
      const child = fork(join(import.meta.dirname, '../fixtures/run/agent-worker.ts'), [database.home, server.url, file], { execArgv: [] })
      children.add(child)
      // After a number of questions that changes each time, at whatever the runs do then.
      const until = asked + 5 + ((kills * 7) % 11)
      while (asked < until && child.exitCode === null && !(await isOver())) await pause(5 + ((kills * 13) % 20))
      await kill(child)
      kills++
    }
    expect(await isOver()).toBe(true)
    const results = await Promise.all(started.map((run) => run.result()))
    console.log(`${kills} kills, ${asked} model calls for ${RUNS * (TURNS + 1)} turns`)
    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: RUNS }, (_, index) => `customer${index} is done.`))
    expect(askedAgain).toEqual([])
    const paid = new Map<string, Set<string>>()
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const [key = '', order = ''] = line.split(' ')
      paid.set(order, (paid.get(order) ?? new Set()).add(key))
    }
    expect(paid.size).toBe((RUNS * TURNS) / 2)
    expect([...paid.values()].every((keys) => keys.size === 1)).toBe(true)
  },
)
