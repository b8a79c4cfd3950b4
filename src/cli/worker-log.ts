import type { RunStatus } from '../run/state/run-state.ts'
import type { OnSegment } from '../run/worker/worker.ts'
import type { Store } from '../store/store.ts'
import { printable } from '../tool/printable.ts'
import { shortId } from './match-id.ts'
import type { Output } from './output.ts'
import { statusFormat } from './status-format.ts'

type Change = Parameters<OnSegment>[0]

/** What is left within this time is looked up together. */
const LOOK_UP_MS = 100

interface LeftRow {
  readonly id: string
  readonly status: RunStatus
  readonly message: string | null
}

/** Prints what a worker takes up, and how it leaves it: a line each, as JSON where that is wanted. */
export class WorkerLog {
  readonly #output: Output
  readonly #store: Store
  /** Runs that are under way here. */
  readonly #here = new Set<string>()
  #left: Change[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(output: Output, store: Store) {
    this.#output = output
    this.#store = store
  }

  onSegment(change: Change): void {
    if (change.state === 'taken') {
      this.#here.add(change.run)
      return this.#print(change, 'taken')
    }
    this.#here.delete(change.run)
    this.#left.push(change)
    this.#timer ??= setTimeout(() => void this.#lookUp(), LOOK_UP_MS)
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#lookUp()
  }

  /** Where the runs stand now. Of one that is under way again, another worker has it, unless it was taken up here once more. */
  async #lookUp(): Promise<void> {
    this.#timer = undefined
    const left = this.#left
    this.#left = []
    if (left.length === 0) return
    try {
      const { rows } = await this.#store.pool.query<LeftRow>(
        "SELECT id, status, why ->> 'message' AS message FROM toolwright.run WHERE id = ANY($1::text[])",
        [left.map(({ run }) => run)],
      )
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const change of left) {
        const { status, message } = found.get(change.run) ?? {}
        if (status === 'running') {
          if (!this.#here.has(change.run)) this.#print(change, 'taken over')
        } else if (status !== undefined) this.#print(change, status, message ?? undefined)
      }
    } catch {
      // The database is away: what became of the runs stands there when it is back.
    }
  }

  #print({ run, tool }: Change, state: RunStatus | 'taken' | 'taken over', why?: string): void {
    const { json } = this.#output
    if (json) return this.#output.print(JSON.stringify({ at: Date.now(), state, run, tool, ...(why === undefined ? {} : { why }) }))
    const painted = this.#output.paint(state === 'taken' || state === 'taken over' ? 'dim' : statusFormat(state), state.padEnd(9))
    this.#output.print(`${painted} ${shortId(run)} ${printable(tool)}${why === undefined ? '' : `: ${printable(why)}`}`)
  }
}
