import type { AgentTool } from '../agent-tool.ts'
import type { GivenBehaviour } from '../behaviour.ts'
import { buildTool } from '../build-tool.ts'
import type { Call } from '../engine/call.ts'
import { wasEdited } from '../engine/edited-calls.ts'
import type { Idempotent } from '../metadata.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

interface StandIn {
  readonly behaviour: Omit<GivenBehaviour, 'run'> & { readonly run: (input: unknown, whole: Whole) => unknown }
  /** The tool's own by default. */
  readonly idempotent?: Idempotent | undefined
}

/** Another behaviour under the name and with the metadata of a tool. */
export function standIn<I, O, N extends string>(
  tool: AgentTool<I, O, N>,
  { behaviour, idempotent = tool.idempotent }: StandIn,
): AgentTool<I, O, N> {
  const { name, version, title, description, effect, permissions, estimates, source, tags } = tool
  return buildTool({ name, version, title, description, effect, idempotent, permissions, estimates, source, tags, behaviour })
}

/** Data of a whole for the part that replaces its tool, so that the part passes the door before anything is returned. */
export class Notes<T> {
  readonly #notes = new WeakMap<Call, T>()

  leave(whole: Whole, note: T): void {
    this.#notes.set(callOf(whole), note)
  }

  /** The note of the whole around a part. */
  around(part: Whole): T | undefined {
    const { parent } = callOf(part)
    return parent === undefined ? undefined : this.#notes.get(parent)
  }
}

/** A reviewer or a repair changed the input of this call: it is another request than the one that was given. */
export function isEdited(whole: Whole): boolean {
  return callOf(whole).generation > 0
}

/** A reviewer changed the input of a call inside this one: its result is not that of the input that was given. */
export function isEditedInside(whole: Whole): boolean {
  return callOf(whole).allParts.some(wasEdited)
}

/** Whether the layer around the whole has called it before, and that call may have taken effect. */
export function mayHaveActedBefore(whole: Whole): boolean {
  const call = callOf(whole)
  const before = call.parent?.allParts.filter((part) => part !== call && part.built === call.built) ?? []
  return before.some(({ result }) => result?.ok === false && result.error.outcome === 'unknown')
}

/** Whether a call around this one, or this one itself, has its keys derived from this. */
export function isKeyedBy(whole: Whole, key: string): boolean {
  for (let call: Call | undefined = callOf(whole); call !== undefined; call = call.parent) if (call.keyedBy === key) return true
  return false
}
