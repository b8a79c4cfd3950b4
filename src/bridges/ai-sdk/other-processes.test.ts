import { generateText, isStepCount, type ModelMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { answered } from '../../../test/fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel, type Turn } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { gate, type GateOptions } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { Principal } from '../../tool/principal.ts'
import { tool } from '../../tool/tool.ts'
import { type AiSdkReviews, type AiSdkReviewsOptions, aiSdkReviews } from './ai-sdk-reviews.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const question: ModelMessage[] = [{ role: 'user', content: 'Pay.' }]
const payCall: Turn = [{ id: 'call_0', tool: 'pay', input: { input: 'ten' } }]
const SECRET: AiSdkReviewsOptions = { secret: 'the secret of all processes' }
const MODES: readonly (readonly [string, AiSdkReviewsOptions])[] = [
  ['without a secret', {}],
  ['with a secret', SECRET],
]

/** Looks up an amount, and pays it after an approval. Every process has reviews of its own. */
function desk(why?: string) {
  const paid: number[] = []
  const found = { amount: 250 }
  const look = tool({ name: 'look', description: 'd', effect: 'read', execute: () => String(found.amount) })
  const give = tool({ name: 'give', description: 'd', effect: 'write', execute: (amount) => `${paid.push(Number(amount))}` })
  const pay = pipe.named({ name: 'pay', description: 'Pays.' })(look, gate(give, why === undefined ? {} : { why }))
  return { paid, found, process: (options: AiSdkReviewsOptions) => processOf({ pay }, options) }
}

function processOf(tools: Parameters<typeof toAiSdk>[0], options: AiSdkReviewsOptions) {
  const bridge = toAiSdk(tools, { reviews: aiSdkReviews(options), session: 'chat', clock: options.clock })
  const { reviews } = bridge
  const say = (messages: readonly ModelMessage[], ...turns: readonly Turn[]) =>
    generateText({ model: scriptedLanguageModel(...turns), messages: [...messages], ...bridge, stopWhen: isStepCount(3) })
  return { reviews, say }
}

/** The request of a conversation once more, under another approval id. */
function copied(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return message
    const copies = message.content.flatMap((part) => (part.type === 'tool-approval-request' ? [{ ...part, approvalId: 'copy' }] : []))
    return { ...message, content: [...message.content, ...copies] }
  })
}

const approvedCopy: ModelMessage = { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'copy', approved: true }] }

function withoutReasons(messages: readonly ModelMessage[]): ModelMessage[] {
  return JSON.parse(JSON.stringify(messages), (key, value: unknown) => (key === 'reason' ? undefined : value)) as ModelMessage[]
}

describe.each(MODES)('%s, an approval of what another process asked', (_mode, options) => {
  test('does not count for something else that waits here under the same id [T14]', async () => {
    const { paid, found, process } = desk()
    const asked = await process(options).say(question, payCall)
    const other = process(options)
    found.amount = 9000
    await other.say(question, payCall)
    await other.say(answered(question, asked, true))
    expect([paid, other.reviews.list()[0]?.request.input]).toEqual([[], '9000'])
  })

  test('does not count for the same that waits here, of which the person reads the same [T14]', async () => {
    const { paid, process } = desk('Pay?')
    const asked = await process(options).say(question, payCall)
    const other = process(options)
    const again = await other.say(question, payCall)
    await other.say(answered(question, asked, true))
    expect(paid).toEqual([])
    await other.say(answered(question, again, true))
    expect(paid).toEqual([250])
  })

  test('nor does its denial [T14]', async () => {
    const { paid, process } = desk('Pay?')
    const asked = await process(options).say(question, payCall)
    const other = process(options)
    const again = await other.say(question, payCall)
    await other.reviews.rejectDenied(answered(question, asked, false))
    await other.say(answered(question, again, true))
    expect(paid).toEqual([250])
  })
})

test('an approval of a read that was withdrawn and forgotten does not count for a later one with its id [T14]', async () => {
  const clock = fakeClock()
  const read: string[] = []
  const secret = tool({ name: 'open', description: 'd', effect: 'read', execute: (input) => (read.push(input), input) })
  const { say, reviews } = processOf({ pay: gate(secret, { why: 'Open?' }) }, { clock, expiry: '10m' })
  const asked = await say(question, payCall)
  await clock.advance(11 * 60_000)
  await say([{ role: 'user', content: 'Something else.' }], payCall)
  await clock.advance(11 * 60_000)
  await say(question, payCall)
  await say(answered(question, asked, true))
  expect([read, reviews.list().length]).toEqual([[], 1])
})

test('with a secret, an approval whose reason or seal is lost does not count, also where its call waits [T14]', async () => {
  const { paid, process } = desk()
  const { say } = process(SECRET)
  const messages = answered(question, await say(question, payCall), true)
  const unsealed = JSON.parse(JSON.stringify(messages).replaceAll(/\\n\[approval [^\]]*\]/g, '')) as ModelMessage[]
  await say(withoutReasons(messages))
  await say(unsealed)
  expect(paid).toEqual([])
  await say(messages)
  expect(paid).toEqual([250])
})

describe('with a secret, in another process, a denial wins over an approval of a copy of its request', () => {
  const gated = () => {
    const paid: string[] = []
    const clock = fakeClock()
    const pay = gate(tool({ name: 'pay', description: 'd', effect: 'write', execute: (input) => `${paid.push(input)}` }))
    const other = tool({ name: 'other', description: 'd', execute: () => 'other' })
    return { paid, clock, process: () => processOf({ pay, other }, { ...SECRET, clock }) }
  }
  const otherCall: Turn = [{ id: 'call_1', tool: 'other', input: { input: 'x' } }]

  test('that stands earlier in the conversation [T14]', async () => {
    const { paid, process } = gated()
    const denied = copied(answered(question, await process().say(question, payCall), false))
    await process().say([...denied, approvedCopy])
    expect(paid).toEqual([])
  })

  test('though the same asking was shown twice, under two seals [T14]', async () => {
    const { paid, clock, process } = gated()
    const asking = process()
    const first = await asking.say(question, payCall)
    await clock.advance(1000)
    const second = await asking.say(question, payCall)
    await process().say(answered(answered(question, first, false), second, true))
    expect(paid).toEqual([])
  })

  test.each(['rejectDenied', 'a call of another tool'])('that the process has heard before, by %s [T14]', async (how) => {
    const { paid, process } = gated()
    const asked = await process().say(question, payCall)
    const other = process()
    if (how === 'rejectDenied') await other.reviews.rejectDenied(answered(question, asked, false))
    else await other.say(answered(question, asked, false), otherCall)
    await other.say([...copied(answered(question, asked, true)).slice(0, -1), approvedCopy])
    await other.say(answered(question, asked, true))
    expect(paid).toEqual([])
  })

  test('but not over the call that has run: the approval that is sent again gets its result [T14]', async () => {
    const { paid, process } = gated()
    const { say, reviews } = process()
    const asked = await say(question, payCall)
    await say(answered(question, asked, true))
    await reviews.rejectDenied(answered(question, asked, false))
    const { responseMessages } = await say(answered(question, asked, true))
    expect([paid, JSON.stringify(responseMessages)]).toEqual([['ten'], expect.stringContaining('"output":{"type":"text","value":"1"}')])
  })

  test('but nothing else is denied by it: an approval of a later asking counts [T14]', async () => {
    const { paid, process } = gated()
    const denied = answered(question, await process().say(question, payCall), false)
    const later = await process().say(denied, payCall)
    await process().say(answered(denied, later, true))
    expect(paid).toEqual(['ten'])
  })
})

describe('a decision that is prepared with a secret', () => {
  const change = { input: '40' }
  const VERBS: readonly (readonly [string, (reviews: AiSdkReviews, by?: Principal) => Promise<void>])[] = [
    ['an edit', (reviews, by) => reviews.edit('call_0', change, by)],
    ['a rejection', (reviews, by) => reviews.reject('call_0', 'No.', by)],
    ['a stop', (reviews, by) => reviews.stop('call_0', 'No.', by)],
  ]
  const gated = (approvals?: GateOptions<string>['approvals']) => {
    const paid: string[] = []
    const pay = gate(tool({ name: 'pay', description: 'd', effect: 'write', execute: (input) => `${paid.push(input)}` }), { approvals })
    return { paid, process: () => processOf({ pay }, SECRET) }
  }

  test.each(VERBS)('is refused at a gate that another process opens without knowing of it: %s [T14]', async (_what, prepare) => {
    const { process } = gated()
    const { say, reviews } = process()
    await say(question, payCall)
    await expect(prepare(reviews)).rejects.toMatchObject({ code: 'not_permitted', message: expect.stringContaining('durable run') })
    expect(reviews.list()).toMatchObject([{ toolCallId: 'call_0' }])
    expect(reviews.list()[0]?.decision).toBeUndefined()
  })

  test.each(VERBS)('counts where the decider must be known, and another process runs nothing: %s [T14]', async (what, prepare) => {
    const { paid, process } = gated({ excludeRequester: false })
    const { say, reviews } = process()
    const asked = await say(question, payCall)
    await prepare(reviews, { id: 'bob', permissions: [] })
    await process().say(answered(question, asked, true))
    expect(paid).toEqual([])
    await say(answered(question, asked, true))
    expect(paid).toEqual(what === 'an edit' ? ['40'] : [])
  })

  test.each(VERBS)('counts at a gate inside, which no other process opens: %s [T14]', async (what, prepare) => {
    const { paid, process } = desk()
    const { say, reviews } = process(SECRET)
    const asked = await say(question, payCall)
    await prepare(reviews)
    await process(SECRET).say(answered(question, asked, true))
    expect(paid).toEqual([])
    await say(answered(question, asked, true))
    expect(paid).toEqual(what === 'an edit' ? [40] : [])
  })
})

describe('an approval under a seal, of a gate whose time is limited', () => {
  test.each(['reject', 'stop', 'continue'] as const)('does not count elsewhere when the time is over (%s) [T14]', async (onTimeout) => {
    const clock = fakeClock()
    const paid: string[] = []
    const give = tool({ name: 'pay', description: 'd', effect: 'write', execute: (input) => `${paid.push(input)}` })
    const tools = { pay: gate(give, { timeout: '1m', onTimeout }) }
    const asked = await processOf(tools, { ...SECRET, clock }).say(question, payCall)
    await clock.advance(61_000)
    const before = paid.length
    await processOf(tools, { ...SECRET, clock }).say(answered(question, asked, true), 'done')
    expect(paid).toHaveLength(before)
  })

  test('does not count elsewhere at all where the process that asked goes on by itself [T14]', async () => {
    const clock = fakeClock()
    const paid: string[] = []
    const give = tool({ name: 'pay', description: 'd', effect: 'write', execute: (input) => `${paid.push(input)}` })
    const tools = { pay: gate(give, { timeout: '1m', onTimeout: 'continue' }) }
    const asked = await processOf(tools, { ...SECRET, clock }).say(question, payCall)
    await processOf(tools, { ...SECRET, clock }).say(answered(question, asked, true), 'done')
    expect(paid).toEqual([])
    await clock.advance(61_000)
    expect(paid).toEqual(['ten'])
  })

  test('counts elsewhere in time [T14]', async () => {
    const clock = fakeClock()
    const paid: string[] = []
    const give = tool({ name: 'pay', description: 'd', effect: 'write', execute: (input) => `${paid.push(input)}` })
    const tools = { pay: gate(give, { timeout: '1m' }) }
    const asked = await processOf(tools, { ...SECRET, clock }).say(question, payCall)
    await clock.advance(30_000)
    await processOf(tools, { ...SECRET, clock }).say(answered(question, asked, true), 'done')
    expect(paid).toEqual(['ten'])
  })
})

describe.each(MODES)('%s, what one caller denies', (_mode, options) => {
  test.each([
    ['another principal', { principal: { id: 'eve', permissions: [] }, session: 'chat' }],
    ['another session', { principal: { id: 'ada', permissions: [] }, session: 'other' }],
  ])('is not the call of %s [T14]', async (_who, caller) => {
    const paid: string[] = []
    const pay = gate(tool({ name: 'pay', description: 'd', effect: 'write', execute: (input) => `${paid.push(input)}` }))
    const reviews = aiSdkReviews(options)
    const ada = toAiSdk({ pay }, { reviews, principal: { id: 'ada', permissions: [] }, session: 'chat' })
    const say = (messages: readonly ModelMessage[], ...turns: readonly Turn[]) =>
      generateText({ model: scriptedLanguageModel(...turns), messages: [...messages], ...ada, stopWhen: isStepCount(3) })
    const asked = await say(question, payCall)
    const denied = withoutReasons(answered(question, asked, false))
    await toAiSdk({ pay }, { reviews, ...caller }).reviews.rejectDenied(denied)
    await say(answered(question, asked, true), 'done')
    expect(paid).toEqual(['ten'])
  })
})
