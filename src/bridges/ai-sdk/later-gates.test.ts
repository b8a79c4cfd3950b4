import { generateText, isStepCount, type ModelMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answered } from '../../../test/fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel, toldLast, type Turn } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { shownReason } from '../../../test/fixtures/ai-sdk/shown-reason.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { humanInput } from '../../kits/basic/human-input.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const stopWhen = isStepCount(5)
const question: ModelMessage[] = [{ role: 'user', content: 'Go on.' }]

describe('a second gate', () => {
  const twoGates = (log: string[]) => {
    const step = (name: string) =>
      tool({
        name,
        description: 'd',
        requireApproval: { why: `May ${name} run?` },
        execute: (input) => (log.push(name), `${input} ${name}`),
      })
    return ToolPipeline.builder().name('both').description('Does both.').step(step('first')).step(step('second')).build()
  }
  const both = (id: string): Turn => [{ id, tool: 'both', input: { input: 'go' } }]

  test('is asked for by the next call with the same input, which goes on where the run stopped [T14]', async () => {
    const log: string[] = []
    const { tools, toolApproval } = toAiSdk({ both: twoGates(log) })
    const model = scriptedLanguageModel(both('c1'), both('c2'), 'Both done.')
    const one = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    const afterOne = answered(question, one, true)
    const two = await generateText({ model, messages: afterOne, tools, toolApproval, stopWhen })
    expect(log).toEqual(['first'])
    expect(toldLast(model)).toEqual([{ type: 'error-text', value: expect.stringContaining('May second run?') }])
    expect(two.content).toMatchObject([
      { type: 'tool-call' },
      { type: 'tool-approval-request', reason: shownReason('May second run? (second: go first)'), toolCall: { toolCallId: 'c2' } },
    ])
    const tooOld = Promise.resolve(tools.both.execute({ input: 'go' }, { toolCallId: 'c1', messages: afterOne, context: {} }))
    await expect(tooOld).rejects.toMatchObject({ code: 'approval_pending' })
    expect(log).toEqual(['first'])
    const three = await generateText({ model, messages: answered(afterOne, two, true), tools, toolApproval, stopWhen })
    expect([three.text, log]).toEqual(['Both done.', ['first', 'second']])
    const replayed = await generateText({ model, messages: afterOne, tools, toolApproval, stopWhen })
    expect([replayed.text, log]).toEqual(['The script is over.', ['first', 'second']])
  })

  test('is asked for by as many calls as equal calls wait there: none of them begins anew [T14]', async () => {
    const log: string[] = []
    const { tools, toolApproval, reviews } = toAiSdk({ both: twoGates(log) })
    const model = scriptedLanguageModel([...both('c1'), ...both('c2')] as Turn, [...both('c3'), ...both('c4')] as Turn, 'Both done.')
    let messages = question
    for (const gates of [
      ['c1 first', 'c2 first'],
      ['c3 second', 'c4 second'],
    ]) {
      const asked = await generateText({ model, messages, tools, toolApproval, stopWhen })
      expect(reviews.list().map(({ toolCallId, request }) => `${toolCallId} ${request.tool}`)).toEqual(gates)
      messages = answered(messages, asked, true)
    }
    const done = await generateText({ model, messages, tools, toolApproval, stopWhen })
    expect([done.text, log, reviews.list()]).toEqual(['Both done.', ['first', 'first', 'second', 'second'], []])
  })

  test('is not what a call with another input asks for: that begins anew [T14]', async () => {
    const log: string[] = []
    const { tools, toolApproval } = toAiSdk({ both: twoGates(log) })
    const model = scriptedLanguageModel(both('c1'), [{ id: 'c2', tool: 'both', input: { input: 'other' } }])
    const one = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    const two = await generateText({ model, messages: answered(question, one, true), tools, toolApproval, stopWhen })
    expect(two.content.at(-1)).toMatchObject({ reason: shownReason('May first run? (first: other)') })
  })

  test.each<[string, ReviewDecision, string[]]>([
    ['asked', { action: 'continue' }, ['first', 'second']],
    ['rejecting', { action: 'reject' }, ['first']],
  ])('is put to the handler, where there is one: %s [T15]', async (_what, decision, ran) => {
    const log: string[] = []
    const review = recordingReview(decision)
    const { tools, toolApproval } = toAiSdk({ both: twoGates(log) }, { review })
    const model = scriptedLanguageModel(both('c1'), 'Done.')
    const one = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    expect(review.requests).toEqual([])
    await generateText({ model, messages: answered(question, one, true), tools, toolApproval, stopWhen })
    expect(log).toEqual(ran)
    expect(review.requests).toMatchObject([{ tool: 'second' }])
  })
})

describe('a question', () => {
  const ask: Turn = [{ id: 'c1', tool: 'human_input', input: { input: 'Which seat?' } }]

  test('is answered through the reviews [T14]', async () => {
    const { tools, toolApproval, reviews } = toAiSdk([humanInput()])
    const model = scriptedLanguageModel(ask, 'Seat 4.')
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    expect(paused.content.at(-1)).toMatchObject({ type: 'tool-approval-request', reason: shownReason('Which seat?') })
    await expect(reviews.answer('c1', 4)).rejects.toMatchObject({ code: 'invalid_answer' })
    await expect(reviews.edit('c1', { patch: {} })).rejects.toMatchObject({ code: 'invalid_answer' })
    await reviews.answer('c1', '4', 'ada')
    await generateText({ model, messages: answered(question, paused, true), tools, toolApproval, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: '4' }])
  })

  test('that is approved without an answer counts as rejected [T14]', async () => {
    const { tools, toolApproval } = toAiSdk([humanInput()])
    const model = scriptedLanguageModel(ask, 'None.')
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    await generateText({ model, messages: answered(question, paused, true), tools, toolApproval, stopWhen })
    expect(toldLast(model)).toMatchObject([{ type: 'error-text', value: expect.stringContaining('the question was not answered') }])
  })

  test('asked by the code of a tool, which no plan shows, is put by the next call [T14]', async () => {
    const pick = tool({
      name: 'pick',
      description: 'Picks.',
      effect: 'read',
      execute: async (_input, context) => `picked ${await context.ask({ question: 'Which?', answerSchema: z.string() })}`,
    })
    const turn = (id: string): Turn => [{ id, tool: 'pick', input: { input: 'x' } }]
    const { tools, toolApproval, reviews } = toAiSdk([pick])
    const model = scriptedLanguageModel(turn('c1'), turn('c2'), 'Done.')
    const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
    expect(paused.content.at(-1)).toMatchObject({ type: 'tool-approval-request', reason: shownReason('Which?') })
    await reviews.answer('c2', 'red')
    await generateText({ model, messages: answered(question, paused, true), tools, toolApproval, stopWhen })
    expect(toldLast(model)).toEqual(expect.arrayContaining([{ type: 'text', value: 'picked red' }]))
  })
})
