import { limitRules, type RateLimit } from '../../../policies/limiter.ts'
import { quote } from '../../../schema/quote.ts'
import { type Duration, toMilliseconds } from '../../../tool/duration.ts'
import { wrongOption } from '../../../tool/errors/wrong-option.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import type { LimitRules } from '../../../tool/ports/limit-store.ts'

/** How much a client may ask of an endpoint. A client is the caller that `auth` has found, else the address that requests come from. */
export interface McpHttpLimits {
  /** The bytes of a message; 4 MiB by default. */
  readonly bodyBytes?: number | undefined
  /** How deep the lists and objects of a message are nested; 100 by default. */
  readonly depth?: number | undefined
  /** How long a message may take to arrive; 10 seconds by default. */
  readonly bodyTimeout?: Duration | undefined
  /** The requests of one client at the same time; 256 by default. */
  readonly concurrency?: number | undefined
  /** The requests of one client within a time; `{ calls: 6000, per: '1m' }` by default, `false` for no such limit. */
  readonly rate?: RateLimit | false | undefined
  /**
   * The requests without a token, or with one that is refused, of one address within a time; `{ calls: 600, per: '1m' }` by default, and none
   * where `rate` is `false`. More are answered with 429. A request with a good token is never refused for those of others.
   */
  readonly refusals?: RateLimit | false | undefined
  /** The sessions of revision 2025-11-25 at the same time, of all clients; 1000 by default. */
  readonly sessions?: number | undefined
  /** How long a session lasts that nobody uses; 30 minutes by default. */
  readonly sessionIdle?: Duration | undefined
  /** The bytes that are kept of streams, so that clients can take them up again; 64 MiB by default, for all sessions together. */
  readonly replayBytes?: number | undefined
  /** Those of one session, besides its last message; 64 KiB by default. */
  readonly replayBytesPerSession?: number | undefined
}

export interface HttpLimits {
  readonly bodyBytes: number
  readonly depth: number
  readonly bodyMs: number
  readonly perClient: LimitRules
  /** Undefined where they are not limited. */
  readonly refusals: LimitRules | undefined
  readonly sessions: number
  readonly sessionIdleMs: number
  readonly replayBytes: number
  readonly replayBytesPerSession: number
}

const NAMES = optionNames<McpHttpLimits>({
  bodyBytes: true,
  depth: true,
  bodyTimeout: true,
  concurrency: true,
  rate: true,
  refusals: true,
  sessions: true,
  sessionIdle: true,
  replayBytes: true,
  replayBytesPerSession: true,
})

const WHAT = "'limits' of mcpHandler"
const MIB = 1024 * 1024

export function httpLimits(given: McpHttpLimits = {}): HttpLimits {
  checkOptionNames(given, NAMES, `The options of ${WHAT}`)
  const { rate = { calls: 6000, per: '1m' }, concurrency = 256, bodyTimeout = '10s', sessionIdle = '30m' } = given
  const { refusals = rate === false ? false : { calls: 600, per: '1m' } } = given
  return {
    bodyBytes: count('bodyBytes', given.bodyBytes ?? 4 * MIB),
    depth: count('depth', given.depth ?? 100),
    bodyMs: toMilliseconds(bodyTimeout, `'bodyTimeout' of ${WHAT}`),
    perClient: limitRules({ concurrency, rate: rate === false ? undefined : rate }, WHAT),
    refusals: refusals === false ? undefined : limitRules({ rate: refusals }, `'refusals' of ${WHAT}`),
    sessions: count('sessions', given.sessions ?? 1000),
    sessionIdleMs: toMilliseconds(sessionIdle, `'sessionIdle' of ${WHAT}`),
    replayBytes: count('replayBytes', given.replayBytes ?? 64 * MIB),
    replayBytesPerSession: count('replayBytesPerSession', given.replayBytesPerSession ?? MIB / 16),
  }
}

function count(name: keyof McpHttpLimits, given: number): number {
  if (Number.isSafeInteger(given) && given >= 1) return given
  throw wrongOption(name, WHAT, `a whole number of at least 1, not ${quote(given)}`)
}
