import { createRuntime, type ToolEvent } from 'toolwright'
import { memoryRuns, recordEvents, recordingReview } from 'toolwright/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refundTool } from '../fixtures/ai-sdk/durable-desk.ts'
import { type Decision, DOORS } from './doors.ts'

interface Case {
  readonly decision: Decision
  /** What the model reads. */
  readonly told: string
  readonly did: readonly string[]
}

const CASES: readonly Case[] = [
  { decision: { action: 'approve' }, told: 'Paid back 250 for A1.', did: ['paid A1 250'] },
  { decision: { action: 'edit', patch: { amount: 40 } }, told: 'Paid back 40 for A1.', did: ['paid A1 40'] },
  { decision: { action: 'reject', reason: 'Fraud.' }, told: 'Fraud.', did: [] },
]

const TABLE = DOORS.flatMap(([door, through]) => CASES.map((each) => ({ door, through, what: each.decision.action, ...each })))

/** What can be compared of an event: not ids, not times. */
function comparable({ type, call, ...event }: ToolEvent): object {
  const about = { type, tool: call.tool, path: call.path, layer: call.layer, parent: call.parent?.path }
  return {
    ...about,
    ...('outcome' in event ? { outcome: event.outcome, code: event.code } : {}),
    ...('action' in event ? { action: event.action } : {}),
  }
}

const input = { email: 'a@b.c' }

describe('a compound tool with a gate in the middle', () => {
  test.each(TABLE)('$door, $what: the result and the trace of a direct call [T10] [T14]', async ({ through, decision, told, did }) => {
    const log: string[] = []
    const tool = refundTool((what) => log.push(what))
    const direct = recordEvents()
    const decided = decision.action === 'approve' ? { action: 'continue' as const } : decision
    await tool.call(input, { on: direct, review: recordingReview(decided) })
    expect(log.splice(0)).toEqual(['found a@b.c', ...did])

    const on = recordEvents()
    expect(await through({ tool, input, decision, on, runtime: undefined })).toContain(told)
    await expect.poll(() => on.events.length).toBe(direct.events.length)
    expect(on.events.map(comparable)).toEqual(direct.events.map(comparable))
    expect(log).toEqual(['found a@b.c', ...did])
  })

  test.each(TABLE)('$door, $what, as a durable run: one run with the same steps [T10] [T15]', async ({ through, decision, told, did }) => {
    const log: string[] = []
    const tool = refundTool((what) => log.push(what))
    const runtime = createRuntime({ tools: [tool], database: memoryRuns() })
    onTestFinished(() => runtime.close())
    expect(await through({ tool, input, decision, on: recordEvents(), runtime })).toContain(told)
    const runs = await runtime.runs()
    const [only, ...others] = await runs.list()
    expect(others).toEqual([])
    await (await runtime.run(only?.id ?? '')).result()
    const { steps, approvals } = await runs.show(only?.id ?? '')
    expect(steps.map(({ tool: name }) => name)).toEqual(did.length === 0 ? ['find_order'] : ['find_order', 'pay_back'])
    expect(approvals).toMatchObject([
      { status: 'decided', decision: { action: decision.action === 'approve' ? 'continue' : decision.action } },
    ])
    expect(log).toEqual(['found a@b.c', ...did])
  })
})
