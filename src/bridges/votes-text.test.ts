import { generateText, type ModelMessage } from 'ai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scriptedLanguageModel } from '../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { gate } from '../combinators/gate/gate.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { recordingReview } from '../testing/recording-review.ts'
import type { RequiredApprovals } from '../tool/deciders.ts'
import type { ReviewRequest } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import { toAiSdk } from './ai-sdk/to-ai-sdk.ts'
import { reviewInterrupt } from './langchain/review-interrupt.ts'
import { elicitation } from './mcp/elicitation.ts'
import { neededVotes } from './votes-text.ts'

const RITA = { id: 'rita', permissions: [] }
const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => `paid ${to}` })

async function asked(approvals: RequiredApprovals | undefined): Promise<ReviewRequest> {
  const review = recordingReview({ action: 'reject' })
  await gate(pay, { approvals }).call('bob', { review, principal: RITA })
  const [request] = review.requests
  if (request === undefined) throw new Error('Nobody was asked.')
  return request
}

const NOT_RITA = 'and not of the one who called it.'
const RULES: readonly (readonly [RequiredApprovals, string])[] = [
  [{ count: 2 }, `Needs 2 approvals, each of another person, ${NOT_RITA}`],
  [{ count: 3, of: ['ada', 'bob', 'cyd'] }, `Needs 3 approvals, each of another person: ada, bob, cyd, ${NOT_RITA}`],
  [{ count: 2, of: 'finance:lead', excludeRequester: false }, "Needs 2 approvals, each of another person who holds 'finance:lead'."],
  [{}, `Needs the approval of a person whom the program knows, ${NOT_RITA}`],
]

describe('a gate that the word of anybody does not open', () => {
  test.each(RULES)('%j is told in words', async (approvals, text) => {
    expect(neededVotes(await asked(approvals))).toBe(text)
  })

  test.each(RULES)('in a form of MCP: %j [X6]', async (approvals, text) => {
    const { message, requestedSchema } = elicitation(await asked(approvals))
    expect(message).toContain(`${text} An approval or an edit in this form names nobody, and is no vote`)
    expect(JSON.stringify(requestedSchema)).toContain('approve, edit: no vote')
    expect(JSON.stringify(requestedSchema)).not.toContain('approve: run it')
  })

  test.each(['memory', 'durable'] as const)('in the reason of the AI SDK, in %s [T14]', async (where) => {
    const gated = gate(pay, { why: 'Money.', approvals: { count: 2 } })
    const runtime = createRuntime({ tools: [gated], ...(where === 'durable' ? { database: memoryRuns() } : {}) })
    onTestFinished(() => runtime.close())
    const { tools, toolApproval, reviews } = toAiSdk({ pay: gated }, { runtime, principal: RITA, session: 's' })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Pay bob.' }]
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'pay', input: { input: 'bob' } }], 'Done.')
    const { content } = await generateText({ model, messages, tools, toolApproval })
    const reason = content.flatMap((part) => (part.type === 'tool-approval-request' ? [part.reason ?? ''] : [])).join()
    expect(reason).toContain(`Money. [${RULES[0]?.[1]} An approval or an edit in this conversation names nobody, and is no vote`)
    // Requests of durable runs stand in the inbox alone.
    expect(reviews.list().map(({ needs = '' }) => needs.startsWith(RULES[0]?.[1] ?? '-'))).toEqual(where === 'memory' ? [true] : [])
  })

  test('in an interrupt of LangGraph, where an approval with a name is a vote [T14]', async () => {
    const request = await asked({ count: 2 })
    const identity = { toolCallId: 'c1', name: 'pay' } as Parameters<typeof reviewInterrupt>[1]
    expect(reviewInterrupt({ request }, identity, undefined).approvals?.text).toBe(
      `0 of 2 approvals: 2 more are needed. ${RULES[0]?.[1]} One of them is a vote, and names its voter ('by'). After each, the graph interrupts again.`,
    )
  })
})

test('a gate that anybody opens says nothing of votes', async () => {
  const { message, requestedSchema } = elicitation(await asked(undefined))
  expect(message).not.toContain('Needs')
  expect(JSON.stringify(requestedSchema)).toContain('approve: run it')
})
