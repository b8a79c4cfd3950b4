import type { AgentTool } from '../agent-tool.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { callOf } from './call-of.ts'
import { isInRecord, type Whole } from './whole.ts'

/** The path of a part inside that detaches; null where there is none. */
const found = new WeakMap<AgentTool, string | null>()

/**
 * Throws before anything runs if a part of a whole that undoes its parts may go on after the whole has ended. In a recorded run, such a part is
 * a part of that run.
 */
export function refuseDetached(whole: Whole): void {
  if (isInRecord(whole)) return
  const { built } = callOf(whole)
  let path = found.get(built)
  if (path === undefined) found.set(built, (path = detachedIn(built)))
  if (path !== null) throw refusal(built.name, path)
}

/** Throws if a call around this one, which detaches, undoes its parts. The plan of that call may not show this one. */
export function refuseInUndone(whole: Whole): void {
  for (let call = callOf(whole).parent; call !== undefined; call = call.parent)
    if (call.behaviour.plan.compensates === true) throw refusal(call.tool, whole.path)
}

function detachedIn(tool: AgentTool): string | null {
  const seen = new Set<AgentTool>()
  const left = [{ tool, path: tool.name }]
  for (let visit = left.pop(); visit !== undefined; visit = left.pop()) {
    if (seen.has(visit.tool)) continue
    seen.add(visit.tool)
    const { detaches, parts } = visit.tool.plan()
    if (detaches === true) return visit.path
    for (const part of parts) left.push({ tool: part.tool, path: `${visit.path}/${part.label}` })
  }
  return null
}

function refusal(whole: string, path: string): ConfigurationError {
  return new ConfigurationError(
    'needs_durable_run',
    `'${whole}' is called in memory, and '${path}' runs durably: it may wait for a person after the call has ended, and nobody would then undo or continue the other steps. Run the whole durably, by runtime.start or durable('${whole}', runtime); its steps are then a part of its run.`,
  )
}
