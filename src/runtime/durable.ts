import { unregisteredTool } from '../tool/errors/unregistered-tool.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { behaviourOf } from '../tool/behaviour.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { Runtime } from './create-runtime.ts'
import { durableAtDoor } from './durable-at-door.ts'
import type { DoorRules } from './durable-call.ts'

/** The options of `durable`. */
export interface DurableOptions {
  /** How long a call waits for the end of its run; then it gives a receipt. 30 seconds by default, since many clients wait for 60. */
  readonly patience?: Duration | undefined
  /** The deadline of each run. Without it, a run has none but those of its tools. */
  readonly deadline?: Duration | undefined
}

/** A durable tool, with its parts. */
export interface DurableParts {
  /** The tool that is run. */
  readonly tool: AgentTool
  readonly runtime: Runtime
  readonly rules: DoorRules
}

const NAMES = optionNames<DurableOptions>({ patience: true, deadline: true })

const DEFAULT_PATIENCE = '30s'

const durableParts = new WeakMap<AgentTool, DurableParts>()

/**
 * The same tool, whose calls are recorded as durable runs. A call waits for the end of its run. If the run waits for a person or a long time,
 * the call fails with a receipt (`approval_pending`, `run_pending`), and the run goes on; `run_status` tells of it. The tool must be one of
 * the runtime. To cancel the call cancels its run.
 * @example
 * const runtime = createRuntime({ tools: [issueRefund], database: {} })
 * const refundForAgents = durable(issueRefund, runtime, { patience: '20s' })
 * console.log(refundForAgents.name) // issue_refund
 */
export function durable<I, O, N extends string>(
  tool: AgentTool<I, O, N>,
  runtime: Runtime,
  options: DurableOptions = {},
): AgentTool<I, O, N> {
  behaviourOf(tool, 'The first argument of durable')
  if (typeof (runtime as Partial<Runtime> | undefined)?.start !== 'function')
    throw new ConfigurationError(
      'invalid_option',
      `The second argument of durable for '${tool.name}' must be a runtime, as createRuntime gives it.`,
    )
  checkOptionNames(options, NAMES, `The options of durable for '${tool.name}'`)
  const rules = doorRules(options, `of durable for '${tool.name}'`)
  const made = durableAtDoor(tool, runtime, rules)
  durableParts.set(made, { tool, runtime, rules })
  return made
}

/** The parts of a tool that `durable` made; undefined for any other tool. */
export function durablePartsOf(tool: AgentTool): DurableParts | undefined {
  return durableParts.get(tool)
}

/** `whose` ends the name of an option: `of toAiSdk`. */
export function doorRules({ patience = DEFAULT_PATIENCE, deadline }: DurableOptions, whose: string): DoorRules {
  return {
    patienceMs: toMilliseconds(patience, `The patience ${whose}`),
    deadline: deadline === undefined ? undefined : toMilliseconds(deadline, `The deadline ${whose}`),
  }
}

/**
 * Throws for a tool that its runtime does not have. A model would be the first to hear of it, and can do nothing about it. Tools of providers
 * are known with the first call only.
 */
export function checkRegistered({ tool, runtime }: DurableParts): void {
  const registration = runtime.registration(tool)
  if (registration === 'another' || registration === 'none') throw unregisteredTool(tool, registration === 'another')
}
