import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../../tool/ports/clock.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { ChatRequest } from './chat-request.ts'
import { playAnswer, refuse } from './play-answer.ts'
import { readChatRequest } from './read-chat-request.ts'
import { checkAnswer, type ScriptedTurn } from './scripted-turn.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The options of `scriptedModelServer`. */
export interface ScriptedModelServerOptions {
  /** One for each request, in the order in which they arrive. */
  readonly turns: readonly ScriptedTurn[]
  /** Measures the delays of the script; by default that of the system. */
  readonly clock?: Clock | undefined
}

const NAMES = optionNames<ScriptedModelServerOptions>({ turns: true, clock: true })

/** An endpoint that plays a script. */
export interface ScriptedModelServer extends AsyncDisposable {
  /** The base URL for clients: `http://127.0.0.1:<port>/v1`. */
  readonly url: string
  /** Those that were taken as chat completions, in the order in which they arrived. */
  readonly requests: readonly ChatRequest[]
  /** The turns that no request has reached yet. */
  readonly unplayed: readonly ScriptedTurn[]
  /** Breaks open connections; calling it twice is harmless. */
  readonly close: () => Promise<void>
}

/**
 * Starts a model for tests: an HTTP endpoint on the loopback interface that speaks the chat completions API of OpenAI and answers by a
 * script, so that a whole agent loop runs over a real wire.
 * @example
 * const server = await scriptedModelServer({ turns: [{ toolCalls: [{ name: 'greet', arguments: { name: 'Ada' } }] }, { text: 'Done.' }] })
 * const body = JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: 'Greet Ada.' }] })
 * const answer = await fetch(`${server.url}/chat/completions`, { method: 'POST', body })
 * console.log(answer.status, server.requests.length, server.unplayed.length) // 200 1 1
 * await server.close()
 */
export async function scriptedModelServer(options: ScriptedModelServerOptions): Promise<ScriptedModelServer> {
  checkOptionNames(options, NAMES, 'The options of scriptedModelServer')
  const { turns, clock = systemClock } = options
  if (!Array.isArray(turns)) throw new ConfigurationError('invalid_option', 'The turns of scriptedModelServer must be a list.')
  turns.forEach((turn: ScriptedTurn, index) => {
    if (typeof turn !== 'function') checkAnswer(turn, index + 1)
  })
  const script = new Script(turns, clock)
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => void script.answer(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // A test that forgets to close it still ends.
  server.unref()
  const { port } = server.address() as AddressInfo
  const close = () => closeServer(server)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: script.requests,
    get unplayed() {
      return turns.slice(script.requests.length)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

class Script {
  readonly requests: ChatRequest[] = []
  readonly #turns: readonly ScriptedTurn[]
  readonly #clock: Clock

  constructor(turns: readonly ScriptedTurn[], clock: Clock) {
    this.#turns = turns
    this.#clock = clock
  }

  /** Never rejects: the client gets the error. */
  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const read = await readChatRequest(incoming)
      if ('status' in read) return refuse(response, read)
      await this.#play(read, response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, message: String(error) })
    }
  }

  async #play(request: ChatRequest, response: ServerResponse): Promise<void> {
    const turn = this.requests.push(request)
    const scripted = this.#turns[turn - 1]
    const length = this.#turns.length === 1 ? '1 turn' : `${this.#turns.length} turns`
    if (scripted === undefined) {
      return refuse(response, { status: 500, message: `The script has no turn ${turn}: it has ${length}, and all are played.` })
    }
    try {
      const answer = typeof scripted === 'function' ? await scripted(request) : scripted
      checkAnswer(answer, turn)
      await playAnswer(response, { answer, turn, body: request.body, clock: this.#clock })
    } catch (error) {
      throw new Error(`Turn ${turn} of the script failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}

/** A server that is closed already passes an error to its callback, which is ignored. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
