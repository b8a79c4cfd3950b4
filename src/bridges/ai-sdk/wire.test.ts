import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered, type Paused } from '../../../test/fixtures/ai-sdk/answered.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { type ScriptedModelServer, scriptedModelServer } from '../../testing/model-server/scripted-model-server.ts'
import type { InputChange } from '../../review/inbox.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { aiSdkReviews } from './ai-sdk-reviews.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const findOrder = tool({
  name: 'find_order',
  description: 'Finds the latest order.',
  inputSchema: z.object({ email: z.string() }),
  effect: 'read',
  execute: () => ({ orderId: 'A1', amount: 250 }),
})
const payBack = tool({
  name: 'pay_back',
  description: 'Pays back.',
  inputSchema: z.object({
    orderId: z.string(),
    amount: z
      .number()
      .positive()
      .refine((amount) => amount !== 13),
  }),
  execute: ({ orderId, amount }) => `Paid back ${amount} for ${orderId}.`,
})
const refund = ToolPipeline.builder()
  .name('refund')
  .description('Refunds the latest order of a customer.')
  .step(findOrder)
  .step(gate(payBack))
  .build()

const input = { email: 'ada@example.com' }
const question: ModelMessage[] = [{ role: 'user', content: 'Refund the last order of ada@example.com.' }]
const turns = [{ toolCalls: [{ name: 'refund', arguments: input }] }, { text: 'That is that.' }]

interface Turned extends Paused {
  readonly text: string
}

/** One request of a chat: a bridge of its own, and a model over HTTP. */
async function turn(
  server: ScriptedModelServer,
  stream: boolean,
  given: Parameters<typeof toAiSdk>[1] & { messages: ModelMessage[] },
): Promise<Turned> {
  const { messages, ...options } = given
  const { tools, toolApproval } = toAiSdk({ refund }, options)
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url, apiKey: 'k' })('scripted-1')
  const settings = { model, messages, tools, toolApproval, stopWhen: isStepCount(5), maxRetries: 0 }
  if (!stream) return generateText(settings)
  const result = streamText(settings)
  return { text: await result.text, content: await result.content, responseMessages: (await result.response).messages }
}

const DECISIONS: readonly [string, ReviewDecision, string][] = [
  ['approved', { action: 'continue' }, 'Paid back 250 for A1.'],
  ['edited', { action: 'edit', patch: { amount: 40 } }, 'Paid back 40 for A1.'],
  // The schema that people are shown does not say it.
  ['edited to nonsense', { action: 'edit', patch: { amount: 13 } }, "Error: Step 'pay_back' failed: Invalid input for tool 'pay_back'"],
  ['rejected', { action: 'reject', reason: 'Not now.' }, "Error: Step 'pay_back' failed: Rejected by reviewer"],
]

describe.each([false, true])('a gate in the middle, over the wire, stream: %s', (stream) => {
  test.each(DECISIONS)('%s: the same result and trace as in a direct call [T10] [T14]', async (_what, decision, told) => {
    await using server = await scriptedModelServer({ turns })
    const reviews = aiSdkReviews()
    const recorder = recordEvents()
    const paused = await turn(server, stream, { messages: question, reviews, on: recorder, session: 'chat' })
    const [waiting] = reviews.list()
    expect(waiting?.request).toMatchObject({ tool: 'pay_back', caller: { session: 'chat' } })
    const id = waiting?.toolCallId ?? ''
    if ('patch' in decision) await reviews.edit(id, { patch: decision.patch })
    if (decision.action === 'reject') await reviews.reject(id, decision.reason)
    const { text } = await turn(server, stream, { messages: answered(question, paused, true), reviews, session: 'chat' })
    expect(text).toBe('That is that.')

    const direct = recordEvents()
    const result = await refund.call(input, { on: direct, review: recordingReview(decision) })
    expect(recorder.summary()).toEqual(direct.summary())
    const heard = server.requests[1]?.body.messages.find(({ role }) => role === 'tool')?.content
    expect(heard).toBe(result.ok ? result.text : `${result.text} ${result.error.hint}`)
    expect(heard).toContain(told)
  })

  test('edited to what does not fit: the person is told, and the request stays open [T14]', async () => {
    await using server = await scriptedModelServer({ turns })
    const reviews = aiSdkReviews()
    const paused = await turn(server, stream, { messages: question, reviews })
    const [waiting] = reviews.list()
    const edit = (change: InputChange) => reviews.edit(waiting?.toolCallId ?? '', change)
    await expect(edit({ patch: { amount: -1 } })).rejects.toThrow("which stays open: 'amount': must be > 0.")
    await expect(edit({ patch: { amuont: 1 } })).rejects.toThrow("there is no field 'amuont'. Did you mean 'amount'?")
    await expect(edit({ input: 7 })).rejects.toThrow('which stays open')
    expect(reviews.list()).toEqual([waiting])
    await edit({ patch: { amount: 40 } })
    await turn(server, stream, { messages: answered(question, paused, true), reviews })
    expect(server.requests[1]?.body.messages.find(({ role }) => role === 'tool')?.content).toBe('Paid back 40 for A1.')
  })

  test('denied: the model reads why, and nothing is paid [T14]', async () => {
    await using server = await scriptedModelServer({ turns })
    const reviews = aiSdkReviews()
    const recorder = recordEvents()
    const paused = await turn(server, stream, { messages: question, reviews, on: recorder })
    const messages = answered(question, paused, false, 'Offer a voucher.')
    await reviews.rejectDenied(messages)
    await turn(server, stream, { messages, reviews })
    expect(server.requests[1]?.body.messages.find(({ role }) => role === 'tool')?.content).toContain('Offer a voucher.')
    expect(recorder.events.filter(({ type }) => type === 'review.decided')).toMatchObject([{ action: 'reject' }])
    expect(recorder.events.at(-1)).toMatchObject({ type: 'call.finished', code: 'rejected', call: { path: 'refund' } })
  })
})
