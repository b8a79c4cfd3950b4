import type { IncomingMessage } from 'node:http'
import { MASK } from '../../tool/mask.ts'
import { isSensitiveName } from '../../tool/sensitive-name.ts'
import type { ChatRequest } from './chat-request.ts'
import { chatBodyProblem, isChatBody } from './check-chat-body.ts'
import type { ScriptedRefusal } from './scripted-turn.ts'

const PATH = '/v1/chat/completions'
const MOST_BYTES = 32 * 1024 * 1024

/** The request, or why a real endpoint would not take it: that uses up no turn. */
export async function readChatRequest(incoming: IncomingMessage): Promise<ChatRequest | ScriptedRefusal> {
  const [path = ''] = (incoming.url ?? '').split('?', 1)
  if (path !== PATH) return { status: 404, message: `Nothing is at ${path}. This server answers POST ${PATH}.` }
  if (incoming.method !== 'POST') return { status: 405, message: `${PATH} takes POST, not ${incoming.method}.`, headers: { allow: 'POST' } }
  const text = await textOf(incoming)
  if (text === undefined) return { status: 413, message: `The body has more than ${MOST_BYTES} bytes.` }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    return { status: 400, message: `The body is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (!isChatBody(body)) return { status: 400, message: chatBodyProblem(body) }
  return { path, headers: recordable(incoming), body }
}

async function textOf(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MOST_BYTES) chunks.push(chunk)
  }
  return size > MOST_BYTES ? undefined : Buffer.concat(chunks).toString('utf8')
}

function recordable({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      isSensitiveName(name) ? MASK : Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}
