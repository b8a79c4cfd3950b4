import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { OpenAIProvider, Agent, Runner, tool as agentTool, setTracingDisabled } from '@openai/agents'
import { JsonOutputParser, StructuredOutputParser } from '@langchain/core/output_parsers'
import { PromptTemplate } from '@langchain/core/prompts'
import { RunnableLambda } from '@langchain/core/runnables'
import { tool as chainTool } from '@langchain/core/tools'
import { createProviderRegistry, embed, generateText, Output, streamText } from 'ai'
import * as z from 'zod'
import { freePort } from '../fixtures/free-port.ts'
import type { MisbehavingServers } from './misbehaving-servers.ts'
import { type RealError, realErrors } from './real-error.ts'

setTracingDisabled(true)

const choice = (content: string): string =>
  JSON.stringify({
    id: 'a',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })

/** The paths of clients go behind the base URL: what is left behind `?` does not count. */
const saying = (http: string, text: string): string => `${http}/text/${encodeURIComponent(text)}?`

export function modelErrors({ http }: MisbehavingServers): readonly RealError[] {
  const model = (baseURL: string) => createOpenAICompatible({ name: 'local', baseURL }).chatModel('m')
  const asked = (baseURL: string, maxRetries = 0): (() => Promise<unknown>) => {
    return () => generateText({ model: model(baseURL), prompt: 'Hello', maxRetries })
  }
  const answered = (status: number, headers = ''): (() => Promise<unknown>) => asked(`${http}/status/${status}?${headers}#`)
  const agent = (baseURL: string) => async () => {
    const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey: 'k', baseURL, useResponses: false }) })
    return runner.run(new Agent({ name: 'a', model: 'm' }), 'Hello')
  }
  const inAnAge = new Date(Date.UTC(2100, 0, 1)).toUTCString()
  return [
    ...realErrors('ai', [
      ['400', 'invalid_request', 'failed', answered(400)],
      ['401', 'access_denied', 'failed', answered(401)],
      ['402', 'access_denied', 'failed', answered(402)],
      ['403', 'access_denied', 'failed', answered(403)],
      ['404', 'not_found', 'failed', answered(404)],
      ['408', 'service_unavailable', 'unknown', answered(408)],
      ['409', 'conflict', 'failed', answered(409)],
      ['413', 'invalid_request', 'failed', answered(413)],
      ['422', 'invalid_request', 'failed', answered(422)],
      ['429', 'rate_limited', 'failed', answered(429)],
      ['429 with seconds', 'rate_limited', 'failed', answered(429, 'retry-after=12'), 12_000],
      ['429 with milliseconds', 'rate_limited', 'failed', answered(429, 'retry-after-ms=1500'), 1500],
      [
        '429 with a moment far away, of which a day counts',
        'rate_limited',
        'failed',
        answered(429, `retry-after=${encodeURIComponent(inAnAge)}`),
        86_400_000,
      ],
      ['500', 'upstream_error', 'unknown', answered(500)],
      ['501', 'upstream_error', 'failed', answered(501)],
      ['502', 'service_unavailable', 'unknown', answered(502)],
      ['503', 'service_unavailable', 'failed', answered(503)],
      ['503 with seconds', 'service_unavailable', 'failed', answered(503, 'retry-after=3'), 3000],
      ['504', 'service_unavailable', 'unknown', answered(504)],
      ['529', 'service_unavailable', 'failed', answered(529)],
      ['503 again after its own retry', 'service_unavailable', 'failed', asked(`${http}/status/503?retry-after-ms=1#`, 1), 1],
      ['nobody listens', 'service_unavailable', 'not_started', async () => asked(`http://127.0.0.1:${await freePort()}`)()],
      ['the connection is reset', 'service_unavailable', 'unknown', asked(`${http}/reset`)],
      [
        'no answer comes in time',
        'service_unavailable',
        'unknown',
        () => generateText({ model: model(`${http}/silent`), prompt: 'a', maxRetries: 0, abortSignal: AbortSignal.timeout(30) }),
      ],
      [
        'the caller has gone',
        'cancelled',
        'unknown',
        () => generateText({ model: model(`${http}/silent`), prompt: 'a', maxRetries: 0, abortSignal: AbortSignal.abort() }),
      ],
      [
        'a picture at an address that it refuses',
        'invalid_request',
        'failed',
        () =>
          generateText({
            model: model(http),
            maxRetries: 0,
            messages: [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: new URL('http://127.0.0.1:1/a') }] }],
          }),
      ],
      ['a page in place of an answer', 'upstream_error', 'unknown', asked(`${http}/page`)],
      ['an answer of another shape', 'upstream_error', 'unknown', asked(saying(http, '{"a":1}'))],
      ['an answer that is cut off', 'upstream_error', 'unknown', asked(saying(http, '{"choices":['))],
      [
        'text in place of an object',
        'upstream_error',
        'unknown',
        () =>
          generateText({
            model: model(saying(http, choice('Sure!'))),
            prompt: 'a',
            output: Output.object({ schema: z.object({ n: z.number() }) }),
          }).then(({ output }) => output),
      ],
      [
        'an object of another shape',
        'upstream_error',
        'unknown',
        () =>
          generateText({
            model: model(saying(http, choice('{"n":"x"}'))),
            prompt: 'a',
            output: Output.object({ schema: z.object({ n: z.number() }) }),
          }).then(({ output }) => output),
      ],
      ['no prompt', 'invalid_request', 'failed', () => generateText({ model: model(http), messages: [], maxRetries: 0 })],
      ['a wrong setting', 'invalid_request', 'failed', () => generateText({ model: model(http), prompt: 'a', maxRetries: -1 })],
      ['a provider that is not registered', 'not_found', 'failed', () => createProviderRegistry({}).languageModel('nobody:x' as never)],
      [
        'an embedding that is refused',
        'access_denied',
        'failed',
        () =>
          embed({
            model: createOpenAICompatible({ name: 'local', baseURL: `${http}/status/401?#` }).embeddingModel('m'),
            value: 'a',
            maxRetries: 0,
          }),
      ],
      [
        'a stream that is refused',
        'rate_limited',
        'failed',
        () =>
          new Promise((_resolve, reject) => {
            const stream = streamText({
              model: model(`${http}/status/429?retry-after=2#`),
              prompt: 'a',
              maxRetries: 0,
              onError: ({ error }) => reject(error),
            })
            void stream.consumeStream()
          }),
        2000,
      ],
    ]),
    ...realErrors('@openai/agents', [
      ['401', 'access_denied', 'failed', agent(`${http}/status/401?`)],
      ['404', 'not_found', 'failed', agent(`${http}/status/404?`)],
      ['429 with seconds', 'rate_limited', 'failed', agent(`${http}/status/429?retry-after=4&x=`), 4000],
      ['500', 'upstream_error', 'unknown', agent(`${http}/status/500?`)],
      ['an answer that is no JSON', 'upstream_error', 'unknown', agent(saying(http, '{"choices":['))],
      [
        'too many turns',
        'loop_exhausted',
        'unknown',
        () =>
          new Runner({
            modelProvider: new OpenAIProvider({ apiKey: 'k', baseURL: saying(http, choice('Hello')), useResponses: false }),
          }).run(new Agent({ name: 'a', model: 'm' }), 'Hello', { maxTurns: 0 }),
      ],
      [
        'no input that the tool can take',
        'invalid_request',
        'failed',
        () =>
          agentTool({
            name: 't',
            description: 'A tool.',
            parameters: z.object({ n: z.number() }),
            execute: () => 'x',
            errorFunction: null,
          }).invoke({} as never, '{"n":"x"}'),
      ],
    ]),
    ...realErrors('@langchain/core', [
      ['text in place of JSON', 'upstream_error', 'unknown', () => new JsonOutputParser().parse('Sure, here it is')],
      [
        'JSON of another shape',
        'upstream_error',
        'unknown',
        () => StructuredOutputParser.fromZodSchema(z.object({ n: z.number() })).parse('{"n":"x"}'),
      ],
      ['a prompt without its value', 'invalid_request', 'failed', () => PromptTemplate.fromTemplate('Hello {name}').invoke({} as never)],
      [
        'input that the tool does not take',
        'invalid_request',
        'failed',
        () => chainTool(() => 'x', { name: 't', description: 'A tool.', schema: z.object({ n: z.number() }) }).invoke({ n: 'x' } as never),
      ],
      [
        'out of time',
        'service_unavailable',
        'unknown',
        () => RunnableLambda.from(() => new Promise<string>(() => undefined)).invoke('a', { timeout: 30 }),
      ],
      [
        'the caller has gone',
        'cancelled',
        'unknown',
        () => RunnableLambda.from(() => new Promise<string>(() => undefined)).invoke('a', { signal: AbortSignal.abort() }),
      ],
      [
        'a step whose service is gone',
        'service_unavailable',
        'not_started',
        () => RunnableLambda.from(async () => fetch(`http://127.0.0.1:${await freePort()}`)).invoke('a'),
      ],
      [
        'a step after its own retries',
        'service_unavailable',
        'unknown',
        () =>
          RunnableLambda.from(() => fetch(`${http}/reset`))
            .withRetry({ stopAfterAttempt: 1 })
            .invoke('a'),
      ],
    ]),
  ]
}
