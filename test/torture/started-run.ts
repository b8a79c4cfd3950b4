import { setTimeout as pause } from 'node:timers/promises'
import type { OpenedRuns } from '../../src/run/open-runs.ts'
import { ConfigurationError } from '../../src/tool/errors/configuration-error.ts'
import type { RunPlan } from './run-plan.ts'

/** A run that was acknowledged. */
export interface StartedRun {
  readonly plan: RunPlan
  readonly id: string
}

/** Starts a run, again and again until it is acknowledged: its name is its key, so that it is one run. */
export async function startRun(runs: OpenedRuns, plan: RunPlan): Promise<StartedRun> {
  const { name, tool, input, callers, deadlineMs, startInMs } = plan
  const startAt = startInMs === undefined ? undefined : new Date(Date.now() + startInMs)
  const options = { key: name, task: name, deadline: deadlineMs, startAt }
  const ids = await Promise.all(
    Array.from({ length: callers }, () => untilTaken(async () => (await runs.start(tool, input as never, options)).id)),
  )
  const [id = ''] = ids
  if (ids.some((each) => each !== id)) throw new Error(`The key '${name}' gave several runs: ${ids.join(', ')}`)
  return { plan, id }
}

/** Cancels a run at the time that its plan says, again and again until that is acknowledged. */
export async function cancelRun(runs: OpenedRuns, { plan: { cancelAfterMs = 0 }, id }: StartedRun): Promise<void> {
  await pause(cancelAfterMs)
  await untilTaken(async () => (await runs.get(id)).cancel('Enough.'))
}

async function untilTaken<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ConfigurationError) throw error
      await pause(100)
    }
  }
}
