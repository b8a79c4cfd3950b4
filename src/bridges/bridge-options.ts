import type { OutputRouter } from '../context/output-router.ts'
import type { DialectOptions } from '../schema/dialects/dialect.ts'
import type { DialectTarget } from '../schema/dialects/dialect-rules.ts'
import { isPlainRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { checkOptionValues } from '../tool/engine/check-call-options.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { type OfferedSpecification, offeredTools } from '../tool/resolve/offered-tools.ts'
import { SHARED_OPTION_NAMES, type SharedCallOptions } from '../tool/shared-option-names.ts'
import { DURABLE_NAMES, type DurableBridgeOptions } from './durable-tools.ts'

/** The options that every bridge to a framework has. */
export interface BridgeOptions extends SharedCallOptions, DurableBridgeOptions {
  /**
   * Rewrites the schemas for a vendor's strict mode and sets `strict` on the tools that fit into a request; `true` is `openai-strict`. What
   * the model sends is decoded, then validated by the tool's own schema.
   */
  readonly strict?: boolean | DialectTarget | undefined
  /** Decides what of each output the model reads; `read_output` and the other tools of the router are added. */
  readonly router?: OutputRouter | undefined
}

export const BRIDGE_NAMES: Readonly<Record<keyof BridgeOptions, true>> = {
  ...SHARED_OPTION_NAMES,
  ...DURABLE_NAMES,
  strict: true,
  router: true,
}

const CALL_NAMES = Object.keys(SHARED_OPTION_NAMES) as (keyof SharedCallOptions)[]

/** The options of a bridge that its calls share. */
export function callOptionsOf(options: SharedCallOptions): SharedCallOptions {
  return Object.fromEntries(CALL_NAMES.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}

/** How the model sees the tools, if that is not as they are. */
export function inDialect(
  named: ReadonlyMap<string, AgentTool>,
  strict: BridgeOptions['strict'],
  options?: DialectOptions,
): ReadonlyMap<string, OfferedSpecification> | undefined {
  if (strict === undefined || strict === false) return undefined
  const tools = Array.from(named, ([name, { specification }]) => ({ name, specification }))
  return offeredTools(tools, strict === true ? 'openai-strict' : strict, options)
}

/** Who calls, and for what. */
export type Caller = Pick<SharedCallOptions, 'principal' | 'session' | 'agent' | 'task'>

const CALLER_NAMES = optionNames<Caller>({ principal: true, session: true, agent: true, task: true })

/** What a program says about the caller of one call, checked: without an answer, the call would have another caller than the program means. */
export function callerBy(given: Caller, bridge: string): Caller {
  if (!isPlainRecord(given))
    throw new ConfigurationError(
      'invalid_option',
      `'caller' of ${bridge} must return { principal, session, agent, task } at once, not ${quote(given)}.`,
    )
  checkOptionNames(given, CALLER_NAMES, `What 'caller' of ${bridge} returns`)
  checkOptionValues(given)
  return given
}
