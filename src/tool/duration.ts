import { quote } from '../schema/quote.ts'
import { ConfigurationError } from './errors/configuration-error.ts'

type Unit = 'ms' | 's' | 'm' | 'h' | 'd'

/** `'250ms'`, `'5s'`, `'2m'`, `'1h'`, `'3d'`, or a number of milliseconds. */
export type Duration = number | `${number}${Unit}`

const UNITS: Record<Unit, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a duration; anything unreadable or negative is a configuration error. */
export function toMilliseconds(duration: Duration, what: string): number {
  const ms = typeof duration === 'number' ? duration : typeof duration === 'string' ? parse(duration) : Number.NaN
  if (Number.isNaN(ms) || ms < 0) {
    throw new ConfigurationError(
      'invalid_option',
      `${what} must be milliseconds or a duration such as '5s' or '2m', not ${quote(duration)}.`,
    )
  }
  return ms
}

function parse(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text)
  return match === null ? Number.NaN : Number(match[1]) * UNITS[match[2] as Unit]
}
