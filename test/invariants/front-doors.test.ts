import { generateText, isStepCount, type ModelMessage } from 'ai'
import { join } from 'node:path'
import type { ReviewDecision } from 'toolwright'
import { toAiSdk } from 'toolwright/ai-sdk'
import { createMcpServer, mcpHandler } from 'toolwright/mcp'
import { recordEvents, recordingReview } from 'toolwright/testing'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { runCli } from '../cli/run-cli.ts'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel } from '../fixtures/ai-sdk/scripted-language-model.ts'
import { refund } from '../fixtures/front-doors/refund.ts'
import { connectInProcess } from '../fixtures/mcp/in-process.ts'
import { httpClient, listening } from '../fixtures/mcp/over-http.ts'

/** One decision as each door puts it. */
interface Case {
  readonly decision: ReviewDecision
  readonly form: Readonly<Record<string, string>>
  readonly typed: string
  readonly reads: string
}

const CASES: Readonly<Record<string, Case>> = {
  approved: {
    decision: { action: 'continue' },
    form: { decision: 'approve' },
    typed: 'y',
    reads: 'Told: Paid back 149.99 for order-of-ada.',
  },
  edited: {
    decision: { action: 'edit', patch: { amount: 40 } },
    form: { decision: 'edit', input: '{"amount":40}' },
    typed: 'e {"orderId":"order-of-ada","amount":40}',
    reads: 'Told: Paid back 40 for order-of-ada.',
  },
  rejected: {
    decision: { action: 'reject', reason: 'fraud' },
    form: { decision: 'reject', reason: 'fraud' },
    typed: 'n fraud',
    reads: 'Error: Step \'pay_back\' failed: Rejected by reviewer, who says "fraud": {"orderId":"order-of-ada","amount":149.99}',
  },
}

/** What the command line prints of a result. */
interface Printed {
  readonly text: string
  readonly steps: readonly { readonly path: string; readonly ok: boolean }[]
}

describe.each(Object.entries(CASES))('a gate in the middle of a compound, %s', (_what, { decision, form, typed, reads }) => {
  const direct = async () => {
    const recorder = recordEvents()
    const result = await refund.call({ email: 'ada' }, { on: recorder, review: recordingReview(decision) })
    return { result, trace: recorder.summary() }
  }

  test('reads the same from a program [T14]', async () => {
    expect((await direct()).result.text).toBe(reads)
  })

  test('reads the same from the command line, with the same steps [T14]', async () => {
    const tools = join(root, 'test', 'fixtures', 'front-doors', 'refund.ts')
    const { stdout, code } = await runCli(['call', 'refund', 'email=ada', '--tools', tools, '--ask', '--json'], { stdin: `${typed}\n` })
    const printed = JSON.parse(stdout) as Printed
    const { result } = await direct()
    // The answers of the console are in its name.
    expect(printed.text).toBe(reads.replace('reviewer,', 'reviewer console (claimed),'))
    expect(printed.steps.map(({ path, ok }) => [path, ok])).toEqual(result.steps?.map(({ path, result: { ok } }) => [path, ok]))
    expect(code).toBe(result.ok ? 0 : 1)
  })

  test.each(['2025-11-25', '2026-07-28'] as const)(
    'reads the same over MCP, revision %s, with the same trace [T10] [T15]',
    async (revision) => {
      const recorder = recordEvents()
      const client = await connectInProcess(await createMcpServer({ tools: [refund], on: recorder }), revision, {
        answer: () => ({ action: 'accept', content: { ...form } }),
      })
      const result = await client.callTool({ name: 'refund', arguments: { email: 'ada' } })
      await client.close()
      expect(JSON.stringify(result.content)).toContain(JSON.stringify(reads).slice(1, -1))
      expect(recorder.summary()).toEqual((await direct()).trace)
    },
  )

  test.each(['2025-11-25', '2026-07-28'] as const)(
    'reads the same over MCP and HTTP, revision %s, with the same trace [T10] [T15] [X6]',
    async (revision) => {
      const recorder = recordEvents()
      const mcp = await mcpHandler({ tools: [refund], on: recorder })
      const answer = () => ({ action: 'accept', content: { ...form } }) as const
      const client = await httpClient(await listening(mcp.node), revision, { answer })
      const result = await client.callTool({ name: 'refund', arguments: { email: 'ada' } })
      await mcp.close()
      expect(JSON.stringify(result.content)).toContain(JSON.stringify(reads).slice(1, -1))
      expect(recorder.summary()).toEqual((await direct()).trace)
    },
  )

  test('reads the same through the AI SDK, paused and continued, with the same trace [T10] [T14]', async () => {
    const recorder = recordEvents()
    const { tools, toolApproval, reviews } = toAiSdk({ refund }, { on: recorder })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'refund', input: { email: 'ada' } }], 'Done.')
    const messages: ModelMessage[] = [{ role: 'user', content: 'Refund ada.' }]
    const stopWhen = isStepCount(5)
    const paused = await generateText({ model, messages, tools, toolApproval, stopWhen })
    if (decision.action === 'edit') await reviews.edit('c1', { patch: { amount: 40 } })
    if (decision.action === 'reject') await reviews.reject('c1', decision.reason)
    const done = await generateText({ model, messages: answered(messages, paused, true), tools, toolApproval, stopWhen })
    expect(done.text).toBe('Done.')
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain(JSON.stringify(reads).slice(1, -1))
    expect(recorder.summary()).toEqual((await direct()).trace)
  })
})
