import { mayAsk, treeOf } from '../plan/gates.ts'
import type { Runtime } from '../runtime/create-runtime.ts'
import { checkRegistered, doorRules, type DurableParts, durablePartsOf } from '../runtime/durable.ts'
import { OF_THE_RUNTIME } from '../runtime/durable-call.ts'
import { quote } from '../schema/quote.ts'
import { RUN_STATUS } from '../runtime/run-status-name.ts'
import { isRunStatus, runStatusOf } from '../runtime/run-status.ts'
import { isUpstreamStatus, upstreamStatusOf } from '../runtime/upstream-status.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import type { Duration } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { warn } from '../tool/warn.ts'

/** How a bridge calls tools durably. Every bridge has these options. */
export interface DurableBridgeOptions {
  /** Calls go through it, with its options. If it has a database, tools that ask or take effect run durably. */
  readonly runtime?: Runtime | undefined
  /**
   * Which tools run durably. By default, if the runtime has a database: those with a gate, and those that do more than read. `true`: all of
   * them; `false`: none; or a function that says it of each. Tools of `durable(...)` always do.
   */
  readonly durable?: boolean | ((tool: AgentTool) => boolean) | undefined
  /** How long a call of such a tool waits for the end of its run before it gives a receipt; 30 seconds by default. */
  readonly patience?: Duration | undefined
}

export const DURABLE_NAMES: Readonly<Record<keyof DurableBridgeOptions, true>> = { runtime: true, durable: true, patience: true }

/** The tools of a bridge that run durably, and the tool that tells of their runs. */
export interface DurableTools {
  readonly of: (tool: AgentTool) => DurableParts | undefined
  /**
   * To be offered besides the tools, instead of one of the same name; undefined where no tool runs durably, here or on a server whose tools are
   * among them, or where the program offers it itself.
   */
  readonly status: AgentTool | undefined
  /** All that is to be offered. With a `status`, that of no other server stands beside it: it asks them. */
  readonly served: ReadonlyMap<string, AgentTool>
  /** The `run_status` of the other servers whose tools are among these, or parts of them. */
  readonly upstream: readonly AgentTool[]
  readonly runtimes: readonly Runtime[]
}

export interface DurableBridge extends DurableBridgeOptions {
  /** The name of the bridge, for messages: `toAiSdk`. */
  readonly bridge: string
  /** The options of its calls. */
  readonly shared: CallOptions
}

/** Chooses which of the tools, by the names that the model sees, run durably. */
export function durableTools(named: ReadonlyMap<string, AgentTool>, options: DurableBridge): DurableTools {
  const { bridge, shared, runtime, durable } = options
  if (runtime === undefined && durable !== undefined && durable !== false)
    throw new ConfigurationError('invalid_option', `'durable' of ${bridge} needs a runtime: pass the one of createRuntime as 'runtime'.`)
  if (durable !== undefined && typeof durable !== 'boolean' && typeof durable !== 'function')
    throw new ConfigurationError('invalid_option', `'durable' of ${bridge} must be true, false or a function, not ${quote(durable)}.`)
  const rules = doorRules(options, `of ${bridge}`)
  const chosen = new Map<AgentTool, DurableParts>()
  for (const [name, tool] of named) {
    // Under this name models ask about durable runs.
    if (name === RUN_STATUS) continue
    const own = durablePartsOf(tool)
    const isOurs =
      own === undefined &&
      runtime !== undefined &&
      !isRunStatus(tool) &&
      !isUpstreamStatus(tool) &&
      isChosen(tool, { runtime, durable, bridge })
    const parts = own ?? (isOurs ? { tool, runtime, rules } : undefined)
    if (parts === undefined) continue
    checkReach(tool, shared, bridge)
    checkRegistered(parts)
    chosen.set(tool, parts)
  }
  const runtimes = [...new Set([...chosen.values()].map((each) => each.runtime))]
  const upstream = upstreamOf(named.values())
  const status = statusFor(named.get(RUN_STATUS), { runtimes, upstream, bridge, log: shared.log })
  const served =
    status === undefined ? named : new Map([...[...named].filter(([, each]) => !isUpstreamStatus(each)), [status.name, status] as const])
  return { of: (tool) => chosen.get(tool), status, served, upstream, runtimes }
}

/** A receipt reaches the model through every tool around the one that gave it. */
function upstreamOf(tools: Iterable<AgentTool>): readonly AgentTool[] {
  const found = new Set<AgentTool>()
  for (const each of treeOf(tools)) {
    const status = isUpstreamStatus(each) ? each : upstreamStatusOf(each)
    if (status !== undefined) found.add(status)
  }
  return [...found]
}

interface StatusSetting {
  readonly runtimes: readonly Runtime[]
  readonly upstream: readonly AgentTool[]
  readonly bridge: string
  readonly log: CallOptions['log']
}

/** Receipts name `run_status`, those of other servers too: under this name all of them are answered. */
function statusFor(taken: AgentTool | undefined, { runtimes, upstream, bridge, log }: StatusSetting): AgentTool | undefined {
  const isAlone = runtimes.length === 0 && upstream.every((each) => each === taken)
  if (isAlone || (taken !== undefined && isRunStatus(taken))) return undefined
  if (taken !== undefined && !upstream.includes(taken)) {
    if (runtimes.length === 0) return undefined
    const named = `A tool of ${bridge} is named '${RUN_STATUS}', by which a model asks about durable runs.`
    // Another server may take the name at any time.
    if (taken.source?.startsWith('mcp:') !== true)
      throw new ConfigurationError('duplicate_name', `${named} Rename it, or pass durable: false.`)
    warn(log, `${named} The one of ${taken.source} is not offered. Give the connection a 'prefix'.`)
  }
  return runStatusOf(runtimes, { upstream })
}

interface Choice extends Pick<DurableBridge, 'durable' | 'bridge'> {
  readonly runtime: Runtime
}

function isChosen(tool: AgentTool, { runtime, durable, bridge }: Choice): boolean {
  if (typeof durable === 'function') {
    const chosen: unknown = durable(tool)
    // A promise would count as true.
    if (typeof chosen !== 'boolean')
      throw new ConfigurationError(
        'invalid_option',
        `'durable' of ${bridge} must return true or false at once, not ${quote(chosen)} for '${tool.name}'.`,
      )
    return chosen
  }
  return durable ?? (runtime.hasDatabase && (tool.effect !== 'read' || mayAsk(tool)))
}

function checkReach({ name }: AgentTool, shared: CallOptions, bridge: string): void {
  const lost = [...OF_THE_RUNTIME, 'services' as const, 'stores' as const].find((each) => shared[each] !== undefined)
  if (lost === undefined) return
  throw new ConfigurationError(
    'invalid_option',
    `'${lost}' of ${bridge} would not reach '${name}', which runs durably and may be carried on by another process. Pass it to createRuntime, or pass durable: false to ${bridge}.`,
  )
}
