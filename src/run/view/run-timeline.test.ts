import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fallback } from '../../combinators/fallback/fallback.ts'
import { first, quorum } from '../../combinators/parallel/join.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import type { Inbox } from '../../review/inbox.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { byPerson } from '../../tool/seam/by-person.ts'
import { compound } from '../../tool/compound.ts'
import { tool } from '../../tool/tool.ts'
import { drawRun } from './run-timeline.ts'

type Text = AgentTool<string, string>

const step = (name: string, ms = 0, fails = false): Text =>
  tool({
    name,
    description: 'd',
    effect: 'read',
    execute: async (input, { sleep }): Promise<string> => {
      if (ms > 0) await sleep(ms)
      if (fails) throw new Error(`${name} is down`)
      return `${input}>${name}`
    },
  })

/** The record of a run of this tool, when it has ended. */
async function recordOf(whole: Text) {
  const clock = fakeClock()
  const database = memoryRuns({ clock })
  const runtime = createRuntime({ tools: [whole], database })
  const run = await runtime.start(whole, 'x')
  await clock.until(run.result())
  const record = await (await runtime.runs()).show(run.id)
  await runtime.close()
  return { record, lines: drawRun(record, { now: clock.now(), width: 160 }).split('\n') }
}

describe('what is drawn of a group', () => {
  test('marks a branch that failed where the others were enough, and the group as a success', async () => {
    const whole = parallel(
      { late: step('late', 5, true), early: step('early', 10), other: step('other', 20) },
      { name: 'sources', join: quorum({ count: 2 }) },
    )
    const { record, lines } = await recordOf(ToolPipeline.of('whole', 'd', whole as never as Text, step('after')))
    expect(record.status).toBe('completed')
    expect(record.steps.map(({ path, standing }) => [path, standing])).toEqual([
      ['whole/sources/late', 'not needed'],
      ['whole/sources/early', undefined],
      ['whole/sources/other', undefined],
      ['whole/after', undefined],
    ])
    expect(lines[1]).toMatch(/sources .*✓/)
    expect(lines[2]).toMatch(/late .*✗ not needed, tool_failed: late is down/)
  })

  test('does not excuse a branch whose group failed', async () => {
    const whole = parallel(
      { one: step('one', 5, true), two: step('two', 10, true), three: step('three', 20) },
      { name: 'sources', join: quorum({ count: 2 }) },
    )
    const { record, lines } = await recordOf(whole as never as Text)
    expect(record.status).toBe('failed')
    expect(record.steps.map(({ path, standing }) => [path, standing])).toEqual([
      ['sources/one', undefined],
      ['sources/two', undefined],
      ['sources/three', 'cancelled'],
    ])
    expect(lines.find((line) => line.includes('one '))).toMatch(/✗ tool_failed: one is down/)
  })

  test('ends the bar of a branch that was cancelled where its group ended', async () => {
    const whole = parallel({ fast: step('fast', 10), slow: step('slow', 5000) }, { name: 'sources', join: first() })
    const { record, lines } = await recordOf(ToolPipeline.of('whole', 'd', whole as never as Text, step('after', 990)))
    const slow = record.steps.find(({ tool: name }) => name === 'slow')
    expect(slow).toMatchObject({ standing: 'cancelled', durationMs: 10 })
    expect(lines.find((line) => line.includes('slow'))).toMatch(/10 ms {2}✗ cancelled$/)
  })
})

describe('the attempts of a step', () => {
  test('are counted where a call around it was tried again', async () => {
    let tries = 0
    const flaky: Text = tool({
      name: 'flaky',
      description: 'd',
      effect: 'read',
      execute: (input): string => {
        if (tries++ < 2) throw new Error('busy')
        return input
      },
    })
    const inner = ToolPipeline.of('inner', 'd', step('before'), flaky)
    const whole: Text = compound({
      name: 'whole',
      description: 'd',
      parts: { inner },
      run: async (input, context) => {
        for (let attempt = 1; attempt < 3; attempt++) {
          const result = await context.call('try', inner, input, { attempt })
          if (result.ok) return result
        }
        return context.call('try', inner, input, { attempt: 3 })
      },
    })
    const { record, lines } = await recordOf(whole)
    expect(record.steps.map(({ path, attempts }) => [path, attempts.length])).toEqual([
      ['whole/try/before', 3],
      ['whole/try/flaky', 3],
    ])
    expect(record.steps[1]).toMatchObject({
      output: 'x>before',
      attempts: [{ number: 1, error: { message: 'busy' } }, { number: 2 }, { number: 3 }],
    })
    expect(lines.find((line) => line.includes('flaky'))).toMatch(/✓ 3 attempts$/)
  })

  test('end at the last record of a worker that is silent, as long as no other has taken the run up', async () => {
    const clock = fakeClock()
    const database = memoryRuns({ clock })
    const stuck: Text = tool({
      ...{ name: 'stuck', description: 'd', effect: 'read', deadline: '1d' },
      execute: () => new Promise<never>(() => {}),
    })
    const start = createRuntime({ tools: [stuck], database })
    const { id } = await start.start(stuck, 'x')
    await clock.advance(20_000)
    const before = await (await start.runs()).show(id)
    expect(before).toMatchObject({ status: 'running', lost: [] })
    database.crash()
    await clock.advance(100_000)
    const reader = createRuntime({ tools: [stuck], database, worker: false })
    const record = await (await reader.runs()).show(id)
    await reader.close()
    expect(record).toMatchObject({ status: 'running', lost: [{ from: record.steps[0]?.startedAt }] })
    expect(record.lost[0]?.to).toBeUndefined()
    const bars = drawRun(record, { now: clock.now(), width: 200 }).split('\n')
    expect(bars[0]).toContain('1 worker was lost')
    for (const bar of bars) {
      expect([...bar].filter((sign) => sign === '█').length).toBeLessThan(4)
      expect([...bar].filter((sign) => sign === '░').length).toBeGreaterThan(20)
    }
  })

  test('are counted over workers that were lost, whose time is not drawn as work', async () => {
    const clock = fakeClock()
    const database = memoryRuns({ clock })
    let isStuck = true
    const slow: Text = tool({
      name: 'slow',
      description: 'd',
      effect: 'read',
      deadline: '1d',
      execute: async (input, { sleep }) => (isStuck ? new Promise<never>(() => {}) : (await sleep(1000), input)),
    })
    const start = createRuntime({ tools: [slow], database })
    const { id } = await start.start(slow, 'x')
    await clock.advance(1000)
    database.crash()
    isStuck = false
    await clock.advance(98_000)
    const runtime = createRuntime({ tools: [slow], database })
    await clock.until((await runtime.run(id)).result())
    const record = await (await runtime.runs()).show(id)
    await runtime.close()
    expect(record.lost).toHaveLength(1)
    expect(record.steps).toMatchObject([
      {
        attempts: [
          { number: 1, isLost: true },
          { number: 2, endedAt: record.steps[0]?.endedAt },
        ],
      },
    ])
    const drawn = drawRun(record, { now: clock.now(), width: 200 })
    const [whole = ''] = drawn.split('\n')
    expect(whole).toContain('1 worker was lost')
    expect([...whole].filter((sign) => sign === '█').length).toBeLessThan(4)
    expect([...whole].filter((sign) => sign === '░').length).toBeGreaterThan(20)
  })
})

describe('what a person said', () => {
  const asking = (levels: readonly Text[]) =>
    fallback({ name: 'price', description: 'd', outputSchema: z.object({ price: z.number() }) }, [
      ...(levels as never as readonly [AgentTool<string, { price: number }>]),
      byPerson(),
    ])

  async function decided(decide: (inbox: Inbox, id: string) => Promise<void>) {
    const clock = fakeClock()
    const database = memoryRuns({ clock })
    const whole = ToolPipeline.of('whole', 'd', asking([step('live', 5, true)]) as never as Text, step('after'))
    const runtime = createRuntime({ tools: [whole], database })
    const run = await runtime.start(whole, 'x')
    await clock.advance(10_000)
    const { inbox, show } = await runtime.runs()
    const [item] = await inbox.list()
    await decide(inbox, item?.request.id ?? '')
    await clock.until(run.result())
    const record = await show(run.id)
    await runtime.close()
    return { record, lines: drawRun(record, { now: clock.now(), width: 300 }).split('\n') }
  }

  test('is drawn as the success of a fallback whose levels all failed, with the answer', async () => {
    const { record, lines } = await decided((inbox, id) => inbox.answer(id, { price: 7 }, 'ada'))
    expect(record.status).toBe('completed')
    expect(lines.find((line) => line.includes('├─ price'))).toMatch(/✓ waited .*: answer by ada.*: \{"price":7\}$/)
    expect(lines.find((line) => line.includes('live'))).toContain('✗')
  })

  test('is drawn as a failure if it is no answer', async () => {
    const { record, lines } = await decided((inbox, id) => inbox.reject(id, 'ask me tomorrow', 'ada'))
    expect(record.status).toBe('failed')
    expect(lines.find((line) => line.includes('└─ price'))).toMatch(/✗ waited .*: reject by ada.*: "ask me tomorrow"$/)
  })
})
