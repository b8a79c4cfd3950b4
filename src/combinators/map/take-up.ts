import { behaviourOf } from '../../tool/behaviour.ts'
import type { ToolResult } from '../../tool/result.ts'
import { beginItem, cancelItems, type ItemRun, showOnly } from './item-part.ts'
import { readStop, type Stop, turn } from './stop.ts'

export interface TakenUp {
  readonly stop: Stop
  readonly results: readonly (ToolResult | undefined)[]
}

/**
 * Takes up a run whose failure is recorded: what had ended is given back, and no other item begins. What was under way is begun once more
 * and cancelled as it was to be, so that it can withdraw what it asked for and undo what it did; a single step has nothing to undo.
 */
export async function takeUp(run: ItemRun): Promise<TakenUp> {
  const stop = await readStop(run.call)
  const ended = await resultsOf(run, stop.ended)
  if (!behaviourOf(run.tool).leaf && stop.cancelled.length > 0) {
    const letGo = resultsOf(run, stop.cancelled)
    letGo.catch(() => {})
    await turn()
    cancelItems(run.call)
    await letGo
  }
  await showOnly(run.call, stop.ended)
  return { stop, results: run.items.map((_, index) => ended[stop.ended.indexOf(index)]) }
}

/** All at once: they are recorded, or were under way at the same time. What is fatal is thrown when all have ended. */
async function resultsOf(run: ItemRun, indexes: readonly number[]): Promise<readonly ToolResult[]> {
  const ends = await Promise.allSettled(indexes.map((index) => beginItem(run, index, { deadline: Infinity })))
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}
