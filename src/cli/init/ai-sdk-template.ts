import type { Template } from './template.ts'

/** The pipeline as a tool of a model. */
export const aiSdkTemplate: Template = {
  summary: 'a model of the AI SDK that calls the tools; runs without a key',
  dependencies: { '@ai-sdk/openai-compatible': '3.0.90', ai: '7.0.169' },
  devDependencies: {},
  scripts: {},
  files: () => ({ 'src/main.ts': MAIN, 'src/answer.ts': ANSWER, 'src/open-model.ts': OPEN_MODEL, 'test/answer.test.ts': TEST }),
  readme:
    () => `\`npm start\` asks a model to refund an order. The model calls the pipeline once, and you are asked before the refund (without a terminal it is approved by itself).

Without a key, the model is a script that is served over HTTP, so that everything runs on your machine. To use a real model, name an endpoint that speaks the chat API of OpenAI:

\`\`\`sh
MODEL_URL=http://127.0.0.1:11434/v1 MODEL_NAME=qwen3 npm start                    # a local one, such as Ollama
MODEL_URL=https://api.openai.com/v1 MODEL_NAME=gpt-5-mini MODEL_KEY=... npm start # a hosted one
\`\`\`

Or return any model of the AI SDK from \`src/open-model.ts\`.
`,
}

const ANSWER = `import { generateText, isStepCount, type LanguageModel } from 'ai'
import type { ReviewHandler } from 'toolwright'
import { toAiSdk } from 'toolwright/ai-sdk'
import { refundLatestOrder } from './refund-latest-order.ts'

/** Lets a model answer a question with the tools. \`review\` decides at the gates. */
export async function answer(question: string, { model, review }: { model: LanguageModel; review: ReviewHandler }): Promise<string> {
  const { tools } = toAiSdk([refundLatestOrder], { review, deadline: '5m' })
  const { text } = await generateText({ model, prompt: question, tools, stopWhen: isStepCount(5) })
  return text
}
`

const OPEN_MODEL = `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { scriptedModelServer } from 'toolwright/testing'

export interface OpenedModel {
  readonly model: LanguageModel
  readonly close: () => Promise<void>
}

/** The model of MODEL_URL and MODEL_NAME; without them, one that plays a script. Put any model of the AI SDK here. */
export async function openModel(): Promise<OpenedModel> {
  const { MODEL_URL, MODEL_NAME, MODEL_KEY } = process.env
  if (MODEL_URL && MODEL_NAME) {
    const provider = createOpenAICompatible({ name: 'model', baseURL: MODEL_URL, ...(MODEL_KEY ? { apiKey: MODEL_KEY } : {}) })
    return { model: provider(MODEL_NAME), close: async () => {} }
  }
  const server = await scriptedModelServer({
    turns: [
      { toolCalls: [{ name: 'refund_latest_order', arguments: { email: 'ada@example.com' } }] },
      { text: 'Ada got her money back.' },
    ],
  })
  return { model: createOpenAICompatible({ name: 'scripted', baseURL: server.url })('scripted'), close: server.close }
}
`

const MAIN = `import { autoReview, consoleReview } from 'toolwright'
import { answer } from './answer.ts'
import { openModel } from './open-model.ts'

// A person decides on the terminal. Without one, the refund is approved by itself: change that before real money moves.
const review = process.stdin.isTTY ? consoleReview() : autoReview()
const { model, close } = await openModel()
try {
  console.log(await answer('Please refund the latest order of ada@example.com.', { model, review }))
} finally {
  await close()
}
`

const TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { recordingReview, scriptedModelServer } from 'toolwright/testing'
import { answer } from '../src/answer.ts'

test('the model calls the pipeline once, and reads what a person said', async () => {
  const server = await scriptedModelServer({
    turns: [{ toolCalls: [{ name: 'refund_latest_order', arguments: { email: 'ada@example.com' } }] }, { text: 'Sorry.' }],
  })
  try {
    const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url })('scripted')
    const review = recordingReview({ action: 'reject', reason: 'too much' })
    assert.equal(await answer('Refund Ada.', { model, review }), 'Sorry.')
    assert.equal(review.requests.length, 1)
    assert.match(JSON.stringify(server.requests.at(-1)?.body.messages), /too much/)
  } finally {
    await server.close()
  }
})
`
