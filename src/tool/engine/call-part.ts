import { type AgentTool, isTool } from '../agent-tool.ts'
import { type Behaviour, behaviourOf } from '../behaviour.ts'
import type { CallOptions, PartOptions } from '../context.ts'
import { toMilliseconds } from '../duration.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { NOT_ACCEPTED } from '../input/accepted-inputs.ts'
import type { SettledResult } from '../result/settled.ts'
import type { Call, PartCall, Waiter } from './call.ts'
import { CallContext } from './call-context.ts'
import { enter, enterFor, enterPlainly } from './door.ts'
import { checkStepLabel } from '../path.ts'
import { PartDeadline } from './part-deadline.ts'
import { pastJournal } from './past-journal.ts'
import { GUARDED, Scope } from './scope.ts'
import { settleThrown } from './settle.ts'
import type { KnownPart } from './known-part.ts'
import { checkOptionNames, optionNames } from '../option-names.ts'

/** The time of a part that is shielded from its caller's deadline and names none. */
export const SHIELDED_DEADLINE_MS = 60_000

/** Calls a tool inside another call: it shares the clock, the reviewer and all else, and unless it is shielded never outlives its caller. */
export function callPart(
  parent: Call,
  { label, tool, input, options: given, isUnique = false, isPast = false, isRetried = false }: PartCall,
): Promise<SettledResult> {
  const options = given?.shielded === true && !isPast && parent.rare?.onlyWalks === true ? unshielded(given) : given
  let call: CallContext
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
    if (options !== undefined) checkPartOptions(options, label)
    const unique = uniqueLabel(parent, { label, attempt: options?.attempt ?? 1, isUnique })
    const own = scopeFor(parent, behaviour, { label: unique, options })
    deadline = own instanceof PartDeadline ? own : undefined
    scope = own instanceof PartDeadline ? own.scope : own
    if (options?.signal !== undefined) unfollow = scope.follow(options.signal)
    call = new CallContext(parent.root, tool, behaviour, scope).belongTo(parent, unique)
    if (isPast && call.journal !== undefined) call.journal = pastJournal(call.journal)
    if (options !== undefined) call.vary(options)
    if (isRetried) call.lazily.isRetried = true
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
  // It was wrong at once, before there was this promise: perhaps nobody awaits it, and the call around it fails anyway.
  if (call.fatal !== undefined) released.catch(() => {})
  return released
}

/** The clean-up of a call that had begun nothing does not begin. */
function unshielded({ shielded: _shielded, deadline: _deadline, ...options }: PartOptions): PartOptions {
  return options
}

const PART_NAMES = optionNames<PartOptions>({
  deadline: true,
  signal: true,
  attempt: true,
  generation: true,
  shielded: true,
  idempotencyKey: true,
})

/** A text is made only for the message. */
function checkPartOptions(options: PartOptions, label: string): void {
  for (const name in options) if (!PART_NAMES.includes(name)) checkOptionNames(options, PART_NAMES, `The options of the call '${label}'`)
}

interface Labelled {
  readonly label: string
  readonly attempt: number
  readonly isUnique: boolean
}

function uniqueLabel(parent: Call, { label, attempt, isUnique }: Labelled): string {
  if (isUnique) return label
  checkStepLabel(label)
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

/** The behaviour of an override, if the caller gave one for this leaf. Schemas, permissions and approvals stay those of the leaf. */
export function overridden({ overrides }: CallOptions, tool: AgentTool, behaviour: Behaviour): Behaviour {
  if (overrides === undefined || !behaviour.leaf || !Object.hasOwn(overrides, tool.name)) return behaviour
  const override = overrides[tool.name]
  if (override === undefined) return behaviour
  if (isTool(override)) return { ...behaviour, isPlain: false, isBare: false, services: undefined, run: behaviourOf(override).run }
  return {
    ...behaviour,
    isPlain: false,
    isBare: false,
    services: undefined,
    run: override as (input: unknown, context: unknown) => unknown,
  }
}

/**
 * Calls a part in the scope of its caller. Returns the result if it is there at once; otherwise undefined, and the waiter receives it
 * later. A promise for every part would cost as much as the rest of the call. `accepted` is the validated input, where the caller has it.
 */
export function startPart(waiter: Waiter, part: KnownPart, input: unknown, accepted: unknown = NOT_ACCEPTED): SettledResult | undefined {
  if (part.behaviour.isBare !== true || !waiter.call.root.isBare) return startKnownPart(waiter, part, input, accepted)
  return enterPlainly(waiter, bareCall(waiter.call, part), input, accepted)
}

/** The call of a part in a run without a record, where nobody is waited for. The call around it guards the scope for all its parts. */
function bareCall(parent: Call, { tool, behaviour, label, position }: KnownPart): Call {
  const call = new CallContext(parent.root, tool, behaviour, parent.scope)
  call.parent = parent
  call.place = GUARDED
  call.label = label
  call.position = position
  noteStart(parent, call)
  return call
}

function startKnownPart(waiter: Waiter, part: KnownPart, input: unknown, accepted: unknown): SettledResult | undefined {
  const { call: parent } = waiter
  const { root, scope } = parent
  const { deadlineMs, ownScope } = part.behaviour
  if (root.options.overrides !== undefined || root.stepDeadlineMs !== undefined || deadlineMs !== undefined || ownScope === true)
    return startPartApart(waiter, part, { input })
  const call = new CallContext(root, part.tool, part.behaviour, scope).belongTo(parent, part.label)
  call.position = part.position
  if (root.isBare) call.place = GUARDED
  noteStart(parent, call)
  return part.behaviour.isPlain === true && root.isPlain ? enterPlainly(waiter, call, input, accepted) : enterFor(waiter, call, input)
}

/** A list that grows from nothing has room for many at once, and most layers have one part. */
function noteStart(parent: Call, call: Call): void {
  parent.began()
  if (parent.children === undefined) parent.children = [call]
  else parent.children.push(call)
}

interface PartStart {
  readonly input: unknown
  readonly options?: PartOptions | undefined
}

/** Calls a part with its own deadline or signal. The waiter always receives the result later. */
export function startPartApart(waiter: Waiter, { label, tool, position }: KnownPart, { input, options }: PartStart): undefined {
  callPart(waiter.call, { label, tool, input, options, isUnique: true }).then(
    (result) => waiter.partEnded(result, position),
    (fatal: unknown) => waiter.partFailed(fatal, position),
  )
}

/** A part whose input could not be made fails without a call; its step shows the failure. */
export function refusePart(parent: Call, { label, tool, behaviour }: KnownPart, error: unknown): SettledResult {
  const call = new CallContext(parent.root, tool, behaviour, parent.scope).belongTo(parent, label)
  call.end = parent.scope.stamp()
  const result = settleThrown(call, error, false)
  call.result = result
  parent.children ??= []
  parent.children.push(call)
  return result
}
