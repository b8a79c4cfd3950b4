import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { OnSegment } from '../worker/worker-options.ts'

const database = durableRuns()
const SOON = { timings: { beatMs: 100, pollMs: 50 } } as const

/** A step that was done is gone in the new version: it cannot go on with runs of the old one. */
function versions(): {
  readonly old: AgentTool<string, string>
  readonly next: AgentTool<string, string>
  readonly done: readonly string[]
} {
  const { noting, done } = notingTools()
  const rest = gate(noting('mail'))
  return {
    old: ToolPipeline.of('settle', 'Settles.', noting('pay'), rest),
    next: ToolPipeline.of('settle', 'Settles.', noting('pay_out'), rest),
    done,
  }
}

async function parkedRuns(
  tool: AgentTool<string, string>,
  count: number,
): Promise<readonly { readonly id: string; readonly request: string }[]> {
  const runs = await database.open([tool])
  const started = await Promise.all(Array.from({ length: count }, (_, index) => runs.start(tool, String(index))))
  const parked = []
  for (const { id } of started) {
    const request = await openRequest(runs, id)
    await untilStatus(runs, id, 'waiting')
    parked.push({ id, request })
  }
  await runs.close()
  return parked
}

describe('a run that a worker cannot go on with', () => {
  test('is left to one that can, and never blocked beside it [G5]', async () => {
    const { old, next, done } = versions()
    const parked = await parkedRuns(old, 6)
    const desk = await database.open([old], { worker: false })
    const unable = await database.open([next], SOON)
    const able = await database.open([old], { ...SOON, worker: { concurrency: 1 } })
    for (const { request } of parked) await desk.inbox.approve(request)
    for (const { id } of parked) expect(await (await desk.get(id)).result()).toMatchObject({ ok: true })
    expect(done.filter((each) => each.startsWith('mail'))).toHaveLength(6)
    for (const { id } of parked) {
      const { history } = await desk.show(id)
      expect(history.map(({ status }) => status)).not.toContain('blocked')
    }
    await Promise.all([unable.close(), able.close()])
  })

  test('is blocked when nobody is left who can, and goes on when somebody comes who can', async () => {
    const { old, next, done } = versions()
    const [parked] = await parkedRuns(old, 1)
    const desk = await database.open([old], { worker: false })
    const passedOn: string[] = []
    const onSegment: OnSegment = ({ run, unable }) => void passedOn.push(...(unable === undefined ? [] : [`${run}: ${unable}`]))
    const one = await database.open([next], { ...SOON, onSegment })
    const two = await database.open([next], { ...SOON, onSegment })
    await desk.inbox.approve(parked?.request ?? '')
    const id = parked?.id ?? ''
    await untilStatus(desk, id, 'blocked')
    // The first of them says why it does not go on with it.
    expect(passedOn).toEqual([expect.stringMatching(new RegExp(`^${id}: .*'pay'`))])
    expect(await (await desk.get(id)).status()).toMatchObject({ why: { code: 'plan_changed', message: expect.stringContaining("'pay'") } })
    const { history } = await desk.show(id)
    expect(new Set(history.flatMap(({ worker }) => worker ?? [])).size).toBe(3)
    // It stays so, whoever of them looks again.
    await expect.poll(async () => (await desk.store.pool.query('SELECT FROM toolwright_queue.job')).rowCount).toBe(0)
    expect(await (await desk.get(id)).status()).toMatchObject({ status: 'blocked' })
    await database.open([old], SOON)
    await untilStatus(desk, id, 'completed')
    expect(done).toEqual(['pay 0', 'mail 0>pay'])
    await Promise.all([one.close(), two.close()])
  })

  test('for want of its key is left to one that has it', async () => {
    const { noting } = notingTools()
    const pay = noting('pay')
    const right = { home: database.home, encryption: { key: randomBytes(32) } }
    const starter = await database.open([pay], { database: right, worker: false })
    await database.open([pay], SOON)
    await database.open([pay], { ...SOON, database: right })
    for (let index = 0; index < 4; index++) {
      const run = await starter.start(pay, String(index))
      expect(await run.result()).toMatchObject({ ok: true })
    }
  })

  test('is cancelled by one that can undo it, where there is one', async () => {
    const { old, next } = versions()
    const [parked] = await parkedRuns(old, 1)
    const desk = await database.open([old], { worker: false })
    await database.open([next], SOON)
    await database.open([old], SOON)
    const run = await desk.get(parked?.id ?? '')
    await run.cancel()
    const result = await run.result()
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(result.text).not.toContain('could not go on')
  })
})

describe('blocked runs', () => {
  test('are taken up again all at once, by reason and by tool, and it is told how many', async () => {
    const { old, next } = versions()
    const parked = await parkedRuns(old, 3)
    const desk = await database.open([old], { worker: false })
    const unable = await database.open([next], SOON)
    for (const { request } of parked) await desk.inbox.approve(request)
    for (const { id } of parked) await untilStatus(desk, id, 'blocked')
    await unable.close()
    expect(await desk.resume({ code: 'replay_diverged' })).toBe(0)
    expect(await desk.resume({ tool: 'another' })).toBe(0)
    expect(await desk.resume({ code: 'plan_changed', tool: 'settle' })).toBe(3)
    expect(await desk.resume()).toBe(0)
    expect((await desk.list({ status: 'queued' })).length).toBe(3)
    await database.open([old], SOON)
    for (const { id } of parked) expect(await (await desk.get(id)).result()).toMatchObject({ ok: true })
  })
})
