import type { ClientBase } from 'pg'

interface Known {
  readonly run: string
  readonly ticket: number
}

interface Fetched extends Known {
  readonly id: string
  readonly attempt: number
}

const FIND = "SELECT id FROM toolwright_queue.job WHERE data ->> 'run' = $1 AND (data ->> 'ticket')::int = $2"

const TAKE = "UPDATE toolwright_queue.job SET state = 'active', heartbeat_on = now(), started_on = now(), retry_count = $2 WHERE id = $1"

/** Jobs of the memory and of PostgreSQL: each has ids of its own, and which are due hangs on the time. */
export class ReplayedJobs {
  /** By the id in the memory. */
  readonly #known = new Map<string, Known>()

  /** The same are fetched that the memory gave. */
  async fetched(client: ClientBase, rows: readonly object[]): Promise<void> {
    for (const job of rows as readonly Fetched[]) {
      this.#known.set(job.id, job)
      const id = await this.#idOf(client, job.id)
      await client.query(TAKE, [id, job.attempt])
    }
  }

  /** A run was taken with its start. */
  taken(run: unknown, rows: readonly object[]): void {
    for (const { job, ticket } of rows as readonly { readonly job: string; readonly ticket: number }[])
      this.#known.set(job, { run: String(run), ticket })
  }

  /** Lists of ids of the memory, as lists of ids of PostgreSQL. */
  async translated(client: ClientBase, given: readonly unknown[]): Promise<readonly unknown[]> {
    const values: unknown[] = []
    for (const value of given) {
      if (!Array.isArray(value) || !value.some((each) => this.#known.has(each as string))) values.push(value)
      else values.push(await this.#translatedList(client, value as readonly string[]))
    }
    return values
  }

  async #translatedList(client: ClientBase, ids: readonly string[]): Promise<readonly string[]> {
    const list: string[] = []
    for (const id of ids) list.push(await this.#idOf(client, id))
    return list
  }

  /** One that is gone keeps the id of the memory, which nothing has. */
  async #idOf(client: ClientBase, id: string): Promise<string> {
    const job = this.#known.get(id)
    if (job === undefined) return id
    const { rows } = await client.query<{ id: string }>(FIND, [job.run, job.ticket])
    return rows[0]?.id ?? id
  }
}
