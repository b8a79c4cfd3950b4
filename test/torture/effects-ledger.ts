import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { treatOrder } from '../programs/leaf-order.ts'
import type { EffectOrder, EffectRecord, LedgerReport } from './effect-order.ts'

/**
 * The world that runs have effects on: it honours idempotency keys, keeps the order of effects, and treats orders as badly as they say. How
 * long an answer takes follows from the key.
 */
export class EffectsLedger {
  readonly #records = new Map<string, EffectRecord>()
  readonly #undone = new Set<string>()
  readonly #calls = new Map<string, number>()
  #repeats = 0
  #late = 0

  get report(): LedgerReport {
    return { records: [...this.#records.values()], repeats: this.#repeats, late: this.#late }
  }

  /** Gives the status of the answer; undefined where there is none. */
  async take(order: EffectOrder): Promise<number | undefined> {
    const { key, mode, kind, ms = delayOf(key) } = order
    const calls = (this.#calls.get(key) ?? 0) + 1
    this.#calls.set(key, calls)
    const { takesEffect, says } = treatOrder(mode, calls)
    if (takesEffect && kind !== 'look') this.#record(order, kind)
    if (takesEffect) await pause(ms)
    return says === 'done' ? 200 : says === 'refused' ? 409 : undefined
  }

  #record({ run, effect, leaf, key, path, isKeyed }: EffectOrder, kind: 'do' | 'undo'): void {
    const known = this.#records.get(key)
    if (known !== undefined) {
      this.#repeats++
      this.#records.set(key, { ...known, times: known.times + 1 })
      return
    }
    const place = `${run} ${effect}`
    if (kind === 'undo') this.#undone.add(place)
    else if (this.#undone.has(place)) {
      this.#late++
      return
    }
    this.#records.set(key, { run, effect, leaf, kind, key, path, isKeyed, times: 1 })
  }
}

/** Most answers come soon; a few take long enough for a process to die over them. */
function delayOf(key: string): number {
  const [first = 0, second = 0] = createHash('sha256').update(key).digest()
  return first < 10 ? 100 + second : first % 12
}

/** Serves a ledger on a unix socket: an order by POST, the report by GET. */
export async function serveLedger(socket: string, ledger = new EffectsLedger()): Promise<Server> {
  const server = createServer((request, response) => void answer(ledger, request, response))
  server.keepAliveTimeout = 60_000
  server.listen(socket)
  await once(server, 'listening')
  return server
}

async function answer(ledger: EffectsLedger, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.end(JSON.stringify(ledger.report))
    return
  }
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const status = await ledger.take(JSON.parse(Buffer.concat(chunks).toString()) as EffectOrder)
    if (status === undefined) response.destroy()
    else response.writeHead(status).end()
  } catch {
    response.destroy()
  }
}
