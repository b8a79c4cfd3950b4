import type { DurableParts } from '../runtime/durable.ts'
import { durableAtDoor } from '../runtime/durable-at-door.ts'
import type { DoorRules } from '../runtime/durable-call.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import type { Listener } from '../tool/event.ts'
import { type ArgumentsDecoder, ModelArguments } from '../tool/input/arguments.ts'
import { digest } from '../tool/journal/hash.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { SharedCallOptions } from '../tool/shared-option-names.ts'
import type { Runtime } from '../runtime/create-runtime.ts'
import type { CallIdentity } from './call-identity.ts'
import { OwnRun, type RunEnd } from './own-run.ts'

/** How the calls of a bridge reach the door. */
export interface CallWay {
  /** For the arguments that the model sends; undefined where they have the tool's own shape. */
  readonly decoder: ArgumentsDecoder | undefined
  readonly shared: SharedCallOptions
}

/** The options of one call, beside those that all calls share. */
type OwnOptions = Pick<CallOptions, 'signal' | 'review'> & { readonly on: readonly Listener[] }

/** Calls a tool through the door, with the input as the model sent it. With a session, a repeated call has the same idempotency key. */
export function callTool(
  { tool, identity }: { readonly tool: AgentTool; readonly identity: CallIdentity },
  own: OwnOptions,
  { decoder, shared, runtime }: CallWay & { readonly runtime: Runtime | undefined },
): Promise<ToolResult> {
  const { session } = shared
  const options: CallOptions = {
    ...shared,
    ...own,
    review: own.review ?? shared.review,
    on: [shared.on ?? [], own.on].flat(),
    ...(session === undefined ? {} : { idempotencyKey: digest(`${session}\n${identity.key}`) }),
  }
  const input = ModelArguments.ofValue(identity.input, decoder) as never
  return runtime === undefined ? tool.call(input, options) : runtime.call(tool, input, options)
}

/** The call must outlast the patience, so that the receipt comes, and not a failure. */
const GRACE_MS = 10_000

export interface RunWay extends CallWay {
  readonly signal: AbortSignal | undefined
  /** Beside those of the tool. */
  readonly rules: Pick<DoorRules, 'known' | 'review' | 'scope' | 'isApart' | 'isSameCall'>
}

/** Calls a tool as a durable run. */
export async function callRun({ tool, runtime, rules }: DurableParts, input: unknown, way: RunWay): Promise<RunEnd> {
  const { principal, session, agent, task, tokenBudget, on, log, clock, deadline } = way.shared
  const own = new OwnRun()
  const atDoor = durableAtDoor(tool, runtime, {
    ...rules,
    deadline: deadline ?? rules.deadline,
    ...way.rules,
    onRun: own.onRun,
  })
  const options = { principal, session, agent, task, tokenBudget, on, log, clock, signal: way.signal }
  const given = ModelArguments.ofValue(input, way.decoder) as never
  try {
    const result: ToolResult = await runtime.call(atDoor, given, { ...options, deadline: rules.patienceMs + GRACE_MS })
    return { end: { result }, waiting: own.waitingIn(result) }
  } catch (thrown) {
    return { end: { thrown }, waiting: undefined }
  }
}
