import type { AgentTool } from '../agent-tool.ts'
import type { Behaviour } from '../behaviour.ts'
import type { CallOptions } from '../context.ts'
import type { JournalEntry } from '../journal/journal.ts'
import type { Clock } from '../ports/clock.ts'
import { askAgain, type RecordedStep, recordedSecretNames, recordedSecrets } from '../secrets/recorded-secrets.ts'
import { type Duration, toMilliseconds } from '../duration.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { checkOverrides } from '../overrides.ts'
import { callPart, overridden } from './call-part.ts'
import type { Call } from './call.ts'
import { CallContext } from './call-context.ts'
import { checkCallOptions } from './check-call-options.ts'
import { enter } from './door.ts'
import { RootCall } from './root-call.ts'
import { ENDED, Scope } from './scope.ts'
import type { SettledResult } from '../result/settled.ts'

/** For a call that names no deadline, of a tool that has none. */
export const DEFAULT_DEADLINE_MS = 60_000

/** Called for every root call; testing uses it to find calls that should have been parts of another. */
export const rootCallWatchers = new Set<(tool: AgentTool) => void>()

/** Begins a call that has no caller among tools. */
export function callRoot(tool: AgentTool, behaviour: Behaviour, input: unknown, options?: CallOptions): Promise<SettledResult> {
  return options === undefined && rootCallWatchers.size === 0
    ? enter(bareRoot(tool, behaviour), input)
    : callWith(tool, behaviour, { input, options })
}

/** A call without options, which nothing can refuse. */
function bareRoot(tool: AgentTool, behaviour: Behaviour): Call {
  const root = new RootCall(callPart)
  return new CallContext(root, tool, behaviour, new Scope(root.clock, behaviour.deadlineMs ?? DEFAULT_DEADLINE_MS))
}

interface Given {
  readonly input: unknown
  readonly options: CallOptions | undefined
}

function callWith(tool: AgentTool, behaviour: Behaviour, { input, options }: Given): Promise<SettledResult> {
  try {
    if (options !== undefined) checkCallOptions(options)
    const root = new RootCall(callPart, options)
    if (rootCallWatchers.size > 0) tellWatchers(tool)
    const scope = new Scope(root.clock, deadlineMs(root, behaviour))
    const { overrides } = root.options
    if (overrides !== undefined) checkOverrides(overrides, [tool])
    const call = new CallContext(root, tool, overrides === undefined ? behaviour : overridden(root.options, tool, behaviour), scope)
    return root.replay === undefined ? begin(call, input) : resume(call, input)
  } catch (error) {
    return Promise.reject(error as Error)
  }
}

function begin(call: Call, input: unknown): Promise<SettledResult> {
  const { signal } = call.root.options
  return signal === undefined ? enter(call, input) : enterUntil(signal, call, input)
}

/** Secrets that the run has read before are known before anything of it is logged or shown again. */
async function resume(call: Call, input: unknown): Promise<SettledResult> {
  const { journal, secrets } = call.root.options
  const steps = Array.from(journal?.past?.() ?? [], stepOf)
  call.root.hideInLogs(recordedSecrets(steps))
  const names = recordedSecretNames(steps)
  if (names.size > 0 && secrets !== undefined && journal?.isClosed !== true) {
    journal?.inFlight?.(1)
    for (const secret of await askAgain(names, secrets, call.clock)) call.root.revealedSecrets.add(secret)
    journal?.inFlight?.(-1)
  }
  return checkReplay(call, await begin(call, input))
}

function stepOf(entry: JournalEntry): RecordedStep {
  const { kind, path } = entry
  switch (entry.kind) {
    case 'call':
      return { kind, path, data: entry.result }
    case 'decision':
      return { kind, path, data: entry.value }
    case 'review':
      return { kind, path, data: entry }
    case 'sleep':
      return { kind, path, data: undefined }
  }
}

/** A run whose program no longer reaches its records has not ended. A run that was cut off need not reach them. */
function checkReplay({ root, scope }: Call, result: SettledResult): SettledResult {
  const isCutOff = scope.closed !== undefined && scope.closed !== ENDED
  if (root.replay?.isCatchingUp === true && !isCutOff) throw root.replay.divergence('ends')
  return result
}

function tellWatchers(tool: AgentTool): void {
  for (const watch of rootCallWatchers) watch(tool)
}

function enterUntil(signal: AbortSignal, call: Call, input: unknown): Promise<SettledResult> {
  const unfollow = call.scope.follow(signal)
  // `finally` would make three more promises.
  return enter(call, input).then(
    (result) => {
      unfollow()
      return result
    },
    (fatal: unknown) => {
      unfollow()
      throw fatal
    },
  )
}

function deadlineMs({ options: { deadline }, clock }: RootCall, behaviour: Behaviour): number {
  return deadline === undefined ? (behaviour.deadlineMs ?? DEFAULT_DEADLINE_MS) : millisecondsUntil(deadline, clock)
}

function millisecondsUntil(deadline: Duration | Date, clock: Clock): number {
  if (!(deadline instanceof Date)) return toMilliseconds(deadline, 'A deadline')
  const ms = deadline.getTime() - clock.now()
  if (Number.isNaN(ms)) throw new ConfigurationError('invalid_option', 'The deadline is an invalid date.')
  return Math.max(0, ms)
}
