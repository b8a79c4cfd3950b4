import type { ElicitResult } from '@modelcontextprotocol/client'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { connectInProcess } from '../../../test/fixtures/mcp/in-process.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { first } from '../../combinators/parallel/join.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { tool } from '../../tool/tool.ts'
import { createMcpServer } from './create-mcp-server.ts'

const pay = tool({ name: 'pay', description: 'Pays.', inputSchema: z.object({}), execute: () => 'paid' })
const careful = gate(pay, { why: 'Money.' })
const approve = (): ElicitResult => ({ action: 'accept', content: { decision: 'approve' } })
const never = (): Promise<ElicitResult> => new Promise(() => {})

describe.each(['2025-11-25', '2026-07-28'] as const)('revision %s', (revision) => {
  test('a reviewer of the program is asked in place of the client [T15]', async () => {
    const review = recordingReview({ action: 'continue' })
    const answer = vi.fn<typeof approve>(approve)
    const client = await connectInProcess(await createMcpServer({ tools: [careful], review }), revision, { answer })
    expect(await client.callTool({ name: 'pay', arguments: {} })).toMatchObject({ content: [{ text: 'paid' }] })
    expect([review.requests.length, answer.mock.calls.length]).toEqual([1, 0])
  })

  test('a client that can only open pages, and not show forms, is not asked; nothing runs [T14]', async () => {
    const tools = await createMcpServer({ tools: [careful] })
    const client = await connectInProcess(tools, revision, { capabilities: { elicitation: { url: {} } } })
    expect(await client.callTool({ name: 'pay', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('does not support elicitation') }],
    })
  })

  test('a question that loses a race is withdrawn, and the call ends without its answer', async () => {
    const quick = tool({
      name: 'quick',
      description: 'Is quick.',
      inputSchema: z.object({}),
      effect: 'read',
      execute: () => released.promise,
    })
    const released = Promise.withResolvers<string>()
    const withdrawn = vi.fn<() => void>()
    const race = parallel(
      { slow: gate(tool({ name: 'look', description: 'Looks.', inputSchema: z.object({}), effect: 'read', execute: () => 'x' })), quick },
      { name: 'race', join: first() },
    )
    const answer = (_message: string, signal: AbortSignal): Promise<ElicitResult> => {
      signal.addEventListener('abort', withdrawn)
      released.resolve('won')
      return revision === '2025-11-25' ? never() : Promise.resolve(approve())
    }
    const client = await connectInProcess(await createMcpServer({ tools: [race] }), revision, { answer })
    expect(await client.callTool({ name: 'race', arguments: {} })).toMatchObject({ content: [{ text: 'won' }] })
    expect(withdrawn).toHaveBeenCalledTimes(revision === '2025-11-25' ? 1 : 0)
  })

  test('closing cancels the calls that run', async () => {
    const started = Promise.withResolvers<void>()
    const hangs = tool({
      name: 'hangs',
      description: 'Hangs.',
      inputSchema: z.object({}),
      effect: 'read',
      execute: () => {
        started.resolve()
        return new Promise<string>(() => {})
      },
    })
    const tools = await createMcpServer({ tools: [hangs] })
    const client = await connectInProcess(tools, revision)
    const called = client.callTool({ name: 'hangs', arguments: {} })
    await started.promise
    tools.close()
    expect(await called).toMatchObject({ isError: true, _meta: { 'toolwright/error': { code: 'cancelled' } } })
  })
})

test('a user who does not decide in time has rejected, on the revision that asks while the call waits [T15]', async () => {
  const clock = fakeClock()
  const asked = Promise.withResolvers<void>()
  const answer = (): Promise<ElicitResult> => {
    asked.resolve()
    return never()
  }
  const client = await connectInProcess(await createMcpServer({ tools: [careful], clock, approvalTimeout: '5s' }), '2025-11-25', { answer })
  const called = client.callTool({ name: 'pay', arguments: {} })
  await asked.promise
  await clock.advance(5000)
  expect(await called).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Nobody decided in time, so nothing ran.') }],
  })
})

test('a user who does not decide in time finds the call given up, on the revision that asks between calls [T15]', async () => {
  const clock = fakeClock()
  const answer = async (): Promise<ElicitResult> => {
    await clock.advance(5000)
    return approve()
  }
  const client = await connectInProcess(await createMcpServer({ tools: [careful], clock, approvalTimeout: '5s' }), '2026-07-28', { answer })
  await expect(client.callTool({ name: 'pay', arguments: {} })).rejects.toThrow('is over or was given up. Call the tool again.')
})

test('a gate that waits in an open request keeps a client alive that counts its time from the last report', async () => {
  const clock = fakeClock()
  const [asked, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<ElicitResult>()]
  const answer = (): Promise<ElicitResult> => {
    asked.resolve()
    return decided.promise
  }
  const client = await connectInProcess(await createMcpServer({ tools: [careful], clock }), '2025-11-25', { answer })
  const reports: unknown[] = []
  const called = client.callTool(
    { name: 'pay', arguments: {} },
    { onprogress: (report) => reports.push(report), resetTimeoutOnProgress: true },
  )
  await asked.promise
  await clock.advance(30_000)
  expect(reports).toMatchObject(Array.from({ length: 3 }, () => ({ message: 'Waits for a person to decide.' })))
  decided.resolve(approve())
  expect(await called).toMatchObject({ content: [{ text: 'paid' }] })
  expect(clock.pending()).toBe(0)
})
