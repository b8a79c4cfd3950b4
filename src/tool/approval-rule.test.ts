import { describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { recordingReview } from '../testing/recording-review.ts'
import type { AgentTool } from './agent-tool.ts'
import { tool } from './tool.ts'

/** As a program without types may write them: the predicate gives a promise. */
const later = (given: () => unknown): never => (async () => given()) as never
const refuses = later(() => false)
const breaks = later(() => {
  throw new Error('late')
})

let runs = 0
const send = tool({ name: 'send', description: 'Sends it.', effect: 'write', execute: () => ++runs })
const own = (requireApproval: never): AgentTool<string, number> =>
  tool({ name: 'send', description: 'Sends it.', effect: 'write', requireApproval, execute: () => ++runs })

describe('an approval that is asked for by a promise', () => {
  test.each([
    ['a gate', gate(send, { approval: refuses }), "The predicate in the approval of tool 'send' returned a promise."],
    ['a gate whose predicate breaks', gate(send, { approval: breaks }), "The predicate in the approval of tool 'send' returned a promise."],
    ['the tool itself', own(breaks), "The predicate in the approval of tool 'send' returned a promise."],
    ['the tool with options', own({ when: breaks } as never), "The predicate in the approval of tool 'send' returned a promise."],
    ['the text for the person', gate(send, { why: breaks }), "'why' in the approval of tool 'send' returned a promise."],
  ])('fails before anything runs or anybody is asked: %s [T14]', async (_who, gated, message) => {
    const unheard: unknown[] = []
    const hear = (reason: unknown): void => void unheard.push(reason)
    process.on('unhandledRejection', hear)
    onTestFinished(() => void process.off('unhandledRejection', hear))
    runs = 0
    const review = recordingReview({ action: 'continue' })
    const result = await gated.call('x', { review })
    await new Promise((resolve) => void setImmediate(resolve))
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'adapter_failed',
        outcome: 'not_started',
        message: expect.stringContaining(message),
        hint: expect.stringContaining('nothing ran'),
      },
    })
    expect({ runs, asked: review.requests.length, unheard }).toEqual({ runs: 0, asked: 0, unheard: [] })
  })
})

test('a predicate that throws says which one it was, and nothing runs [T14]', async () => {
  runs = 0
  const approval = (): never => {
    throw new Error('odd input')
  }
  const result = await gate(send, { approval }).call('x', { review: recordingReview() })
  expect(result).toMatchObject({
    error: { code: 'adapter_failed', outcome: 'not_started', message: "The predicate in the approval of tool 'send' failed: odd input" },
  })
  expect(runs).toBe(0)
})

test.each([
  ['nothing', undefined, "Tool 'send' asks for approval before it runs."],
  ['a blank', '', "Tool 'send' asks for approval before it runs."],
  ['a number', 5, '5'],
])('a person reads a text, also where the function for it gives %s [T14]', async (_what, why, read) => {
  const review = recordingReview({ action: 'continue' })
  await gate(send, { why: () => why as never }).call('x', { review })
  expect(review.requests).toMatchObject([{ why: read }])
})

test.each([null, 5, 'yes'])('a rule that is none is refused: %o', (wrong) => {
  expect(() => own(wrong as never)).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringContaining("The approval of tool 'send' must be true, false"),
    }),
  )
})

test('a constant condition is known for what it is, as it is written and as a bundler leaves it', () => {
  const asks = (source: string) => gate(send, { approval: new Function(`return ${source}`)() as never }).plan().asks
  const never = [
    '() => false',
    '() => !1',
    '()=>!1',
    'a=>!1',
    '(a)=>{return!1}',
    '() => { return false }',
    'function(){return!1}',
    'function no(a) {\n  return false;\n}',
  ]
  const always = ['() => true', '()=>!0', 'a=>{return!0}', 'function () { return true }']
  const sometimes = [
    '({ n }) => n > 1',
    '()=>!1||!0',
    '() => isFalse',
    '()=>{returnfalse}',
    'async () => false',
    '() => { if (x) return false }',
    'function*no(){return!1}',
  ]
  expect(Object.fromEntries(never.map((each) => [each, asks(each)]))).toEqual(Object.fromEntries(never.map((each) => [each, 'never'])))
  expect(Object.fromEntries(always.map((each) => [each, asks(each)]))).toEqual(Object.fromEntries(always.map((each) => [each, 'always'])))
  expect(Object.fromEntries(sometimes.map((each) => [each, asks(each)]))).toEqual(
    Object.fromEntries(sometimes.map((each) => [each, 'sometimes'])),
  )
})
