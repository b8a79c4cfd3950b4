import type { ServerResponse } from 'node:http'
import type { Clock } from '../../tool/clock.ts'
import { chatCompletion, chatCompletionChunks, type Spoken } from './chat-completion.ts'
import type { ScriptedAnswer, ScriptedRefusal } from './scripted-turn.ts'

export interface Played extends Omit<Spoken, 'reply'> {
  readonly answer: ScriptedAnswer
  readonly clock: Clock
}

/** Sends what the script says, and ends when it is sent or the client has gone. */
export async function playAnswer(response: ServerResponse, { answer, clock, ...spoken }: Played): Promise<void> {
  const wait = (ms: number | undefined) => waitFor(ms ?? 0, response, clock)
  await wait(answer.delayMs)
  if (response.destroyed) return
  if ('broken' in answer) return breakDown(response, answer.broken, spoken.body.stream === true)
  if ('status' in answer) return refuse(response, answer)
  if (spoken.body.stream !== true) return sendWhole(response, JSON.stringify(chatCompletion({ ...spoken, reply: answer })), answer.cutOff)
  const events = [...chatCompletionChunks({ ...spoken, reply: answer }).map((chunk) => JSON.stringify(chunk)), '[DONE]']
  const sent = answer.cutOff === true ? events.slice(0, Math.ceil(events.length / 2)) : events
  beginStream(response)
  for (const [index, event] of sent.entries()) {
    if (index > 0) await wait(answer.chunkDelayMs)
    if (response.destroyed) return
    response.write(`data: ${event}\n\n`)
  }
  if (answer.cutOff === true) await cut(response)
  else response.end()
}

/** An error as this API words one. */
export function refuse(response: ServerResponse, { status, message, headers }: ScriptedRefusal): void {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error'
  const error = { message: message ?? `The script answers with status ${status}.`, type, param: null, code: null }
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '0', ...headers })
  response.end(JSON.stringify({ error }))
}

function sendWhole(response: ServerResponse, text: string, cutOff = false): void | Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  if (!cutOff) return void response.end(text)
  response.write(text.slice(0, Math.floor(text.length / 2)))
  return cut(response)
}

function breakDown(response: ServerResponse, kind: 'malformed' | 'dropped' | 'silent', stream: boolean): void {
  if (kind === 'silent') return
  if (kind === 'dropped') return void response.socket?.destroy()
  if (!stream) return void sendWhole(response, '{"id": "chatcmpl-broken", "choices": [')
  beginStream(response)
  response.end('data: {"id": "chatcmpl-broken", "choices": [\n\ndata: [DONE]\n\n')
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
}

/** The client has what was written before the connection breaks. */
async function cut(response: ServerResponse): Promise<void> {
  await new Promise((resolve) => response.write('', resolve))
  response.socket?.destroy()
}

/** Until the time is over or the client has gone. */
function waitFor(ms: number, response: ServerResponse, clock: Clock): Promise<void> | undefined {
  if (ms <= 0 || response.destroyed) return undefined
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      response.off('close', done)
      resolve()
    }
    const cancel = clock.timer(ms, done)
    response.once('close', done)
  })
}
