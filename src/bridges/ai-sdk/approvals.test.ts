import { generateText, isStepCount, type ModelMessage, streamText } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered } from '../../../test/fixtures/ai-sdk/answered.ts'
import { collected, scriptedLanguageModel, toldLast, type Turn } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { shownReason } from '../../../test/fixtures/ai-sdk/shown-reason.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { tool } from '../../tool/tool.ts'
import { aiSdkReviews } from './ai-sdk-reviews.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const stopWhen = isStepCount(5)

function desk(): { readonly paid: string[]; readonly found: string[]; readonly refund: ReturnType<typeof makeRefund> } {
  const paid: string[] = []
  const found: string[] = []
  return { paid, found, refund: makeRefund(paid, found) }
}

/** A compound with a gate in the middle. */
function makeRefund(paid: string[], found: string[]) {
  const findOrder = tool({
    name: 'find_order',
    description: 'Finds the latest order.',
    inputSchema: z.object({ email: z.string() }),
    effect: 'read',
    execute: ({ email }, { progress }) => {
      progress('looking')
      found.push(email)
      return { orderId: 'A1', amount: 250 }
    },
  })
  const pay = tool({
    name: 'pay_back',
    description: 'Pays back.',
    inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
    execute: ({ orderId, amount }) => {
      paid.push(`${orderId} ${amount}`)
      return `Paid back ${amount} for ${orderId}.`
    },
  })
  return ToolPipeline.builder()
    .name('refund')
    .description('Refunds the latest order.')
    .step(findOrder)
    .step(gate(pay, { approval: ({ amount }) => amount > 100, why: ({ amount }) => `${amount} is above 100.` }))
    .build()
}

const call = (id = 'c1', email = 'a@b.c'): Turn => [{ id, tool: 'refund', input: { email } }]

const question: ModelMessage[] = [{ role: 'user', content: 'Refund the last order.' }]

describe('a compound with a gate in the middle', () => {
  test('pauses before the gate, goes on where it stopped when it is approved, and leaves the trace of a direct call [T10] [T14]', async () => {
    const { refund, paid, found } = desk()
    const recorder = recordEvents()
    const { tools, toolApproval, reviews } = toAiSdk({ refund }, { on: recorder })
    const model = scriptedLanguageModel(call(), 'Refunded.')
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    expect(paused.content).toMatchObject([
      { type: 'tool-call', toolName: 'refund' },
      {
        type: 'tool-approval-request',
        reason: shownReason('250 is above 100. (pay_back: {"orderId":"A1","amount":250})'),
        toolCall: { toolCallId: 'c1' },
      },
    ])
    expect([paid, found]).toEqual([[], ['a@b.c']])
    expect(reviews.list()).toMatchObject([
      { toolCallId: 'c1', toolName: 'refund', request: { tool: 'pay_back', input: { orderId: 'A1', amount: 250 }, risk: 'high' } },
    ])

    const done = await generateText({ model, messages: answered(question, paused, true), tools, toolApproval, stopWhen })
    expect(done.text).toBe('Refunded.')
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'Paid back 250 for A1.' }])
    expect([paid, found]).toEqual([['A1 250'], ['a@b.c']])
    expect(reviews.list()).toEqual([])

    const direct = recordEvents()
    await desk().refund.call({ email: 'a@b.c' }, { on: direct, review: recordingReview() })
    expect(recorder.summary()).toEqual(direct.summary())
    expect(recorder.events.find(({ type }) => type === 'review.decided')).toMatchObject({ action: 'continue' })
  })

  test('does the same in streamText', async () => {
    const { refund, paid, found } = desk()
    const { tools, toolApproval } = toAiSdk({ refund }, { progress: true })
    const model = scriptedLanguageModel(call(), 'Refunded.')
    const first = streamText({ model, messages: question, tools, toolApproval, stopWhen })
    const content = await first.content
    expect(content).toMatchObject([{ type: 'tool-call' }, { type: 'tool-approval-request' }])
    const responseMessages = (await first.response).messages
    const second = streamText({ model, messages: answered(question, { content, responseMessages }, true), tools, toolApproval, stopWhen })
    const parts = await collected(second.fullStream)
    expect(parts.flatMap((part) => (part.type === 'tool-result' ? [[part.preliminary === true, part.output]] : []))).toEqual([
      [true, { progress: { tool: 'find_order', path: 'refund/find_order', message: 'looking' } }],
      [true, 'Paid back 250 for A1.'],
      [false, 'Paid back 250 for A1.'],
    ])
    expect([paid, found]).toEqual([['A1 250'], ['a@b.c']])
    expect(await second.text).toBe('Refunded.')
  })

  test('that is denied runs nothing more; the model reads the denial, and the trace a rejection [T14]', async () => {
    const { refund, paid } = desk()
    const recorder = recordEvents()
    const { tools, toolApproval, reviews } = toAiSdk({ refund }, { on: recorder })
    const model = scriptedLanguageModel(call(), 'I did not refund it.')
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    const messages = answered(question, paused, false, 'Offer a voucher.')
    await reviews.rejectDenied(messages)
    await settled()
    expect(recorder.events.find(({ type }) => type === 'review.decided')).toMatchObject({ action: 'reject' })
    expect(recorder.events.at(-1)).toMatchObject({ type: 'call.finished', code: 'rejected', call: { path: 'refund' } })
    const { text } = await generateText({ model, messages, tools, toolApproval, stopWhen })
    expect(text).toBe('I did not refund it.')
    expect(toldLast(model)).toEqual([{ type: 'execution-denied', reason: 'Offer a voucher.' }])
    expect([paid, reviews.list()]).toEqual([[], []])
  })

  test('whose denial nobody told of is rejected at the next call [T14]', async () => {
    const { refund, paid } = desk()
    const recorder = recordEvents()
    const { tools, toolApproval, reviews } = toAiSdk({ refund }, { on: recorder })
    const model = scriptedLanguageModel(call(), call('c2', 'd@e.f'))
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    await generateText({ model, messages: answered(question, paused, false), tools, toolApproval, stopWhen })
    expect(recorder.events.filter(({ type }) => type === 'review.decided')).toMatchObject([{ action: 'reject' }])
    expect(reviews.list()).toMatchObject([{ toolCallId: 'c2' }])
    expect(paid).toEqual([])
  })

  test('runs with an edited input where one was prepared [T14]', async () => {
    const { refund, paid } = desk()
    const { tools, toolApproval, reviews } = toAiSdk({ refund })
    const model = scriptedLanguageModel(call(), 'Refunded in part.')
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    await reviews.edit('c1', { patch: { amount: 40 } }, 'ada')
    expect(reviews.list()).toMatchObject([{ decision: { action: 'edit', patch: { amount: 40 }, by: 'ada' } }])
    expect(paid).toEqual([])
    await generateText({ model, messages: answered(question, paused, true), tools, toolApproval, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'Paid back 40 for A1.' }])
    expect(paid).toEqual(['A1 40'])
  })

  test.each<[string, (id: string, reviews: ReturnType<typeof aiSdkReviews>) => Promise<void>, RegExp]>([
    [
      'rejected',
      (id, reviews) => reviews.reject(id, 'Too much.'),
      /^Error: Step 'pay_back' failed: Rejected by reviewer, who says "Too much\.": /,
    ],
    [
      'stopped',
      (id, reviews) => reviews.stop(id, 'fraud'),
      /^Error: A reviewer stopped the run at 'pay_back': fraud\. A person ended the run\. Do not repeat the call/,
    ],
  ])('that is approved but was %s ahead does not run [T14]', async (_what, prepare, said) => {
    const { refund, paid } = desk()
    const { tools, toolApproval, reviews } = toAiSdk({ refund })
    const model = scriptedLanguageModel(call(), 'No.')
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    await prepare('c1', reviews)
    await generateText({ model, messages: answered(question, paused, true), tools, toolApproval, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'error-text', value: expect.stringMatching(said) }])
    expect(paid).toEqual([])
  })

  test('runs once when nobody has to be asked, though it begins while the SDK asks about it', async () => {
    const cheap = gate(
      tool({ name: 'cheap', description: 'd', execute: (input, { progress }) => (progress('paying'), runs.push(input), `paid ${input}`) }),
      { approval: (input) => input === 'much' },
    )
    const runs: string[] = []
    const { tools, toolApproval } = toAiSdk({ cheap }, { progress: true })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'cheap', input: { input: 'little' } }], 'Paid.')
    const { steps } = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    expect(steps[0]?.content.map(({ type }) => type)).toEqual(['tool-call', 'tool-result'])
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'paid little' }])
    expect(runs).toEqual(['little'])
  })

  test('that fails before its gate tells the model why, without asking anybody', async () => {
    const { refund } = desk()
    const { tools, toolApproval } = toAiSdk({ refund })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'refund', input: {} }], 'No address.')
    await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    expect(toldLast(model)).toEqual([
      { type: 'error-text', value: expect.stringMatching(/^Error: Step 'find_order' failed: Invalid input .*'email'/) },
    ])
  })
})

describe('an approval', () => {
  test('that is sent twice runs the call once [T14]', async () => {
    const { refund, paid } = desk()
    const { tools, toolApproval } = toAiSdk({ refund })
    const model = scriptedLanguageModel(call(), 'Once.', 'Twice.')
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    const messages = answered(question, paused, true)
    const both = [1, 2].map(() => generateText({ model, messages, tools, toolApproval, stopWhen }))
    await Promise.all(both)
    await generateText({ model, messages, tools, toolApproval, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'Paid back 250 for A1.' }])
    expect(paid).toEqual(['A1 250'])
  })

  test('counts in another request of the process that shares the reviews, for the same principal only [T14]', async () => {
    const { refund, paid, found } = desk()
    const reviews = aiSdkReviews()
    const as = (id: string) => toAiSdk({ refund }, { reviews, principal: { id, permissions: [] }, session: 'chat' })
    const model = scriptedLanguageModel(call(), 'Not yet.', 'Refunded.')
    const paused = await generateText({ model, messages: question, ...as('ada'), stopWhen })
    const messages = answered(question, paused, true)
    await generateText({ model, messages, ...as('bob'), stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'error-text', value: expect.stringContaining('A person must approve') }])
    expect(paid).toEqual([])
    await generateText({ model, messages, ...as('ada'), stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'Paid back 250 for A1.' }])
    expect([paid, found]).toEqual([['A1 250'], ['a@b.c']])
  })

  test('of a run that is gone counts under a shared secret for the gate before the tool itself, once [T14]', async () => {
    const paid: string[] = []
    const sealed = (given = pay) => toAiSdk({ pay: given }, { reviews: aiSdkReviews({ secret: 'the secret of all processes' }) })
    const pay = tool({ name: 'pay', description: 'Pays.', requireApproval: true, execute: (input) => `${paid.push(input)}` })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'pay', input: { input: 'ten' } }], 'Paid.', 'Paid.')
    const paused = await generateText({ model, messages: question, ...sealed(), stopWhen })
    const restarted = sealed()
    const messages = answered(question, paused, true)
    await generateText({ model, messages, ...restarted, stopWhen })
    await generateText({ model, messages, ...restarted, stopWhen })
    expect(paid).toEqual(['ten'])
    const asked = await generateText({ model, messages, ...sealed(gate(pay)), stopWhen })
    expect(asked.text).toBe('The script is over.')
    expect(toldLast(model)).toEqual([{ type: 'error-text', value: expect.stringContaining('A person must approve') }])
    expect(paid).toEqual(['ten'])
  })

  test('of a run that is gone does not count for a gate inside: the person is asked again [T14]', async () => {
    const { refund, paid, found } = desk()
    const model = scriptedLanguageModel(call(), call('c2'), 'Refunded.')
    const paused = await generateText({ model, messages: question, ...toAiSdk({ refund }), stopWhen })
    const restarted = toAiSdk({ refund })
    const messages = answered(question, paused, true)
    const again = await generateText({ model, messages, ...restarted, stopWhen })
    expect(toldLast(model)).toEqual([
      {
        type: 'error-text',
        value: expect.stringMatching(
          /^Error: A person must approve before 'refund' can go on: This process did not ask .* Call 'refund' again with exactly the same input/,
        ),
      },
    ])
    expect(again.content).toMatchObject([{ type: 'tool-call' }, { type: 'tool-approval-request', toolCall: { toolCallId: 'c2' } }])
    const done = await generateText({ model, messages: answered(messages, again, true), ...restarted, stopWhen })
    expect(done.text).toBe('Refunded.')
    expect([paid, found]).toEqual([['A1 250'], ['a@b.c', 'a@b.c']])
  })

  test('of another input, or of a call that was denied, does not count, whoever executes the tool [T14]', async () => {
    const paid: string[] = []
    const pay = tool({ name: 'pay', description: 'Pays.', requireApproval: true, execute: (input) => `${paid.push(input)}` })
    const turn: Turn = [{ id: 'c1', tool: 'pay', input: { input: 'ten' } }]
    const bridge = toAiSdk({ pay })
    const paused = await generateText({ model: scriptedLanguageModel(turn), messages: question, ...bridge, stopWhen })
    const execute = async (input: string, approved: boolean, { tools, toolApproval } = toAiSdk({ pay })): Promise<unknown> => {
      const messages = answered(question, paused, approved)
      await toolApproval.pay({ input: 'something else' }, { toolCallId: 'c0', messages: question })
      return tools.pay.execute({ input }, { toolCallId: 'c1', messages, context: {} })
    }
    await expect(execute('a thousand', true)).rejects.toMatchObject({ code: 'approval_pending' })
    await expect(execute('ten', false)).rejects.toMatchObject({ code: 'rejected' })
    await expect(execute('ten', true)).rejects.toMatchObject({ code: 'approval_pending' })
    expect(paid).toEqual([])
    await execute('ten', true, bridge)
    expect(paid).toEqual(['ten'])
  })

  test('that was never given does not count, though the tool is executed [T14]', async () => {
    const { refund, paid } = desk()
    const { tools, toolApproval } = toAiSdk({ refund })
    const model = scriptedLanguageModel(call())
    await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    const outcome = Promise.resolve(tools.refund.execute({ email: 'a@b.c' }, { toolCallId: 'c1', messages: question, context: {} }))
    await expect(outcome).rejects.toMatchObject({ code: 'approval_pending' })
    expect(paid).toEqual([])
  })
})

test('a policy that asks for approval is asked anew for every call, though ids repeat [T14]', async () => {
  const paid: string[] = []
  const pay = tool({ name: 'pay', description: 'Pays.', execute: (input) => `${paid.push(input)}` })
  const bridge = toAiSdk({ pay }, { policy: () => (paid.length === 0 ? 'allow' : { requireApproval: 'Once was enough.' }) })
  const turn: Turn = [{ id: 'call_0', tool: 'pay', input: { input: 'ten' } }]
  const model = scriptedLanguageModel(turn, turn, 'Paid twice.')
  const paused = await generateText({ model, messages: question, ...bridge, stopWhen })
  expect(paid).toEqual(['ten'])
  expect(paused.content.at(-1)).toMatchObject({ type: 'tool-approval-request', reason: shownReason('Once was enough.') })
  await generateText({ model, messages: answered(question, paused, true), ...bridge, stopWhen })
  expect(paid).toEqual(['ten', 'ten'])
})

test('a call that waits is withdrawn when its time is over, and its program can end [T14]', async () => {
  const { refund, paid } = desk()
  const clock = fakeClock()
  const recorder = recordEvents()
  const { tools, toolApproval, reviews } = toAiSdk({ refund }, { clock, on: recorder, reviews: aiSdkReviews({ expiry: '15m', clock }) })
  const model = scriptedLanguageModel(call())
  await generateText({ model, messages: question, tools, toolApproval, stopWhen })
  expect(reviews.list()).toMatchObject([{ expiresAt: clock.now() + 15 * 60_000 }])
  await clock.advance(15 * 60_000)
  expect(reviews.list()).toEqual([])
  expect(recorder.events.at(-1)).toMatchObject({ type: 'call.finished', code: 'cancelled' })
  await expect(reviews.edit('c1', { patch: {} })).rejects.toMatchObject({ code: 'unknown_request' })
  expect([paid, clock.pending()]).toEqual([[], 0])
})
