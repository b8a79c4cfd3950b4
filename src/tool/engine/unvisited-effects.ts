import { isRecord } from '../../schema/json-schema.ts'
import type { AgentTool } from '../agent-tool.ts'
import type { CallEntry, JournalEntry } from '../journal/journal.ts'
import { isUndoingOver, isUndoPath, undoingOf, undoneStep } from '../journal/undoing.ts'
import { type Effect, gravestEffect } from '../metadata.ts'
import type { Call } from './call.ts'

/** The recorded steps that took effect, or may have, by the effects that the tool declares. Compensations do not count. */
export function effectsAmong(entries: readonly JournalEntry[], tool: AgentTool | undefined): readonly CallEntry[] {
  const calls = entries.filter((entry) => entry.kind === 'call')
  if (calls.length === 0) return []
  const effects = tool === undefined ? new Map<string, Effect>() : effectsOf(tool)
  return calls.filter((call) => effects.get(call.tool) !== 'read' && tookEffect(call) && !isUndoPath(call.path))
}

/** Of recorded steps that a run did not reach again: the paths of those that took effect, or may have, and that nobody undid. */
export function effectsNotUndone(unreached: readonly JournalEntry[], entries: Iterable<JournalEntry>, tool?: AgentTool): readonly string[] {
  const calls = effectsAmong(unreached, tool)
  if (calls.length === 0) return []
  const all = [...entries]
  const over = all.flatMap((entry) => {
    const undoing = undoingOf(entry)
    return undoing !== undefined && isUndoingOver(undoing) ? [`${undoing.path}/`] : []
  })
  const undone = new Set(all.flatMap(stepUndoneBy))
  return calls.map(({ path }) => path).filter((path) => !over.some((around) => path.startsWith(around)) && !isWithin(path, undone))
}

/**
 * The record of a cancelled part no longer counts after the resumed part has undone itself. But a recorded effect that it did not reach was
 * not undone: the program has changed, and this must be reported.
 */
export function passOverCancelled({ root: { replay }, built }: Call, path: string): void {
  if (replay?.isCatchingUp === true && effectsAmong(replay.unvisitedIn(path), built).length === 0) replay.passOver(path)
}

/** The recorded effects of parts that were passed over, by their paths. */
const passedOver = new WeakMap<Call, readonly string[]>()

/** The record of a part no longer counts. Its effects that were not undone remain with the call. */
export function passOverPart(call: Call, label: string): void {
  const { replay } = call.root
  const path = `${call.path}/${label}`
  if (replay?.isCatchingUpIn(path) !== true) return
  const effects = effectsNotUndone(replay.unvisitedIn(path), replay.recordedIn(path), call.built)
  if (effects.length > 0) passedOver.set(call, [...(passedOver.get(call) ?? []), ...effects])
  replay.passOver(path)
}

/** The effects of parts that were passed over. Of a part that was called again, its new result counts. */
export function leftBehind(call: Call): readonly string[] {
  if (call.root.replay === undefined) return []
  const paths = passedOver.get(call) ?? []
  return paths.filter((path) => !call.allParts.some((part) => path === part.path || path.startsWith(`${part.path}/`)))
}

/** Whether a recorded effect inside this call was not reached again. */
export function leavesUnvisitedEffects(call: Call): boolean {
  const { replay } = call.root
  if (replay === undefined || call.behaviour.leaf) return false
  if (leftBehind(call).length > 0) return true
  return replay.isCatchingUp && effectsAmong(replay.unvisitedIn(call.path), call.built).length > 0
}

/** A tool that is no longer among the parts counts as one that takes effect. A layer has the name of the tool inside it. */
function effectsOf(root: AgentTool): ReadonlyMap<string, Effect> {
  const known = new Map<string, Effect>()
  const tools = new Set([root])
  // Tools that are added meanwhile are visited too.
  for (const tool of tools) {
    known.set(tool.name, gravestEffect([tool.effect, known.get(tool.name) ?? 'read']))
    for (const part of tool.plan().parts) tools.add(part.tool)
  }
  return known
}

function tookEffect({ result }: CallEntry): boolean {
  const error = isRecord(result) ? result['error'] : undefined
  return !isRecord(error) || error['outcome'] === 'unknown'
}

/** The path of the step that an entry has undone. */
function stepUndoneBy(entry: JournalEntry): readonly string[] {
  const hasSucceeded = entry.kind === 'call' && isRecord(entry.result) && !('error' in entry.result)
  const step = hasSucceeded ? undoneStep(entry.path) : undefined
  return step === undefined ? [] : [step]
}

/** The step at one of these paths, or something inside it. */
function isWithin(path: string, steps: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) if (steps.has(path.slice(0, end))) return true
  return false
}
