import { type Behaviour, behaviourOf } from '../behaviour.ts'
import type { PartOptions } from '../context.ts'
import { toMilliseconds } from '../duration.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { SettledResult } from '../result/settled.ts'
import { Call } from './call.ts'
import { enter } from './door.ts'
import { overridden } from './override.ts'
import { pastJournal } from './past-journal.ts'
import { PartDeadline } from './part-deadline.ts'
import type { PartCall } from './root-call.ts'
import { Scope } from './scope.ts'

/** The time of a part that is shielded from its caller's deadline and names none. */
export const SHIELDED_DEADLINE_MS = 60_000

/** Calls a tool inside another call: it shares the clock, the reviewer and all else, and unless it is shielded never outlives its caller. */
export function callPart(
  parent: Call,
  { label, tool, input, options, isUnique = false, isPast = false }: PartCall,
): Promise<SettledResult> {
  let call: Call
  let scope: Scope
  let unfollow: (() => void) | undefined
  let deadline: PartDeadline | undefined
  try {
    const behaviour = overridden(parent.root.options, tool, behaviourOf(tool))
    if (parent.behaviour.parts?.has(tool) === false) {
      throw new ConfigurationError(
        'undeclared_part',
        `'${parent.tool}' calls '${tool.name}', which is not among its parts. Declare it, so that the whole can be checked before it runs.`,
      )
    }
    const unique = uniqueLabel(parent, { label, attempt: options?.attempt ?? 1, isUnique })
    const own = scopeFor(parent, behaviour, { label: unique, options })
    deadline = own instanceof PartDeadline ? own : undefined
    scope = own instanceof PartDeadline ? own.scope : own
    if (options?.signal !== undefined) unfollow = scope.follow(options.signal)
    call = new Call(parent.root, tool, behaviour, scope).belongTo(parent, unique)
    if (isPast && call.journal !== undefined) call.journal = pastJournal(call.journal)
    if (options !== undefined) call.vary(options)
  } catch (error) {
    parent.fatal ??= error
    return Promise.reject(error as Error)
  }
  parent.began()
  parent.children ??= []
  parent.children.push(call)
  const result = enter(call, input)
  if (scope === parent.scope) return result
  const released = result.finally(() => {
    unfollow?.()
    deadline?.end()
    scope.release()
  })
  call.pending = released
  return released
}

interface Labelled {
  readonly label: string
  readonly attempt: number
  readonly isUnique: boolean
}

function uniqueLabel(parent: Call, { label, attempt, isUnique }: Labelled): string {
  if (isUnique) return label
  return attempt > 1 ? parent.attemptLabel(label, attempt) : parent.nextLabel(label)
}

interface Placed {
  readonly label: string
  readonly options: PartOptions | undefined
}

/** A leaf that runs again has all its time again; a compound goes on with what is left of its own. */
function scopeFor(parent: Call, { deadlineMs, leaf, ownScope }: Behaviour, { label, options }: Placed): Scope | PartDeadline {
  const usual = deadlineMs ?? (leaf ? parent.root.stepDeadlineMs : undefined)
  const own = options?.deadline === undefined ? usual : toMilliseconds(options.deadline, 'A deadline')
  if (options?.shielded === true) return new Scope(parent.root.clock, own ?? SHIELDED_DEADLINE_MS)
  if (own === undefined && options?.signal === undefined && ownScope !== true) return parent.scope
  const isRecorded = own !== undefined && own !== Infinity && !leaf && !parent.behaviour.leaf && parent.journal !== undefined
  return isRecorded
    ? new PartDeadline(parent, pathOf(parent, label, options), own)
    : new Scope(parent.root.clock, own ?? Infinity, parent.scope)
}

function pathOf(parent: Call, label: string, options: PartOptions | undefined): string {
  const attempt = options?.attempt ?? 1
  return `${parent.path}/${label}${attempt > 1 ? `@${attempt}` : ''}`
}
