import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** Bounds of one call of a program. */
export interface ProcessLimits {
  /** The largest input of the program; 10 MB by default. */
  readonly stdinBytes?: number | undefined
  /** How much of the output is kept, from its beginning and its end: 64 KB of text by default. Of JSON, which is kept whole or not at all, 1 MB. */
  readonly stdoutBytes?: number | undefined
  /** How much of the error output is kept, from its beginning and its end; 8 KB by default. */
  readonly stderrBytes?: number | undefined
  /** A program that writes more than this is ended; 64 MB by default. */
  readonly totalBytes?: number | undefined
  /** All arguments together; 64 KB by default. */
  readonly argumentBytes?: number | undefined
  /** How long the program has to end by itself after SIGTERM; 2 s by default. Then it is killed. */
  readonly grace?: Duration | undefined
}

export interface CheckedLimits {
  readonly stdinBytes: number
  readonly stdoutBytes: number
  readonly stderrBytes: number
  readonly totalBytes: number
  readonly argumentBytes: number
  readonly graceMs: number
}

const NAMES = optionNames<ProcessLimits>({
  stdinBytes: true,
  stdoutBytes: true,
  stderrBytes: true,
  totalBytes: true,
  argumentBytes: true,
  grace: true,
})

const KB = 1024
const MB = 1024 * KB
const LONGEST_GRACE_MS = 60_000

export function checkLimits(given: ProcessLimits | undefined, isJson: boolean, whose: string): CheckedLimits {
  const limits = given ?? {}
  checkOptionNames(limits, NAMES, `The 'limits' of ${whose}`)
  const bytes = (name: Exclude<keyof ProcessLimits, 'grace'>, byDefault: number): number => {
    const value = limits[name] ?? byDefault
    if (Number.isSafeInteger(value) && value >= 16 && value <= 1024 * MB) return value
    throw new ConfigurationError(
      'invalid_option',
      `'limits.${name}' of ${whose} must be a whole number from 16 to ${1024 * MB}, not ${quote(value)}.`,
    )
  }
  const graceMs = toMilliseconds(limits.grace ?? '2s', `'limits.grace' of ${whose}`)
  if (graceMs > LONGEST_GRACE_MS) throw new ConfigurationError('invalid_option', `'limits.grace' of ${whose} must be a minute or less.`)
  return {
    stdinBytes: bytes('stdinBytes', 10 * MB),
    stdoutBytes: bytes('stdoutBytes', isJson ? MB : 64 * KB),
    stderrBytes: bytes('stderrBytes', 8 * KB),
    totalBytes: bytes('totalBytes', 64 * MB),
    argumentBytes: bytes('argumentBytes', 64 * KB),
    graceMs,
  }
}
