import { generateText, isStepCount, type ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { answered } from '../../../test/fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel, toldLast, type Turn } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { shownReason } from '../../../test/fixtures/ai-sdk/shown-reason.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { tool } from '../../tool/tool.ts'
import { aiSdkReviews } from './ai-sdk-reviews.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const stopWhen = isStepCount(5)
const question: ModelMessage[] = [{ role: 'user', content: 'Pay.' }]
const payCall = (id = 'call_0'): Turn => [{ id, tool: 'pay', input: { input: 'ten' } }]

/** Looks something up, then pays after an approval, then sends a receipt after another one. */
function desk(how: { readonly expiry?: string; readonly isLong?: boolean } = {}) {
  const log: string[] = []
  const clock = fakeClock()
  const step = (name: string) =>
    tool({
      name,
      description: 'd',
      effect: 'write',
      execute: (input) => (log.push(name), name === 'look' ? `${input} ${log.length}` : input),
    })
  const parts = pipe.named({ name: 'pay', description: 'Pays.' })
  const pay = how.isLong === true ? parts(step('look'), gate(step('give')), gate(step('send'))) : parts(step('look'), gate(step('give')))
  const reviews = aiSdkReviews({ clock, expiry: '10m' })
  const bridge = toAiSdk({ pay }, { reviews, clock })
  const say = (messages: readonly ModelMessage[], ...turns: readonly Turn[]) => {
    const model = scriptedLanguageModel(...turns)
    const { tools, toolApproval } = bridge
    return generateText({ model, messages: [...messages], tools, toolApproval, stopWhen }).then(({ content, responseMessages }) => ({
      content,
      responseMessages,
      told: toldLast(model),
    }))
  }
  return { log, clock, ...bridge, say }
}

test('an approval of the first of two equal calls with one id does not count for the second [T14]', async () => {
  const { log, say, reviews } = desk()
  const first = await say(question, payCall())
  const afterFirst = answered(question, first, true)
  const second = await say(afterFirst, payCall())
  expect([log, reviews.list()]).toMatchObject([['look', 'give', 'look'], [{ toolCallId: 'call_0' }]])
  const replayed = await say(afterFirst)
  expect(replayed.told).toEqual([{ type: 'text', value: 'ten 1' }])
  expect([log, reviews.list()]).toMatchObject([['look', 'give', 'look'], [{ toolCallId: 'call_0' }]])
  await say(answered(afterFirst, second, true))
  expect(log).toEqual(['look', 'give', 'look', 'give'])
})

test('an approval that was not sent while its call waited does not count for a later call with the same id [T14]', async () => {
  const { log, say, clock, reviews } = desk()
  const first = await say(question, payCall())
  await clock.advance(11 * 60_000)
  // The person goes back to the beginning, and the model calls again. Another order is found.
  await say(question, payCall())
  const { told } = await say(answered(question, first, true))
  expect(told).toMatchObject([{ type: 'error-text', value: expect.stringContaining('Nobody decided about the call in time.') }])
  expect([log, reviews.list()]).toMatchObject([['look', 'look'], [{ toolCallId: 'call_0' }]])
})

test('a text that was shown before as the same call names its own request, so that an approval of the earlier one does not count [T14]', async () => {
  const paid: string[] = []
  const clock = fakeClock()
  const pay = gate(tool({ name: 'pay', description: 'd', effect: 'write', execute: (input) => (paid.push(input), input) }), { why: 'Pay?' })
  const { tools, toolApproval, reviews } = toAiSdk({ pay }, { clock, reviews: aiSdkReviews({ clock, expiry: '10m' }) })
  const say = (messages: readonly ModelMessage[]) =>
    generateText({ model: scriptedLanguageModel(payCall()), messages: [...messages], tools, toolApproval, stopWhen })
  const first = await say(question)
  await clock.advance(11 * 60_000)
  const second = await say(question)
  const reasons = [first, second].map(({ content }) =>
    content.flatMap((part) => (part.type === 'tool-approval-request' ? part.reason : [])),
  )
  expect(reasons).toEqual([[shownReason('Pay?')], [`Pay?\n[requests ${reviews.list()[0]?.request.id}]`]])
  const late = { toolCallId: 'call_0', messages: answered(question, first, true), context: {} }
  await expect(Promise.resolve(tools.pay.execute({ input: 'ten' }, late))).rejects.toMatchObject({ code: 'review_timed_out' })
  expect([paid, reviews.list().length]).toEqual([[], 1])
  await tools.pay.execute({ input: 'ten' }, { toolCallId: 'call_0', messages: answered(question, second, true), context: {} })
  expect(paid).toEqual(['ten'])
})

test('a denial of an earlier call is not one of an equal call that is shown under its id later [T14]', async () => {
  const { log, say, reviews } = desk({ isLong: true })
  const other = await say(question, payCall('c1'))
  const denied = answered(question, other, false)
  await reviews.rejectDenied(denied)
  const begun = await say(question, payCall('c2'))
  const atSecondGate = await say(answered(question, begun, true), payCall('c1'))
  expect(reviews.list()).toMatchObject([{ toolCallId: 'c1', request: { tool: 'send' } }])
  await reviews.rejectDenied(denied)
  expect(reviews.list()).toHaveLength(1)
  await say(answered(answered(question, begun, true), atSecondGate, true))
  expect(log).toEqual(['look', 'look', 'give', 'send'])
})

test('whoever gives up an earlier call does not take back what waits as another one', async () => {
  const { say, reviews, tools } = desk({ isLong: true })
  const first = await say(question, payCall('c1'))
  const messages = answered(question, first, true)
  await say(messages, payCall('c2'))
  const stale = { toolCallId: 'c1', messages, abortSignal: AbortSignal.abort(), context: {} }
  await expect(Promise.resolve(tools.pay.execute({ input: 'ten' }, stale))).rejects.toMatchObject({ code: 'approval_pending' })
  expect(reviews.list()).toMatchObject([{ toolCallId: 'c2', request: { tool: 'send' } }])
})

test('an approval counts also where the SDK does not keep the reason, and only for its asking [T14]', async () => {
  const { log, say, reviews } = desk()
  const withoutReasons = (messages: readonly ModelMessage[]) =>
    JSON.parse(JSON.stringify(messages), (key, value: unknown) => (key === 'reason' ? undefined : value)) as ModelMessage[]
  const first = withoutReasons(answered(question, await say(question, payCall()), true))
  const second = await say(first, payCall())
  await say(first)
  expect([log, reviews.list().length]).toEqual([['look', 'give', 'look'], 1])
  await say(withoutReasons(answered(first, second, true)))
  expect(log).toEqual(['look', 'give', 'look', 'give'])
})

test('an id means the run that was shown as it last, though an earlier run of the id still waits', async () => {
  const { log, say, reviews } = desk({ isLong: true })
  const calls = (...ids: readonly string[]): Turn => ids.map((id) => ({ id, tool: 'pay', input: { input: 'ten' } }))
  const first = answered(question, await say(question, calls('b', 'c')), true)
  // At their second gates, the runs of `b` and `c` are shown as `a` and `b`.
  const second = await say(first, calls('a', 'b'))
  expect(reviews.list().map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b'])
  // The first conversation is sent again, and the model repeats its calls: nothing begins.
  await say(first, calls('a', 'b'))
  expect(log).toEqual(['look', 'look', 'give', 'give'])
  await say(answered(first, second, true))
  expect([log, reviews.list()]).toEqual([['look', 'look', 'give', 'give', 'send', 'send'], []])
})
