import type { PartOptions } from '../../tool/context.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { apart, beginItem, type ItemRun, showOnly } from './item-part.ts'
import { readStop, type Stop } from './stop.ts'

export interface TakenUp {
  readonly stop: Stop
  readonly results: readonly (ToolResult | undefined)[]
}

/**
 * Takes up a run whose failure is recorded: what had ended is given back, and no other item begins. What was under way is walked through
 * once more, cancelled from the start, so that it can withdraw what it asked for and undo what it did.
 */
export async function takeUp(run: ItemRun): Promise<TakenUp> {
  const stop = await readStop(run.call)
  const ended = await resultsOf(run, stop.ended, apart(run))
  const { root, path } = run.call
  const begun = stop.cancelled.filter((index) => root.replay?.holds(`${path}/${index}`) === true)
  const signal = AbortSignal.abort(new DOMException('Another item has failed.', 'AbortError'))
  await resultsOf(run, begun, { ...apart(run), signal }).catch((fatal: unknown) => {
    // A reviewer who stops the run in an item that was cancelled comes too late.
    if (!isExitEarly(fatal)) throw fatal
  })
  await showOnly(run.call, stop.ended)
  return { stop, results: run.items.map((_, index) => ended[stop.ended.indexOf(index)]) }
}

/** All at once: they are recorded, or were under way at the same time. What is fatal is thrown when all have ended. */
async function resultsOf(run: ItemRun, indexes: readonly number[], options: PartOptions | undefined): Promise<readonly ToolResult[]> {
  const ends = await Promise.allSettled(indexes.map((index) => beginItem(run, index, options)))
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value
  })
}
