import { expect, test } from 'vitest'
import { z } from 'zod'
import { connectInProcess } from '../../../test/fixtures/mcp/in-process.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { ToolEvent } from '../../tool/event.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { createMcpServer } from './create-mcp-server.ts'

/** Fits the schema; the tool refuses it. */
const UNLUCKY = 13

const order = tool({
  name: 'find_order',
  description: 'Finds the latest order.',
  inputSchema: z.object({ email: z.string() }),
  outputSchema: z.object({ id: z.string(), total: z.number() }),
  effect: 'read',
  execute: ({ email }, { progress }) => {
    progress('looking')
    return { id: `order-of-${email}`, total: 149.99 }
  },
})
const pay = tool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ orderId: z.string(), amount: z.number().positive() }),
  outputSchema: z.object({ paid: z.number() }),
  effect: 'irreversible',
  execute: ({ amount }) => {
    if (amount === UNLUCKY) throw new ToolError('Nobody pays this.')
    return { paid: amount }
  },
})
const refund = ToolPipeline.builder()
  .name('refund')
  .description('Refunds the latest order.')
  .step(order)
  .adapter(({ value }) => ({ orderId: value.id, amount: value.total }))
  .step(gate(pay, { why: 'Money.' }))
  .build()
const twice = parallel({ one: gate(pay, { why: 'Money.' }), other: gate(pay, { why: 'Money.' }) }, { name: 'pay_twice' })

type Content = Record<string, string>
/** What can be compared of an event: not ids, not times, not how long it may wait. */
function comparable(event: ToolEvent): object {
  const { tool: name, path, layer, parent, input, output } = event.call
  const about = { type: event.type, name, path, layer, parent: parent?.path, input, output }
  switch (event.type) {
    case 'call.finished':
      return { ...about, outcome: event.outcome, code: event.code, text: event.text, counts: event.counts, fatal: event.fatal }
    case 'call.progressed':
      return { ...about, message: event.message }
    case 'review.requested':
      return { ...about, why: event.request.why, at: event.request.path, risk: event.request.risk, hash: event.request.inputHash }
    case 'review.decided':
      return { ...about, at: event.request.path, action: event.action }
    default:
      return about
  }
}

const DECISIONS: readonly [string, ReviewDecision, Content][] = [
  ['approved', { action: 'continue' }, { decision: 'approve' }],
  ['edited', { action: 'edit', patch: { amount: 40 } }, { decision: 'edit', input: '{"amount":40}' }],
  ['edited to what the tool refuses', { action: 'edit', patch: { amount: UNLUCKY } }, { decision: 'edit', input: `{"amount":${UNLUCKY}}` }],
  ['rejected', { action: 'reject', reason: 'fraud' }, { decision: 'reject', reason: 'fraud' }],
  ['stopped', { action: 'stop', reason: 'fraud' }, { decision: 'stop', reason: 'fraud' }],
]
const CASES = DECISIONS.flatMap(([what, decision, content]) =>
  (['2025-11-25', '2026-07-28'] as const).map((revision) => ({ what, decision, content, revision })),
)

test.each(CASES)(
  'a gate in the middle, $what: revision $revision has the events of a direct call [T14] [T15]',
  async ({ decision, content, revision }) => {
    const direct = recordEvents()
    await refund.call({ email: 'a@b.co' }, { on: direct, review: recordingReview(decision) }).catch(() => {})
    await twice.call({ orderId: 'o', amount: 5 }, { on: direct, review: recordingReview(decision) }).catch(() => {})

    const served = recordEvents()
    const tools = await createMcpServer({ tools: [refund, twice], on: served })
    const client = await connectInProcess(tools, revision, { answer: () => ({ action: 'accept', content }) })
    await client.callTool({ name: 'refund', arguments: { email: 'a@b.co' } })
    await client.callTool({ name: 'pay_twice', arguments: { orderId: 'o', amount: 5 } })
    await client.close()

    expect(served.events.map(comparable)).toEqual(direct.events.map(comparable))
    expect(direct.events.filter(({ type }) => type === 'review.decided').length).toBeGreaterThan(1)
  },
)
