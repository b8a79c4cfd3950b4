import type { RunEvent, RunHandle } from 'toolwright'
import type { Desk } from './desk.ts'
import { eventLog, WorkerNames } from './event-log.ts'
import { type MoneyRow, moneyRows } from './tables.ts'

const SAY_EVERY_MS = 2000

/** Where the story happens, and how it is told. */
export class Scene {
  readonly desk: Desk
  readonly #print: (text: string) => void
  readonly #workers = new WorkerNames()

  constructor(desk: Desk, print: (text: string) => void) {
    this.desk = desk
    this.#print = print
  }

  heading(text: string): void {
    this.#print(`\n── ${text} ${'─'.repeat(Math.max(0, 74 - text.length))}\n`)
  }

  say(...lines: readonly string[]): void {
    for (const line of lines) this.#print(line)
  }

  /** Shows a run as it went. */
  async showRun(run: RunHandle<unknown>): Promise<void> {
    const events: RunEvent[] = []
    for await (const event of run.events()) events.push(event)
    this.say('', eventLog(events, this.#workers), '')
  }

  /** Shows what the tables say about an order, and gives it. */
  async showMoney(orderId: string): Promise<readonly MoneyRow[]> {
    const rows = await moneyRows(this.desk.store.pool, orderId)
    const line = (...[table = '', amount = '', state = '', asked = '']: readonly string[]): string =>
      `  ${table.padEnd(13)}${amount.padStart(8)}  ${state.padEnd(12)}${asked}`.trimEnd()
    this.say(line(orderId, 'amount', 'state', 'asked for'))
    this.say(...rows.map(({ table, amount, state, asked }) => line(table, amount, state, asked === 1 ? 'once' : `${asked} times`)))
    return rows
  }

  /** Waits, and says every now and then that it does. */
  async wait<T>(waited: Promise<T>): Promise<T> {
    const start = performance.now()
    const timer = setInterval(() => this.say(`  … ${Math.round((performance.now() - start) / 1000)} s`), SAY_EVERY_MS)
    try {
      return await waited
    } finally {
      clearInterval(timer)
    }
  }
}

/** Follows a run until something happens in it. */
export async function happens(run: RunHandle<unknown>, isIt: (event: RunEvent) => boolean): Promise<void> {
  for await (const event of run.events()) if (isIt(event)) return
  throw new Error('The run ended, and it did not happen.')
}
