import type { AgentTool } from '../agent-tool.ts'
import type { Behaviour } from '../behaviour.ts'
import type { CallOptions } from '../context.ts'
import { toMilliseconds } from '../duration.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { callPart } from './call-part.ts'
import { Call } from './call.ts'
import { enter } from './door.ts'
import { overridden } from './override.ts'
import { RootCall } from './root-call.ts'
import { Scope } from './scope.ts'
import type { SettledResult } from './settled.ts'

const DEFAULT_DEADLINE_MS = 60_000

/** Told of every call that begins on its own; testing uses it to find calls that should have been parts of another. */
export const rootCallWatchers = new Set<(tool: AgentTool) => void>()

/** Begins a call that has no caller among tools. */
export function callRoot(tool: AgentTool, behaviour: Behaviour, input: unknown, options?: CallOptions): Promise<SettledResult> {
  const root = new RootCall(callPart, options)
  if (rootCallWatchers.size > 0) for (const watch of rootCallWatchers) watch(tool)
  let allowedMs: number
  try {
    allowedMs = deadlineMs(root, behaviour)
  } catch (error) {
    return Promise.reject(error as Error)
  }
  const scope = new Scope(root.clock, allowedMs)
  const call = new Call(root, { built: tool, behaviour: options === undefined ? behaviour : overridden(options, tool, behaviour), scope })
  const signal = options?.signal
  if (signal === undefined) return enter(call, input)
  const letGo = scope.follow(signal)
  return enter(call, input).finally(letGo)
}

function deadlineMs({ options: { deadline }, clock }: RootCall, behaviour: Behaviour): number {
  if (deadline === undefined) return behaviour.deadlineMs ?? DEFAULT_DEADLINE_MS
  if (!(deadline instanceof Date)) return toMilliseconds(deadline, 'A deadline')
  const ms = deadline.getTime() - clock.now()
  if (Number.isNaN(ms)) throw new ConfigurationError('invalid_option', 'The deadline is an invalid date.')
  return Math.max(0, ms)
}
