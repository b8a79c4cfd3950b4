import { type ClaimedRun, claimRuns } from './claimed-run.ts'
import type { FetchedJob } from './run-queue.ts'
import type { RunsContext } from './runs-context.ts'
import { allowance } from './tool-limit.ts'
import type { ToolLimit, ToolLimits } from './tool-limits.ts'
import { lockRun, queueRun } from './wake-run.ts'

export interface Taking {
  readonly jobs: readonly FetchedJob[]
  readonly worker: string
  readonly limits: ToolLimits
}

/** Claims the runs of jobs, as far as the limits of their tools allow; those beyond wait until one of their tool ends. */
export async function takeJobs(context: RunsContext, { jobs, worker, limits }: Taking): Promise<readonly ClaimedRun[]> {
  const free = jobs.filter(({ tool }) => limits[tool] === undefined)
  const claimed = free.length === 0 ? [] : [...(await claimRuns(context.store.pool, free, worker))]
  for (const [tool, limit] of Object.entries(limits)) {
    const own = jobs.filter((job) => job.tool === tool)
    if (own.length > 0) claimed.push(...(await takeLimited(context, own, { worker, limit, tool })))
  }
  context.reach('run.claimed')
  return claimed
}

interface Limited {
  readonly worker: string
  readonly limit: ToolLimit
  readonly tool: string
}

function takeLimited(context: RunsContext, jobs: readonly FetchedJob[], { worker, limit, tool }: Limited): Promise<readonly ClaimedRun[]> {
  return context.store.transaction(async (client) => {
    const { runs, againAt } = await allowance(client, tool, limit)
    const [now, later] = [jobs.slice(0, runs), jobs.slice(Math.min(runs, jobs.length))]
    const claimed = now.length === 0 ? [] : await claimRuns(client, now, worker)
    for (const { run, ticket } of later) {
      const locked = await lockRun(client, run)
      if (locked === undefined || locked.ticket !== ticket) continue
      if (againAt !== undefined) await queueRun(context, client, locked, againAt)
      else
        await client.query(
          "UPDATE toolwright.run SET status = 'queued', held_back = true WHERE id = $1 AND status IN ('queued', 'waiting', 'running')",
          [run],
        )
    }
    return claimed
  })
}

/** Queues runs of a tool that were held back by its limit. */
export function releaseHeldBack(context: RunsContext, tool: string, most: number): Promise<void> {
  return context.store.transaction(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM toolwright.run WHERE held_back AND tool = $1 AND ended_at IS NULL ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED',
      [tool, most],
    )
    for (const { id } of rows) {
      const locked = await lockRun(client, id)
      if (locked !== undefined) await queueRun(context, client, locked)
    }
  })
}
