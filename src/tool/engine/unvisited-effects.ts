import { isRecord } from '../../schema/json-schema.ts'
import type { AgentTool } from '../agent-tool.ts'
import type { CallEntry, JournalEntry } from '../journal/journal.ts'
import { isUndoPath } from '../journal/undoing.ts'
import { type Effect, gravestEffect } from '../metadata.ts'
import type { Call } from './call.ts'

/** The recorded steps that took effect, or may have, by the effects that the tool declares. Compensations do not count. */
export function effectsAmong(entries: readonly JournalEntry[], tool: AgentTool | undefined): readonly CallEntry[] {
  const calls = entries.filter((entry) => entry.kind === 'call')
  if (calls.length === 0) return []
  const effects = tool === undefined ? new Map<string, Effect>() : effectsOf(tool)
  return calls.filter((call) => effects.get(call.tool) !== 'read' && tookEffect(call) && !isUndoPath(call.path))
}

/**
 * The record of a cancelled part no longer counts after the resumed part has undone itself. But a recorded effect that it did not reach was
 * not undone: the program has changed, and this must be reported.
 */
export function passOverCancelled({ root: { replay }, built }: Call, path: string): void {
  if (replay?.isCatchingUp === true && effectsAmong(replay.unvisitedIn(path), built).length === 0) replay.passOver(path)
}

/** Whether a recorded effect inside this call was not reached again. */
export function leavesUnvisitedEffects(call: Call): boolean {
  const { replay } = call.root
  if (replay?.isCatchingUp !== true || call.behaviour.leaf) return false
  return effectsAmong(replay.unvisitedIn(call.path), call.built).length > 0
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
