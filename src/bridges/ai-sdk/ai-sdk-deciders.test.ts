import { generateText, isStepCount, type ModelMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { answered } from '../../../test/fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel, toldLast } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { gate, type GateOptions } from '../../combinators/gate/gate.ts'
import type { Reviewers } from '../../tool/deciders.ts'
import type { Principal } from '../../tool/principal.ts'
import { tool } from '../../tool/tool.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const stopWhen = isStepCount(5)
const question: ModelMessage[] = [{ role: 'user', content: 'Pay bob.' }]
const BOB: Principal = { id: 'bob', permissions: ['review:pay'] }
const REVIEWERS: Reviewers = { identify: ({ name }) => (name === 'bob' ? BOB : undefined) }

/** A gated call that waits for an approval in a conversation, and the way on. */
async function waiting(options: GateOptions<string>, reviewers?: Reviewers) {
  const paid: string[] = []
  const pay = gate(tool({ name: 'pay', description: 'Pays.', execute: (to) => `paid ${paid.push(to)}` }), options)
  const { tools, toolApproval, reviews } = toAiSdk({ pay }, { reviewers, principal: { id: 'rita', permissions: [] } })
  const model = scriptedLanguageModel([{ id: 'c1', tool: 'pay', input: { input: 'bob' } }], 'Done.')
  const paused = await generateText({ model, messages: question, tools, toolApproval, stopWhen })
  const goOn = async (approved: boolean, reason?: string): Promise<string> => {
    await generateText({ model, messages: answered(question, paused, approved, reason), tools, toolApproval, stopWhen })
    return JSON.stringify(toldLast(model))
  }
  return { paid, reviews, goOn }
}

describe('a call whose decider must be known', () => {
  test('runs when somebody who may has approved it, and the conversation goes on', async () => {
    const { paid, reviews, goOn } = await waiting({}, REVIEWERS)
    await reviews.approve('c1', 'bob', { note: 'fine' })
    expect(reviews.list()).toMatchObject([{ decision: { action: 'continue', by: 'bob', identity: 'authenticated', note: 'fine' } }])
    expect(paid).toEqual([])
    await goOn(true)
    expect(paid).toEqual(['bob'])
  })

  test('runs by a principal where the gate excludes its requester', async () => {
    const { paid, reviews, goOn } = await waiting({ approvals: {} })
    await expect(reviews.approve('c1', { id: 'rita', permissions: [] })).rejects.toMatchObject({ code: 'not_permitted' })
    await reviews.approve('c1', BOB)
    await goOn(true)
    expect(paid).toEqual(['bob'])
  })

  test('does not run by an approval that names nobody, and says what to do', async () => {
    const { paid, goOn } = await waiting({}, REVIEWERS)
    const told = await goOn(true)
    expect(told).toContain('none was named')
    expect(told).toContain('reviewers.identify')
    expect(paid).toEqual([])
  })

  test.each(['approve', 'edit', 'reject', 'stop'] as const)('refuses at once the %s of somebody who may not decide', async (verb) => {
    const { reviews } = await waiting({}, REVIEWERS)
    const change = { input: 'mallory' }
    const decide = (by: string): Promise<void> =>
      verb === 'edit' ? reviews.edit('c1', change, by) : verb === 'approve' ? reviews.approve('c1', by) : reviews[verb]('c1', 'no', by)
    await expect(decide('mallory')).rejects.toMatchObject({ code: 'not_permitted' })
    expect(reviews.list()[0]?.decision).toBeUndefined()
    await decide('bob')
    expect(reviews.list()[0]?.decision).toMatchObject({ by: 'bob' })
  })

  test('is denied in the words of the person, whoever it is', async () => {
    const { paid, goOn } = await waiting({}, REVIEWERS)
    expect(await goOn(false, 'Too much.')).toContain('Too much.')
    expect(paid).toEqual([])
  })

  test('cannot get two approvals from a conversation, and says where to get them', async () => {
    const { reviews } = await waiting({ approvals: { count: 2 } })
    await expect(reviews.approve('c1', BOB)).rejects.toMatchObject({ code: 'not_permitted', message: expect.stringContaining('an inbox') })
  })
})
