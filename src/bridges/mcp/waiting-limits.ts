import { quote } from '../../schema/quote.ts'
import { wrongOption } from '../../tool/errors/wrong-option.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** How many calls wait for people in the memory of a server, and how much they hold. Durable runs wait in the database. */
export interface McpWaitingLimits {
  /** The calls of all callers that wait between two requests of their clients; 256 by default. One more, and the oldest of the caller with the most is cancelled. */
  readonly maxCalls?: number | undefined
  /** Those of one caller that `auth` has found; a quarter of all by default. One more, and the oldest of the same caller is cancelled. */
  readonly maxCallsPerCaller?: number | undefined
  /** The characters of the inputs that wait, as people see them, of all callers; 32 Mi by default. A call that would exceed it is refused. */
  readonly maxBytes?: number | undefined
  /** Those of one caller that `auth` has found; a quarter of all by default. */
  readonly maxBytesPerCaller?: number | undefined
  /** The values in the arguments of a call about which a person may be asked; 20,000 by default. Nobody looks at more, and to prepare them takes time. */
  readonly maxValues?: number | undefined
}

export type WaitingLimits = { readonly [K in keyof McpWaitingLimits]-?: number }

const NAMES = optionNames<McpWaitingLimits>({
  maxCalls: true,
  maxCallsPerCaller: true,
  maxBytes: true,
  maxBytesPerCaller: true,
  maxValues: true,
})
const WHAT = "'waiting' of an MCP server"

export function waitingLimits(given: McpWaitingLimits = {}): WaitingLimits {
  checkOptionNames(given, NAMES, `The options of ${WHAT}`)
  for (const [name, value] of Object.entries(given) as [string, unknown][])
    if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) >= 1))
      throw wrongOption(name, WHAT, `a whole number of at least 1, not ${quote(value)}`)
  const { maxCalls = 256, maxBytes = 32 * 1024 * 1024, maxValues = 20_000 } = given
  return {
    maxCalls,
    maxBytes,
    maxValues,
    maxCallsPerCaller: given.maxCallsPerCaller ?? Math.ceil(maxCalls / 4),
    maxBytesPerCaller: given.maxBytesPerCaller ?? Math.ceil(maxBytes / 4),
  }
}
