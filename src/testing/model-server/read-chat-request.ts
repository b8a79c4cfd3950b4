import type { IncomingMessage } from 'node:http'
import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { MASK } from '../../tool/secrets/mask.ts'
import { isSensitiveName } from '../../tool/secrets/sensitive-name.ts'
import type { ChatBody, ChatRequest } from './chat-request.ts'
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

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool']
const TOOL_NAME = /^[\w-]{1,64}$/

/** The problem for which a real endpoint would refuse a body; undefined when it would accept it. */
function chatBodyProblem(body: unknown): string | undefined {
  if (!isRecord(body)) return 'The body must be a JSON object.'
  const { model, messages, tools, stream } = body
  if (typeof model !== 'string' || model === '') return `'model' must be the name of a model, not ${quote(model)}.`
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must be a list with at least one message."
  if (stream !== undefined && typeof stream !== 'boolean') return `'stream' must be true or false, not ${quote(stream)}.`
  return messagesProblem(messages) ?? (tools === undefined ? undefined : toolsProblem(tools))
}

function isChatBody(body: unknown): body is ChatBody {
  return chatBodyProblem(body) === undefined
}

/** Every call of a tool is answered, by the messages right behind it, and nothing else is. */
function messagesProblem(messages: readonly unknown[]): string | undefined {
  const open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const where = `messages[${index}]`
    if (!isRecord(message) || !ROLES.includes(String(message['role']))) return `${where} needs a role: ${ROLES.join(', ')}.`
    const { role, tool_calls: calls, tool_call_id: answered } = message
    if (role === 'tool') {
      if (!open.delete(String(answered))) return `${where} answers the tool call ${quote(answered)}, which is not open.`
      continue
    }
    if (open.size > 0) return unanswered(open, `before ${where}`)
    if (role !== 'assistant' || calls === undefined || calls === null) continue
    if (!Array.isArray(calls)) return `${where}.tool_calls must be a list.`
    for (const call of calls) {
      const id = callId(call)
      if (id === undefined)
        return `${where}.tool_calls: each needs an id, the type 'function' and a function with a name and a text of arguments.`
      if (open.has(id)) return `${where}.tool_calls: the id ${quote(id)} is there twice.`
      open.add(id)
    }
  }
  return open.size > 0 ? unanswered(open, 'at the end') : undefined
}

function unanswered(open: ReadonlySet<string>, where: string): string {
  return `No message of role tool answers ${[...open].join(', ')} ${where}.`
}

function callId(call: unknown): string | undefined {
  if (!isRecord(call) || call['type'] !== 'function' || !isRecord(call['function'])) return undefined
  const { id, function: called } = call
  if (!isRecord(called) || typeof called['name'] !== 'string' || typeof called['arguments'] !== 'string') return undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}

function toolsProblem(tools: unknown): string | undefined {
  if (!Array.isArray(tools) || tools.length === 0) return "'tools' must be a list with at least one tool, or be left out."
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const described: unknown = isRecord(tool) && tool['type'] === 'function' ? tool['function'] : undefined
    const name = isRecord(described) ? described['name'] : undefined
    if (typeof name !== 'string' || !TOOL_NAME.test(name))
      return `tools[${index}] needs a function whose name has 1 to 64 letters, digits, _ or -.`
    if (names.has(name)) return `tools[${index}]: the name ${quote(name)} is there twice.`
    names.add(name)
    const parameters = isRecord(described) ? described['parameters'] : undefined
    if (parameters !== undefined && !(isRecord(parameters) && parameters['type'] === 'object')) {
      return `tools[${index}]: the parameters of ${quote(name)} must be a JSON Schema of type object.`
    }
  }
  return undefined
}
