import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { pipe } from '../../src/combinators/pipe/pipe.ts'
import type { RunHandle } from '../../src/run/run-handle-interface.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { latch } from '../fixtures/run/latch.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'
import { proxiedRuns } from '../fixtures/run/proxied-runs.ts'

const database = proxiedRuns()

/** What a statement of the queue may take at most, and after that the silence of a worker that took jobs without knowing it. */
const SOON_MS = 60_000

async function endsSoon(run: RunHandle): Promise<string> {
  const ended = run.result().then(({ text }) => text)
  return Promise.race([ended, pause(SOON_MS, 'not ended', { ref: false })])
}

interface UnderWay {
  /** Lets the run that is in the middle of a step go on, starts others beside it, and gives what they all came to. */
  readonly goOn: () => Promise<readonly string[]>
  /** What took effect, in order. */
  readonly done: readonly string[]
}

/** A worker behind the proxy with a run in the middle of a step, and a starter that nothing happens to. */
async function underWay(): Promise<UnderWay> {
  const { noting, done } = notingTools()
  const held = latch()
  const pay = noting('pay', { meanwhile: (input) => (input === 'ann' ? held.wait() : undefined) })
  const settle = pipe(pay, noting('mail')) as AgentTool<string>
  await database.open('proxied', [settle])
  const starter = await database.open('direct', [settle], { worker: false })
  const first = await starter.start(settle, 'ann')
  await held.begun
  await pause(300)
  return {
    done,
    goOn: async () => {
      held.open()
      const others = await Promise.all(['bob', 'eve'].map((input) => starter.start(settle, input)))
      return Promise.all([first, ...others].map(endsSoon))
    },
  }
}

const ALL = ['ann>pay>mail', 'bob>pay>mail', 'eve>pay>mail']

describe('connections that stay open and pass nothing any more', () => {
  test('one of them beside healthy ones stops no run [G5]', async () => {
    const { goOn } = await underWay()
    database.proxy().connections[0]?.silence('all')
    expect(await goOn()).toEqual(ALL)
  })

  test.each(['all', 'replies'] as const)('when %s are lost on every connection at once, new ones are made [G5]', async (silence) => {
    const { goOn, done } = await underWay()
    for (const connection of database.proxy().connections) connection.silence(silence)
    expect(await goOn()).toEqual(ALL)
    expect(done.filter((each) => each === 'pay ann')).toHaveLength(1)
  })

  test('those that are let in and never answered are given up too [G5]', async () => {
    const { goOn } = await underWay()
    const proxy = database.proxy()
    proxy.admission = 'silent'
    for (const connection of proxy.connections) connection.cut()
    const ended = goOn()
    await pause(4000)
    proxy.admission = 'pass'
    expect(await ended).toEqual(ALL)
  })
})
