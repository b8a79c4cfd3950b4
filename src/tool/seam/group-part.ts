import type { PartOptions } from '../context.ts'
import type { Call, Waiter } from '../engine/call.ts'
import { refusePart, startPart, startPartApart } from '../engine/call-part.ts'
import type { KnownPart } from '../engine/known-part.ts'
import { AcceptedInputs } from '../input/accepted-inputs.ts'
import type { SettledResult } from '../result/settled.ts'
import type { Group } from './group-plan.ts'

/** The same for every part of a run of a group. */
export interface GroupStart {
  /** Of the group. */
  readonly input: unknown
  /** Each part can be cancelled by itself. */
  readonly isApart: boolean
  readonly options?: PartOptions | undefined
}

interface Starting {
  readonly plan: Group
  readonly start: GroupStart
}

/** Calls a part with its input. Returns the result if it is there at once; otherwise the waiter receives it. */
export function startGroupPart(waiter: Waiter, part: KnownPart, { plan, start }: Starting): SettledResult | undefined {
  let { input } = start
  if (plan.inputOf !== undefined) {
    try {
      input = plan.inputOf(part.position, input as never)
    } catch (error) {
      return refusePart(waiter.call, part, error)
    }
  }
  if (input instanceof AcceptedInputs) {
    if (!start.isApart) return startPart(waiter, part, input.given, input.values[part.position])
    input = input.given
  }
  return start.isApart
    ? startPartApart(waiter, part, { input, options: apart(part, start.options, plan.partMs) })
    : startPart(waiter, part, input)
}

/** A deadline that shortens nothing, and by which a call gets a scope of its own. A tool with a deadline has one already. */
const OWN_SCOPE: PartOptions = { deadline: Infinity }

function apart({ behaviour }: KnownPart, options: PartOptions | undefined, partMs: number | undefined): PartOptions | undefined {
  const usual = behaviour.deadlineMs === undefined ? OWN_SCOPE : undefined
  const own = partMs === undefined ? usual : { deadline: Math.min(partMs, behaviour.deadlineMs ?? Infinity) }
  return options === undefined ? own : { ...own, ...options }
}

/** For parts that are cancelled from the start. */
export function cancelledFromTheStart(): PartOptions {
  return { signal: AbortSignal.abort(notNeeded()) }
}

/** Closes the scopes of the parts that have not ended: their signals abort, their open reviews are withdrawn, and nothing begins in them any more. */
export function cancelParts(call: Call, parts: readonly KnownPart[]): void {
  const reason = notNeeded()
  for (const { result, scope } of calledOf(call, parts))
    if (result === undefined && scope !== call.scope) scope.close({ kind: 'cancelled', reason })
}

/** The calls of these parts, in the order in which they began. */
export function calledOf({ children = [] }: Call, parts: readonly KnownPart[]): readonly Call[] {
  const labels = new Set(parts.map(({ label }) => label))
  return children.filter(({ label }) => labels.has(label))
}

function notNeeded(): DOMException {
  return new DOMException('The rest of the group is no longer needed.', 'AbortError')
}

/** A part has records, so it had begun before the run was resumed. */
export function hadBegun({ root, path }: Call, { label }: Pick<KnownPart, 'label'>): boolean {
  return root.replay?.holds(`${path}/${label}`) === true
}

/** In a resumed run, the position of the last part that had begun: all parts up to it begin at once, so that they reach their records. */
export function lastBegun(call: Call, parts: readonly KnownPart[]): number {
  return call.root.replay === undefined ? -1 : parts.findLastIndex((part) => hadBegun(call, part))
}

/** Whether a part would not be refused at once: in a closed scope only one that had begun, or a compound while the run catches up. */
export function mayBegin(call: Call, part: KnownPart): boolean {
  if (call.scope.closed === undefined) return true
  const { replay } = call.root
  return replay !== undefined && (hadBegun(call, part) || (!part.behaviour.leaf && replay.isCatchingUp))
}
