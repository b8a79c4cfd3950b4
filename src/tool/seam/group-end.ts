import type { Call } from '../engine/call.ts'
import { holdUntilCaughtUp } from '../engine/catch-up.ts'
import { decideAt, diverged } from '../engine/decide.ts'
import { passOverCancelled } from '../engine/unvisited-effects.ts'
import type { KnownPart } from '../engine/known-part.ts'
import { isExitEarly } from '../errors/exit-early.ts'
import { gather } from './group-gather.ts'
import { calledOf, cancelledFromTheStart, hadBegun } from './group-part.ts'
import type { Group, GroupResults } from './group-plan.ts'
import { undoPart } from './undoing.ts'

/** The label of the recorded end of a group with a rule. No label of a part begins with a dot. */
export const END_LABEL = '.ended'

/** The recorded end of a group: later results do not count. */
interface GroupEnd {
  /** The labels of the parts that had ended, in the order in which they began. */
  readonly ended: readonly string[]
  /** Those that were under way and are cancelled. */
  readonly cancelled: readonly string[]
}

/** Written before parts are cancelled: after a crash in between, no other part can win. */
export async function recordEnd(call: Call, plan: Group, end: GroupEnd): Promise<Pick<GroupResults, 'cancelled' | 'isEarly'>> {
  const ended = { cancelled: end.cancelled, isEarly: true }
  // In a whole that is being undone nothing is recorded any more: it comes only as far as it had come.
  if (!isRecording(call) || call.journal?.isClosed === true) return ended
  if (call.root.replay !== undefined) await holdUntilCaughtUp(call, `the end of ${call.path}`)
  await decideAt(call, pathOf(call, plan), () => end)
  return ended
}

/** A leaf is one step: its parts are not recorded. */
export function isRecording({ journal, behaviour }: Call): boolean {
  return journal !== undefined && !behaviour.leaf
}

export function isEndRecorded(call: Call, plan: Group): boolean {
  return isRecording(call) && call.journal?.read(pathOf(call, plan)) !== undefined
}

/**
 * Resumes a group whose end is recorded: exactly the parts that had ended are returned, and no other can win. Parts that were under way are
 * entered again, cancelled from the start, so that they withdraw their questions and undo their effects.
 */
export async function takeUp(call: Call, plan: Group, input: unknown): Promise<GroupResults> {
  const { ended, cancelled } = await decideAt<GroupEnd>(call, pathOf(call, plan), () => {
    throw diverged(call, pathOf(call, plan), 'nothing', 'a decision')
  })
  const parts = plan.parts.filter(({ label }) => ended.includes(label))
  if (parts.length !== ended.length)
    throw diverged(call, call.path, `a group of ${plan.parts.map(({ label }) => label).join(', ')}`, `that ${ended.join(', ')} ended`)
  const returned = await gather(call, { ...atOnce(plan, parts), isApart: plan.isApart }, input)
  const again = plan.parts.filter((part) => cancelled.includes(part.label) && mayHaveToUndo(call, part))
  // At once: the others may wait for a person while they undo themselves.
  for (const part of plan.parts) if (!again.includes(part) && !ended.includes(part.label)) passOver(call, part)
  await cancelAgain(call, atOnce(plan, again), input)
  await undoRest(call, plan.parts, ended)
  return { results: plan.parts.map(({ position }) => returned[position]), cancelled, isEarly: true }
}

/** All parts begin at once: they are recorded, or were under way at the same time. */
function atOnce(plan: Group, parts: readonly KnownPart[]): Group {
  return { parts, limit: parts.length, inputOf: plan.inputOf }
}

/** The process may have ended before the cancelled parts had undone their effects. Nothing new begins in them. */
async function cancelAgain(call: Call, cancelled: Group, input: unknown): Promise<void> {
  if (cancelled.parts.length === 0) return
  try {
    await gather(call, { ...cancelled, isApart: true }, input, cancelledFromTheStart())
  } catch (fatal) {
    // A stop by a reviewer in a cancelled part comes too late.
    if (!isExitEarly(fatal)) throw fatal
  }
}

/** A part that never began needs no undoing. A single step cannot undo itself, but may have taken effect: the undoing of the whole must know. */
function mayHaveToUndo(call: Call, part: KnownPart): boolean {
  return part.tool.effect !== 'read' && hadBegun(call, part)
}

/**
 * Undoes parts that had not ended in time, the latest first: sagas in them that had completed before the cancellation reached them.
 * Steps show only the parts that had ended, in a replay as in the run itself.
 */
export async function undoRest(call: Call, parts: readonly KnownPart[], ended: readonly string[]): Promise<void> {
  const labels = new Set(ended)
  const rest = parts.filter(({ label }) => !labels.has(label))
  const called = calledOf(call, rest)
  for (const part of called.toReversed()) await undoPart(call, part)
  for (const part of rest) passOver(call, part)
  call.hide(new Set(called))
}

function passOver(call: Call, { label }: KnownPart): void {
  passOverCancelled(call, `${call.path}/${label}`)
}

function pathOf({ path }: Call, { suffix = '' }: Group): string {
  return `${path}/${END_LABEL}${suffix}`
}
