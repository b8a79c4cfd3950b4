import { didYouMean } from '../../schema/did-you-mean.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { nearestNames } from '../../schema/nearest-names.ts'
import { quote } from '../../schema/quote.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** How much of one tool may go on, over all workers of a database. Every worker should be given the same. */
export interface ToolLimit {
  /** Runs of the tool that are under way at the same time. */
  readonly concurrency?: number | undefined
  /** Runs of the tool that begin within a stretch of time. */
  readonly rate?: { readonly count: number; readonly per: Duration } | undefined
}

/** How many runs of a tool go on at the same time, by the name of the tool. */
export type ToolLimits = Readonly<Record<string, ToolLimit>>

const NAMES = optionNames<ToolLimit>({ concurrency: true, rate: true })
const RATE_NAMES = optionNames<NonNullable<ToolLimit['rate']>>({ count: true, per: true })

export function checkLimitNames(limits: ToolLimits): void {
  if (!isRecord(limits)) throw new ConfigurationError('invalid_option', `The limits of a worker must be an object, not ${quote(limits)}.`)
  for (const [tool, limit] of Object.entries<ToolLimit>(limits)) {
    checkOptionNames(limit, NAMES, `The options of the limit for '${tool}'`)
    if (limit.rate !== undefined) checkOptionNames(limit.rate, RATE_NAMES, `The options of the rate for '${tool}'`)
  }
}

export function checkLimits(limits: ToolLimits): void {
  for (const [tool, { concurrency, rate }] of Object.entries(limits)) {
    if (concurrency !== undefined && !isCount(concurrency)) throw wrong(tool, 'concurrency', concurrency)
    if (rate === undefined) continue
    if (!isCount(rate.count)) throw wrong(tool, 'rate.count', rate.count)
    if (toMilliseconds(rate.per, `The stretch of the rate of '${tool}'`) === 0) throw wrong(tool, 'rate.per', rate.per)
  }
}

/** The warning about limits that hold for no run which this worker can take; undefined if there are none. Workers with other tools may be given the same limits. */
export function unknownLimits(limits: ToolLimits, tools: readonly string[]): string | undefined {
  const unknown = Object.keys(limits).filter((name) => !tools.includes(name))
  if (unknown.length === 0) return undefined
  const [first = ''] = unknown
  const names = unknown.map((name) => `'${name}'`).join(', ')
  const meant = didYouMean(nearestNames(first, tools), 'A limit is for the runs of a registered tool, not for a step in them.')
  return `The limits of the worker name ${names}, which this worker does not know. ${meant}`
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1
}

function wrong(tool: string, field: string, value: unknown): ConfigurationError {
  return new ConfigurationError(
    'invalid_option',
    `The ${field} of the limit for '${tool}' must be a whole number from 1 on, not ${String(value)}.`,
  )
}
