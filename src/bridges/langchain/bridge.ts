import type { ToolRunnableConfig } from '@langchain/core/tools'
import { checkOptionValues } from '../../tool/engine/check-call-options.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { SharedCallOptions } from '../../tool/shared-option-names.ts'
import { BRIDGE_NAMES, type BridgeOptions, type Caller, callerBy, callOptionsOf } from '../bridge-options.ts'
import { RoutedResults } from '../routed-results.ts'
import { GraphCalls } from './graph-calls.ts'
import type { GraphTask } from './graph-task.ts'

/** What all calls through the bridge share. */
export interface ToLangChainOptions extends BridgeOptions {
  /** Who calls, where that differs between calls: it reads the config of a call, such as `config.configurable`. */
  readonly caller?: ((config: ToolRunnableConfig) => Caller) | undefined
  /** How long a call in a graph waits in memory for the resume, and how long its result is kept if its node runs again; an hour by default. */
  readonly expiry?: Duration | undefined
  /** How many calls are kept so, 1000 by default; one more, and the oldest is withdrawn. */
  readonly maxCalls?: number | undefined
}

const NAMES = optionNames<ToLangChainOptions>({ ...BRIDGE_NAMES, caller: true, expiry: true, maxCalls: true })

export function checkToLangChain(options: ToLangChainOptions): void {
  checkOptionNames(options, NAMES, 'The options of toLangChain')
  checkOptionValues(options)
  const { maxCalls = 1, caller } = options
  if (!Number.isInteger(maxCalls) || maxCalls < 1)
    throw new ConfigurationError('invalid_option', `'maxCalls' of toLangChain must be a whole number from 1 on, not ${String(maxCalls)}.`)
  if (caller !== undefined && typeof caller !== 'function')
    throw new ConfigurationError('invalid_option', "'caller' of toLangChain must be a function of the config of a call.")
}

/** What the tools of one `toLangChain` share. */
export class Bridge {
  readonly options: ToLangChainOptions
  readonly calls: GraphCalls
  readonly routed: RoutedResults
  readonly #shared: SharedCallOptions

  constructor(options: ToLangChainOptions) {
    const { expiry = '1h', maxCalls = 1000, clock } = options
    this.options = options
    this.#shared = callOptionsOf(options)
    this.routed = new RoutedResults(options, 'toLangChain')
    this.calls = new GraphCalls({ expiryMs: toMilliseconds(expiry, 'The expiry of toLangChain'), maxCalls, clock })
  }

  /** The options of a call. The thread of a graph is its session, if the program names no other one. */
  sharedBy(config: ToolRunnableConfig, task: GraphTask | undefined): SharedCallOptions {
    const { caller } = this.options
    const own = caller === undefined ? {} : callerBy(caller(config), 'toLangChain')
    const session = own.session ?? this.#shared.session ?? task?.thread
    return { ...this.#shared, ...own, ...(session === undefined ? {} : { session }) }
  }
}
