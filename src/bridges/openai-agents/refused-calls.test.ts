import { setTimeout } from 'node:timers/promises'
import { RunContext, RunState } from '@openai/agents'
import { describe, expect, onTestFinished, test } from 'vitest'
import { desk, durably, refundCall, refunds, runner } from '../../../test/fixtures/openai-agents/agent-desk.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import type { ToOpenAiAgentsOptions } from './bridge.ts'

const ways: [string, (tools: readonly AgentTool[]) => ToOpenAiAgentsOptions][] = [
  ['in memory', () => ({})],
  ['as a durable run', (tools) => ({ runtime: durably(tools) })],
]

const paidIn = (log: readonly string[]) => log.filter((each) => each.startsWith('paid'))

describe.each(ways)('a call, %s', (_way, optionsOf) => {
  test('that a run rejects does not run, though a program invokes it [T14]', async () => {
    const { log, refund } = refunds()
    const { agent, named } = await desk([refund], [refundCall(), 'Well.'], optionsOf([refund]))
    const { state, interruptions } = await runner.run(agent, 'Refund.')
    state.reject(interruptions[0]!, { message: 'Too much.' })
    const toolCall = { type: 'function_call', callId: 'c1', name: 'refund', arguments: '{"email":"a@b.c"}' } as const
    const told = await named['refund']?.invoke(state._context, toolCall.arguments, { toolCall })
    expect(told).toContain('Too much.')
    expect(log).toEqual(['found a@b.c'])
  })

  test('that was rejected is not approved by a copy of the state that lacks the rejection [T14]', async () => {
    const { log, refund } = refunds()
    const { agent, model } = await desk([refund], [refundCall(), 'Well.'], optionsOf([refund]))
    const { state, interruptions } = await runner.run(agent, 'Refund.')
    const copy = await RunState.fromString(agent, state.toString())
    state.reject(interruptions[0]!, { message: 'Too much.' })
    await runner.run(agent, state)
    copy.approve(copy.getInterruptions()[0]!)
    await runner.run(agent, copy)
    expect(model.told.join()).toContain('Too much.')
    expect(paidIn(log)).toEqual([])
  })

  test('stays open when the run of another session rejects a call of the same id [T14]', async () => {
    const { log, refund } = refunds()
    const sessionOf = ({ context }: RunContext) => ({
      principal: { id: 'ada', permissions: [] },
      session: (context as { readonly session: string }).session,
    })
    const { agent, reviews } = await desk([refund], [refundCall(), 'Well.'], { ...optionsOf([refund]), caller: sessionOf })
    const mine = await runner.run(agent, 'Refund.', { context: { session: 'mine' } })
    const other = await runner.run(agent, 'Refund.', { context: { session: 'other' } })
    other.state.reject(other.interruptions[0]!)
    await runner.run(agent, other.state)
    await reviews.rejectDenied(other.state)
    expect(await reviews.requests(mine.interruptions[0]!, mine.state)).toHaveLength(1)
    mine.state.approve(mine.interruptions[0]!)
    await runner.run(agent, mine.state)
    expect(paidIn(log)).toEqual(['paid A1 250'])
  })

  test('whose arguments are not JSON does not run, and the model reads what is wrong [T14]', async () => {
    const { log, refund } = refunds()
    const turn = [{ id: 'c1', name: 'refund', args: '{"email":' }]
    const { agent, model, reviews, named } = await desk([refund], [turn, 'Well.'], optionsOf([refund]))
    const { state, interruptions } = await runner.run(agent, 'Refund.')
    expect(await reviews.requests(interruptions[0]!, state)).toEqual([])
    state.approve(interruptions[0]!)
    await runner.run(agent, state)
    expect(model.told.join()).toContain('JSON')
    // A program that invokes the tool is told by us, not by the SDK.
    expect(await named['refund']?.invoke(new RunContext(), '{"email":')).toMatch(/^Error: .*JSON/)
    expect(log).toEqual([])
  })

  test('is shown when nothing else of it moves [T14]', async () => {
    const log: string[] = []
    const slow = async (text: unknown) => (await setTimeout(60), log.push('slow'), text)
    const parts = {
      fast: gate(tool({ name: 'fast', description: 'd', effect: 'write', execute: (text) => text })),
      slow: tool({ name: 'slow', description: 'd', effect: 'write', execute: slow }),
    }
    const both = parallel(parts, { name: 'both', description: 'Both.' })
    const { agent } = await desk([both], [[{ id: 'c1', name: 'both', args: { input: 'x' } }], 'Ok.'], optionsOf([both]))
    expect((await runner.run(agent, 'Go.')).interruptions).toHaveLength(1)
    expect(log).toEqual(['slow'])
  })

  test('is not approved with all calls of its tool, and the model reads why [T14]', async () => {
    const { log, refund } = refunds()
    const { agent, model } = await desk([refund], [refundCall('c1'), refundCall('c2', 'x@y.z'), 'Well.'], optionsOf([refund]))
    const { state, interruptions } = await runner.run(agent, 'Refund.')
    state.approve(interruptions[0]!, { alwaysApprove: true })
    await runner.run(agent, state)
    expect(model.told.at(-1)).toMatch(/An approval of all calls does not count|waits for a person/)
    expect(paidIn(log)).toEqual(['paid A1 250'])
  })
})

describe('without a session', () => {
  const alone = { session: undefined }

  test('another process approves nothing by the id of a call: the model reads a receipt [T14]', async () => {
    const { log, refund } = refunds()
    const runtime = durably([refund])
    const first = await desk([refund], [refundCall(), 'Well.'], { runtime, ...alone })
    const stored = (await runner.run(first.agent, 'Refund.')).state.toString()
    const second = await desk([refund], [refundCall(), 'Well.'], { runtime, ...alone })
    const state = await RunState.fromString(second.agent, stored)
    expect(await second.reviews.requests(state.getInterruptions()[0]!, state)).toEqual([])
    state.approve(state.getInterruptions()[0]!)
    await runner.run(second.agent, state)
    expect(second.model.told.join()).toContain('waits for a person')
    expect(paidIn(log)).toEqual([])
  })

  test('the run of another conversation rejects nothing by the id of a call [T14]', async () => {
    const { refund } = refunds()
    const runtime = durably([refund])
    const first = await desk([refund], [refundCall(), 'Well.'], { runtime, ...alone })
    await runner.run(first.agent, 'Refund.')
    const second = await desk([refund], [refundCall('c1', 'x@y.z'), 'Well.'], { runtime, ...alone })
    const { state, interruptions } = await runner.run(second.agent, 'Refund.')
    state.reject(interruptions[0]!)
    await runner.run(second.agent, state)
    await second.reviews.rejectDenied(state)
    expect((await runtime.inbox.list()).map(({ request }) => request.input)).toHaveLength(1)
  })
})

test('where the decider must be known, a rejection takes the durable call back, and nothing runs [T14]', async () => {
  const { log, refund } = refunds()
  const runtime = createRuntime({ tools: [refund], database: memoryRuns(), reviewers: {} })
  onTestFinished(() => runtime.close())
  const { agent, model, reviews } = await desk([refund], [refundCall(), 'Well.'], { runtime })
  const { state, interruptions } = await runner.run(agent, 'Refund.')
  const [open] = await runtime.inbox.list()
  state.reject(interruptions[0]!, { message: 'Too much.' })
  await runner.run(agent, state)
  await reviews.rejectDenied(state)
  expect(model.told).toEqual(['Too much.'])
  expect(await runtime.inbox.list()).toEqual([])
  await expect.poll(async () => (await (await runtime.run(open?.run ?? '')).status()).status).toMatch(/cancelled|failed/)
  expect(paidIn(log)).toEqual([])
})

test('a policy of the runtime that asks interrupts a durable call, too [T14]', async () => {
  const note = tool({ name: 'note', description: 'd', effect: 'write', execute: (text) => `noted ${text}` })
  const runtime = createRuntime({ tools: [note], policy: () => 'require_approval', database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const { agent, model } = await desk([note], [[{ id: 'c1', name: 'note', args: { input: 'x' } }], 'Ok.'], { runtime })
  const paused = await runner.run(agent, 'Note.')
  expect(paused.interruptions).toHaveLength(1)
  paused.state.approve(paused.interruptions[0]!)
  await runner.run(agent, paused.state)
  expect(model.told).toEqual(['noted x'])
})
