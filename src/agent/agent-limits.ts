import { quote } from '../schema/quote.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The bounds of one run of an agent. */
export interface AgentLimits {
  /** Calls that the model may ask for, whatever becomes of them; 25 by default. After the last one it must answer. */
  readonly toolCalls?: number | undefined
  /** How many calls of one turn run at the same time; 8 by default. */
  readonly parallel?: number | undefined
  /** For each call of a tool and of the model. Without it, a tool has the time of the run, and the model two minutes. */
  readonly callDeadline?: Duration | undefined
  /** For the whole; ten minutes by default for `run` and `stream`. A durable run has none unless it is named. */
  readonly deadline?: Duration | undefined
  /** Tokens of all model calls together. No call begins when they are used up. */
  readonly tokens?: number | undefined
  /** The same in dollars. It needs `prices`. */
  readonly costUsd?: number | undefined
}

/** With the defaults. */
export interface ReadLimits {
  readonly toolCalls: number
  readonly parallel: number
  readonly callMs: number | undefined
  readonly deadlineMs: number | undefined
  readonly tokens: number
  readonly costUsd: number
}

const NAMES = optionNames<AgentLimits>({ toolCalls: true, parallel: true, callDeadline: true, deadline: true, tokens: true, costUsd: true })
const TOOL_CALLS = 25
const PARALLEL = 8

export function readLimits(limits: AgentLimits, whose: string, hasPrices: boolean): ReadLimits {
  const what = `the limits of ${whose}`
  checkOptionNames(limits, NAMES, `The limits of ${whose}`)
  const { toolCalls = TOOL_CALLS, parallel = PARALLEL, callDeadline, deadline, tokens = Infinity, costUsd = Infinity } = limits
  check('toolCalls', toolCalls, Number.isSafeInteger(toolCalls) && toolCalls >= 0, `a whole number of at least 0`)
  check('parallel', parallel, Number.isSafeInteger(parallel) && parallel >= 1, 'a whole number of at least 1')
  check('tokens', tokens, typeof tokens === 'number' && tokens >= 0, 'a number of at least 0')
  check('costUsd', costUsd, typeof costUsd === 'number' && costUsd >= 0, 'a number of at least 0')
  if (costUsd !== Infinity && !hasPrices)
    throw new ConfigurationError('invalid_option', `'costUsd' of ${what} needs prices: { inputPerMillion, outputPerMillion }.`)
  return {
    toolCalls,
    parallel,
    callMs: callDeadline === undefined ? undefined : toMilliseconds(callDeadline, `'callDeadline' of ${what}`),
    deadlineMs: deadline === undefined ? undefined : toMilliseconds(deadline, `'deadline' of ${what}`),
    tokens,
    costUsd,
  }

  function check(name: keyof AgentLimits, given: unknown, isRight: boolean, needed: string): void {
    if (!isRight) throw new ConfigurationError('invalid_option', `'${name}' of ${what} must be ${needed}, not ${quote(given)}.`)
  }
}
