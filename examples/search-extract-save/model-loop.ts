import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount } from 'ai'
import { encode } from 'gpt-tokenizer'
import type { AgentTool, ReviewHandler } from 'toolwright'
import { toAiSdk } from 'toolwright/ai-sdk'
import { type ScriptedTurn, scriptedModelServer } from 'toolwright/testing'

/** What a job cost, as a provider would bill it: every call sends everything again. */
export interface Bill {
  readonly modelCalls: number
  readonly tokens: number
  readonly answer: string
}

interface Job {
  readonly tools: readonly AgentTool[]
  readonly question: string
  /** What the model says. It is a script, so that the figures are the same on every machine; all else is as with a real one. */
  readonly script: readonly ScriptedTurn[]
  readonly review: ReviewHandler
}

/** Has a model do a job with tools, over HTTP, by the agent loop of the AI SDK. */
export async function billFor({ tools, question, script, review }: Job): Promise<Bill> {
  let written = 0
  const counted = script.map((turn): ScriptedTurn => async (request) => {
    const answer = typeof turn === 'function' ? await turn(request) : turn
    written += encode(JSON.stringify(answer)).length
    return answer
  })
  await using server = await scriptedModelServer({ turns: counted })
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: server.url })
  const { text } = await generateText({
    model: provider('scripted'),
    prompt: question,
    tools: toAiSdk(tools, { review }).tools,
    stopWhen: isStepCount(10),
  })
  const read = server.requests.reduce((sum, { body }) => sum + encode(JSON.stringify([body.messages, body.tools])).length, 0)
  return { modelCalls: server.requests.length, tokens: read + written, answer: text }
}

/** The latest result that the model was told. */
export function lastToolText(messages: readonly { readonly role: string; readonly content?: unknown }[]): string {
  const content = messages.findLast(({ role }) => role === 'tool')?.content
  return typeof content === 'string' ? content : JSON.stringify(content)
}
