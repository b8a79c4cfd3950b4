import type { Call } from '../../tool/engine/call.ts'
import { underWay } from '../../tool/engine/under-way.ts'
import { undoCall } from '../../tool/engine/undo-call.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import type { Branch } from './branch.ts'
import { gather } from './gather.ts'

/**
 * Undoes what can be undone of branches that lost: sagas in them that had completed before they heard of it. One that was cut off has undone
 * itself.
 */
export async function undoLosers(call: Call, ended: readonly string[]): Promise<void> {
  const losers = (call.children ?? []).filter(({ label }) => !ended.includes(label)).toReversed()
  for (const loser of losers) await underWay(call, () => undoCall(loser))
}

/**
 * Takes branches up once more that were cancelled in a race which is recorded: the process may have ended before they had undone what they
 * did. They are cancelled from the start, so that nothing new begins in them.
 */
export async function letGoAgain(losers: readonly Branch[], input: unknown, call: Call): Promise<void> {
  const branches = losers.filter((branch) => mayHaveToUndo(branch, call)).map(cancelledFromTheStart)
  for (const { label } of losers) if (!branches.some((each) => each.label === label)) call.root.replay?.passOver(`${call.path}/${label}`)
  if (branches.length === 0) return
  const before = new Set(call.children)
  try {
    await gather({ branches, limit: branches.length, isApart: true }, input, call)
  } catch (fatal) {
    // A reviewer who stops the run in a branch that has lost comes too late.
    if (!isExitEarly(fatal)) throw fatal
  }
  const ended = [...before].map(({ label }) => label)
  await undoLosers(call, ended)
}

/** What never began in a branch needs no undoing. A single step cannot undo itself, but may have taken effect: who undoes the race must know. */
function mayHaveToUndo({ tool, label }: Branch, { path, root }: Call): boolean {
  return tool.effect !== 'read' && root.replay?.holds(`${path}/${label}`) === true
}

function cancelledFromTheStart(branch: Branch): Branch {
  const signal = AbortSignal.abort(new DOMException('The branch is not needed any more.', 'AbortError'))
  return { ...branch, apart: { ...branch.apart, signal } }
}
