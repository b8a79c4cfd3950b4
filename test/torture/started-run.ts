import { setTimeout as pause } from 'node:timers/promises'
import { ConfigurationError } from '../../src/tool/errors/configuration-error.ts'
import type { Runtime } from '../../src/runtime.ts'
import type { Shape, ShapeInput } from './shape.ts'

export interface StartedRun {
  readonly shape: Shape
  readonly input: ShapeInput
  readonly id: string
  readonly wasCancelled: boolean
}

export interface RunStart {
  readonly shape: Shape
  readonly input: ShapeInput
  /** So many callers start it at the same time. */
  readonly callers: number
  /** Somebody cancels it so much later. */
  readonly cancelAfterMs: number | undefined
}

/** Starts a run, again and again until it is acknowledged: its name is its key, so that it is one run. */
export async function startRun(runtime: Runtime, { shape, input, callers, cancelAfterMs }: RunStart): Promise<StartedRun> {
  const ids = await Promise.all(Array.from({ length: callers }, () => start(runtime, shape, input)))
  const [id = ''] = ids
  if (ids.some((each) => each !== id)) throw new Error(`The key '${input.run}' gave several runs: ${ids.join(', ')}`)
  if (cancelAfterMs !== undefined) await cancel(runtime, id, cancelAfterMs)
  return { shape, input, id, wasCancelled: cancelAfterMs !== undefined }
}

async function cancel(runtime: Runtime, id: string, afterMs: number): Promise<void> {
  await pause(afterMs)
  for (;;) {
    try {
      await (await runtime.run(id)).cancel('Enough.')
      return
    } catch (error) {
      if (error instanceof ConfigurationError) throw error
      await pause(100)
    }
  }
}

async function start(runtime: Runtime, { tool }: Shape, input: ShapeInput): Promise<string> {
  for (;;) {
    try {
      return (await runtime.start(tool, input, { key: input.run })).id
    } catch (error) {
      if (error instanceof ConfigurationError) throw error
      await pause(100)
    }
  }
}
