import { isRecord } from '../../schema/json-schema.ts'
import { hasBrand, markUnclassified } from './brand.ts'
import { codeVerdict } from './code-verdict.ts'
import { statusVerdict } from './http-verdict.ts'
import { isFailureCode } from './error-codes.ts'
import { isInternal } from './internal-text.ts'
import { messageOf } from './message-of.ts'
import { messageVerdict } from './message-verdict.ts'
import { defectVerdict, nameVerdict, serviceNameVerdict } from './name-verdict.ts'
import { protocolVerdict } from './protocol-verdict.ts'
import { retryAfterMs } from './retry-after.ts'
import { serviceVerdict } from './service-verdict.ts'
import { mysqlVerdict, prismaVerdict, sqliteVerdict, sqlVerdict } from './sql-verdict.ts'
import { isToolError, ToolError } from './tool-error.ts'
import type { ToolExecutionError } from './tool-execution-error.ts'
import { errorInText, issuesVerdict, sentenceVerdict, systemVerdict } from './told-verdict.ts'
import {
  ABSENT,
  BROKEN,
  DECLINED,
  guessOf,
  isGuess,
  LOST,
  UNFIT,
  UNREACHED,
  UNTRUSTED,
  UNUSABLE,
  type Verdict,
  verdict,
  WITHDRAWN,
} from './verdict.ts'
import { codeWordsVerdict, nameWordsVerdict } from './word-verdict.ts'

const UNRECOGNISED = verdict('tool_failed', 'failed')
/** Codes that say nothing about the reason. */
const UNCLASSIFIED: ReadonlySet<string> = new Set(['tool_failed', 'tool_crashed'])
/** An error may have this many others around or beside it. */
const MOST_ERRORS = 20

/**
 * Converts a thrown value to a coded error: by HTTP status, SQLSTATE, system code, code or name of a service or library, by its causes,
 * and last by its message.
 * @example
 * const { code, retryable } = classifyError(Object.assign(new Error('Slow down'), { status: 429 })) // rate_limited, true
 */
export function classifyError(thrown: unknown): ToolError {
  try {
    if (isToolError(thrown)) return thrown
    const { found, at } = search(thrown) ?? { found: UNRECOGNISED, at: thrown }
    const { code, outcome, retryable } = found
    const waits = code === 'rate_limited' || code === 'service_unavailable'
    const error = new ToolError(found === UNFIT ? unfitMessage(thrown, at) : messageOf(thrown), {
      code,
      ...(found === UNFIT ? { hint: UNFIT_HINT } : {}),
      outcome,
      retryable,
      cause: thrown,
      internal: isInternal(thrown),
      retryAfterMs: waits ? (retryAfterMs(thrown) ?? retryAfterMs(at)) : undefined,
    })
    return isUnclear(found) ? markUnclassified(error) : error
  } catch {
    // An object that throws when it is read cannot be classified.
    return new ToolError('', { cause: thrown })
  }
}

/** The effect may have come before such an error: only a service's own refusal says that it did not. */
function isUnclear(found: Verdict): boolean {
  if (found === DECLINED) return false
  return found === UNFIT || found === UNUSABLE || isGuess(found) || (found.outcome === 'failed' && UNCLASSIFIED.has(found.code))
}

const UNFIT_HINT = 'A value inside the tool did not fit its schema: what it was given, or the answer of a service.'
const MOST_ISSUES = 5

/** Some libraries print their issues as JSON. */
function unfitMessage(thrown: unknown, at: unknown): string {
  const issues = thrown === at && isRecord(at) && Array.isArray(at['issues']) ? at['issues'].filter(isRecord) : []
  const lines = issues.flatMap(({ path, message }) => (typeof message === 'string' ? [placed(path, message)] : []))
  if (lines.length === 0) return messageOf(thrown)
  const more = lines.length > MOST_ISSUES ? `; and ${lines.length - MOST_ISSUES} more` : ''
  return `A value does not fit its schema: ${lines.slice(0, MOST_ISSUES).join('; ')}${more}`
}

function placed(path: unknown, message: string): string {
  const keys = Array.isArray(path) ? path.map((each) => String(isRecord(each) ? each['key'] : each)) : []
  return keys.length === 0 ? message : `'${keys.join('.')}': ${message}`
}

interface Found {
  readonly found: Verdict
  /** The error that says it: the thrown one, or one of its causes. */
  readonly at: unknown
}

/** First what an error says itself, then what its causes say; of the thrown error last its kind. Each error is looked at once. */
function search(thrown: unknown, seen = new Set<unknown>()): Found | undefined {
  const isOuter = seen.size === 0
  if (isOuter && typeof thrown === 'string') return asFound(textVerdict(thrown), thrown)
  if (Array.isArray(thrown)) return asFound(issuesVerdict(thrown), thrown)
  if (!isRecord(thrown) || seen.has(thrown) || seen.size > MOST_ERRORS) return undefined
  seen.add(thrown)
  const own = asFound(ownVerdict(thrown), thrown)
  if (own !== undefined && own.found !== LOST && own.found !== WITHDRAWN) return own
  const behind = gravest(causesOf(thrown).map((each) => search(each, seen)))
  // Work that is ended by a time-out ends like work that is withdrawn: the cause says which of them it was.
  if (own?.found === WITHDRAWN) return behind?.found === LOST ? behind : own
  // A lost connection may be one that never was: its cause knows.
  if (own !== undefined) return behind !== undefined && tellsMore(behind.found) ? behind : own
  return behind ?? asFound(lastVerdict(thrown, isOuter), thrown)
}

/** Than that a connection was lost. */
function tellsMore(found: Verdict): boolean {
  return found.code === LOST.code || found === UNTRUSTED || found === BROKEN
}

function lastVerdict(thrown: Record<string, unknown>, isOuter: boolean): Verdict | undefined {
  const told = issuesVerdict(thrown) ?? nameWordsVerdict(thrown) ?? sentenceVerdict(thrown['message'])
  return told ?? (isOuter ? (defectVerdict(thrown) ?? defectsVerdict(thrown)) : undefined)
}

/** All attempts failed by mistakes of the program. */
function defectsVerdict({ name, errors }: Record<string, unknown>): Verdict | undefined {
  if (name !== 'AggregateError' || !Array.isArray(errors)) return undefined
  const [first, ...more] = errors.slice(0, MOST_ERRORS).map((each) => (isRecord(each) ? defectVerdict(each) : undefined))
  return more.every((each) => each === first) ? first : undefined
}

/** Somebody threw the text of an error. */
function textVerdict(text: string): Verdict | undefined {
  const told = errorInText(text)
  const known = messageVerdict(told.message) ?? systemVerdict(told.message) ?? nameVerdict(told) ?? lastVerdict({ ...told }, true)
  return known === undefined ? undefined : guessOf(known)
}

function ownVerdict(thrown: Record<string, unknown>): Verdict | undefined {
  if (isToolError(thrown)) return verdictIn(thrown)
  if (isExecutionError(thrown)) return verdictIn(thrown.result.error)
  return knownVerdict(thrown) ?? messageVerdict(thrown['message']) ?? systemVerdict(thrown['message'])
}

/** A tool called another one by its `execute`, and that one failed. */
function isExecutionError(thrown: object): thrown is ToolExecutionError<{ readonly error: SaidInside }> {
  return hasBrand(thrown, 'execution')
}

type SaidInside = Pick<ToolError, 'code' | 'outcome' | 'retryable'>

function verdictIn({ code, outcome, retryable }: SaidInside): Verdict | undefined {
  return isFailureCode(code) ? verdict(code, outcome, retryable) : undefined
}

/** Of several errors side by side, such as those of all attempts, one after which the effect may have happened counts. */
function gravest(all: readonly (Found | undefined)[]): Found | undefined {
  const found = all.filter((each) => each !== undefined)
  return found.find((each) => each.found.outcome === 'unknown') ?? found[0]
}

function knownVerdict(thrown: Record<string, unknown>): Verdict | undefined {
  return (
    serviceNameVerdict(thrown) ??
    protocolVerdict(thrown) ??
    serviceVerdict(thrown) ??
    statusVerdict(thrown) ??
    codeOf(thrown) ??
    // A wrapper says less than what it wraps.
    (WRAPPERS.has(thrown['name']) ? undefined : nameVerdict(thrown)) ??
    codeWordsVerdict(thrown)
  )
}

/** Errors that stand for the last of several attempts. */
const WRAPPERS: ReadonlySet<unknown> = new Set(['AI_RetryError', 'AI_ToolCallRepairError', 'AggregateError', 'RetryError'])

function codeOf(thrown: Record<string, unknown>): Verdict | undefined {
  const { code, sqlState, originalCode, errcode, errno, lc_error_code: chainCode } = thrown
  if (code === 'ERR_SQLITE_ERROR') return sqliteVerdict(errcode)
  for (const each of [originalCode, code, errno, chainCode]) {
    const known = typeof each === 'string' ? codeVerdict(each) : undefined
    if (known !== undefined) return (known === LOST || known === ABSENT) && wasConnecting(thrown) ? UNREACHED : known
  }
  return prismaVerdict(thrown) ?? mysqlVerdict(thrown) ?? sqlVerdict(code) ?? sqlVerdict(sqlState)
}

/** Nothing is sent before there is a connection. That clients of mail name the command `CONN` says nothing: they do it whenever one is lost. */
function wasConnecting({ syscall, message }: Record<string, unknown>): boolean {
  return syscall === 'connect' || (typeof message === 'string' && NO_CONNECTION.test(message))
}
const NO_CONNECTION = /^(Client network socket disconnected before secure TLS|Greeting never received$|Connection timeout$)/

/** Where libraries keep the errors behind an error; the last attempt first. */
const KEPT_IN = ['lastError', 'cause', 'originalError', 'original', 'parent', 'driverError', 'inner', 'previous', 'reason', 'error']

function causesOf(thrown: Record<string, unknown>): Record<string, unknown>[] {
  const single = KEPT_IN.map((key) => thrown[key]).filter((each) => each instanceof Error)
  const cause = thrown['cause']
  const several: readonly unknown[] = single.length === 0 && Array.isArray(thrown['errors']) ? thrown['errors'].slice(0, MOST_ERRORS) : []
  return [...single, ...(isRecord(cause) && !(cause instanceof Error) ? [cause] : []), ...several].filter(isRecord)
}

function asFound(found: Verdict | undefined, at: unknown): Found | undefined {
  return found === undefined ? undefined : { found, at }
}
