import { isRecord } from '../../schema/json-schema.ts'
import { codeVerdict } from './code-verdict.ts'
import { httpVerdict } from './http-verdict.ts'
import { ABSENT, FORBIDDEN, guessOf, LOST, NEVER, THROTTLED, UNFIT, UNREACHED, UNTRUSTED, UNUSABLE, type Verdict } from './verdict.ts'

/** What is left of an error that was copied to another thread or process, sent as JSON, or told in the words of another one. */

/** Node's own wording of an error of the system: `connect ECONNREFUSED 127.0.0.1:80`, `ENOENT: no such file or directory, open '/a'`. */
const OF_THE_SYSTEM = /^(?:(connect|read|write|send|listen|bind|getaddrinfo|spawn(?:Sync)? \S+|query[A-Z]\w*) )?(E[A-Z_]{3,})(?=: |$| \S)/

/** A copy has the message and not the code. */
export function systemVerdict(message: unknown): Verdict | undefined {
  const page = typeof message === 'string' ? /\bnet::ERR_([A-Z_]+)/.exec(message.slice(0, LONGEST))?.[1] : undefined
  if (page !== undefined) return BROWSER.find(([, pattern]) => pattern.test(page))?.[0]
  const told = typeof message === 'string' ? OF_THE_SYSTEM.exec(message) : null
  return told === null ? undefined : placed(told[1], told[2])
}

/** What a browser says of a page that it did not get. */
const BROWSER: readonly (readonly [Verdict, RegExp])[] = [
  [UNREACHED, /^(?:CONNECTION_[RTF](?!ESET)|NAME_|ADDRESS_|INTERNET_|PROXY_|TUNNEL_)/],
  [UNTRUSTED, /^(?:CERT|SSL|BAD_SSL)_/],
  [FORBIDDEN, /^BLOCKED_/],
  [NEVER, /^TOO_MANY_RE/],
  [UNUSABLE, /_URL/],
  [LOST, /./],
]

function placed(call: string | undefined, code = ''): Verdict | undefined {
  const known = codeVerdict(code)
  return call === 'connect' && (known === LOST || known === ABSENT) ? UNREACHED : known
}

const LONGEST = 2000

/** Somebody else's sentence about an error: a code of the system in it, or the status of an answer. It is a guess. */
export function sentenceVerdict(message: unknown): Verdict | undefined {
  if (typeof message !== 'string') return undefined
  const text = message.slice(0, LONGEST)
  for (const [, call, code] of text.matchAll(/(?:\b(connect) )?\b(E[A-Z_]{3,})\b/g)) {
    const known = placed(call, code)
    if (known !== undefined) return guessOf(known)
  }
  if (text.startsWith('✖ ')) return UNFIT
  const phrase = PHRASES.find(([, pattern]) => pattern.test(text))
  if (phrase !== undefined) return guessOf(phrase[0])
  const status = STATUS_IN_WORDS.exec(text)
    ?.slice(1)
    .find((each) => each !== undefined)
  return status === undefined ? undefined : guessOf(httpVerdict(Number(status)))
}

/** What is said of services only, in a sentence of any kind. */
const PHRASES: readonly (readonly [Verdict, RegExp])[] = [
  [
    LOST,
    /\b(?:unable to|failed to|could not|cannot|can't) (?:connect(?: to\b|[.:]|$)|reach (?:the )?(?:\w+ )?(?:server|service|host|database|network|endpoint|api)\b)/i,
  ],
  [LOST, /\b(?:timed out|due to (?:a )?timeout|(?:timeout|deadline) exceeded|TimeoutError)\b/i],
  [THROTTLED, /\b(?:too many requests|rate[ -]limit(?:s|ed)?(?: is| was| has been)? (?:exceeded|reached|hit))\b/i],
]

/** Not `500 rows`, which are no status. */
const STATUS = String.raw`([45]\d\d)\b(?! (?!status)\w+s\b)`
const SAID_AS_STATUS =
  String.raw`\b(?:HTTP(?:/[\d.]+)?(?: error)?!?:? (?:status:? )?|status(?: ?code)?(?: of| was| is)?[:=]? ?|error code[:=]? |` +
  String.raw`(?:(?:responded|replied|answered|failed) with|returned)(?: an?)?(?: error)?(?: code)? )\(?${STATUS}`

/** A number before its own phrase. */
const SAID_WITH_PHRASE =
  '(400):? \\(?bad req|(401):? \\(?unauth|(403):? \\(?forbid|(404):? \\(?not found|(409):? \\(?conflict|(422):? \\(?unproc|' +
  '(429):? \\(?too many|(500):? \\(?internal|(502):? \\(?bad gate|(503):? \\(?service|(504):? \\(?gateway'

/** `HTTP 404`, `status code 429`, `responded with 500`, `502 (Bad Gateway)`. */
const STATUS_IN_WORDS = new RegExp(String.raw`${SAID_AS_STATUS}|\b(?:${SAID_WITH_PHRASE})`, 'i')

/** A text that was thrown in place of an error: `Error: TimeoutError: The operation timed out`. */
export function errorInText(text: string): { readonly name: string | undefined; readonly message: string } {
  const told = /^(?:(?:Uncaught )?Error: )*([A-Z]\w*(?:Error|Exception))?(?: \[\w+\])?(?:: )?/.exec(text.slice(0, LONGEST))
  return { name: told?.[1], message: text.slice(told?.[0].length ?? 0) }
}

/** The issues of a schema library, which somebody threw as they were or in an error of their own. */
export function issuesVerdict(thrown: object): Verdict | undefined {
  const { issues, errors } = thrown as { readonly issues?: unknown; readonly errors?: unknown }
  return [thrown, issues, errors].some((each) => Array.isArray(each) && each.length > 0 && each.every(isIssue)) ? UNFIT : undefined
}

/** Of the Standard Schema, of ajv, of ArkType, of class-validator. */
function isIssue(each: unknown): boolean {
  if (!isRecord(each)) return false
  if (typeof each['property'] === 'string' && isRecord(each['constraints'])) return true
  if (typeof each['message'] !== 'string') return false
  return Array.isArray(each['path']) || typeof each['instancePath'] === 'string' || typeof each['schemaPath'] === 'string'
}
