import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a server answers, until it is told otherwise. */
export type Mood = 'fine' | 'overloaded' | 'resets' | 'silent' | 'broken'

/** A service that fails on command. */
export interface RateServer {
  readonly url: string
  mood: Mood
  readonly close: () => Promise<void>
}

/** A bank and its mirror, on loopback. */
export async function startRateServer(rates: Readonly<Record<string, number>>): Promise<RateServer> {
  const state = { mood: 'fine' as Mood }
  const server = createServer(answerBy(state, rates))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    get mood() {
      return state.mood
    },
    set mood(mood) {
      state.mood = mood
    },
    close: () => closed(server),
  }
}

function answerBy(state: { readonly mood: Mood }, rates: Readonly<Record<string, number>>): RequestListener {
  return (request, response) => {
    const pair = new URL(request.url ?? '/', 'http://rates').pathname.slice(1)
    switch (state.mood) {
      case 'overloaded':
        response.writeHead(503, { 'retry-after': '60' }).end('busy')
        return
      case 'resets':
        request.socket.destroy()
        return
      case 'silent':
        return
      case 'broken':
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"rate": 1.')
        return
      case 'fine':
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ rate: rates[pair] }))
    }
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
