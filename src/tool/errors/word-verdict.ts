import { isRecord } from '../../schema/json-schema.ts'
import { ABSENT, BROKEN, BUSY, FORBIDDEN, guessOf, LOST, MALFORMED, TAKEN, THROTTLED, type Verdict } from './verdict.ts'

type Thrown = Readonly<Record<string, unknown>>

/** What the words of a code say, whoever has coined it: `channel_not_found`, `TOPIC_AUTHORIZATION_FAILED`, `rateLimitExceeded`. */
const WORDS: readonly (readonly [Verdict, RegExp])[] = [
  [
    THROTTLED,
    /\b(?:rate ?limit(?:ed)?|throttl(?:ed|ing)|too many (?:requests|calls)|(?:quota|request limit|call limit) exceeded|resource exhausted)\b/,
  ],
  [
    FORBIDDEN,
    /\b(?:un(?:authori[sz]ed|authenticated)|not authed|forbidden|restricted|(?:permission|access) denied|(?:login|auth) required|not authori[sz]ed)\b/,
  ],
  [FORBIDDEN, /\bauth(?:entication|ori[sz]ation)? (?:failed|failure|error|required|invalid|expired)\b/],
  [
    FORBIDDEN,
    /\b(?:invalid|expired|revoked|missing|wrong|bad) (?:api |access |auth )?(?:auth|credentials?|token|key|grant|scopes?|permissions?)\b/,
  ],
  [FORBIDDEN, /\b(?:token|credentials?|account|user) (?:revoked|expired|inactive|suspended|disabled|locked)\b/],
  [FORBIDDEN, /\b(?:insufficient|no) (?:scope|permission|privilege)s?\b/],
  [
    ABSENT,
    /\b(?:not found|no such|does not exist|resource missing|unknown (?:topic|user|channel|resource|id|entity|database|table|group))\b/,
  ],
  [TAKEN, /\b(?:conflict|already|duplicate|precondition failed|version mismatch)\b/],
  [LOST, /\b(?:time ?out|timed out|deadline exceeded|connection (?:closed|lost|reset|error)|network (?:error|exception)|disconnected)\b/],
  [BUSY, /\b(?:unavailable|not available|overload(?:ed)?|(?:server|service|system) busy|try again|not leader|under maintenance)\b/],
  [
    MALFORMED,
    /\b(?:invalid|malformed|unsupported|unprocessable|bad request|validation|too (?:long|large|big|short)|out of range|missing (?:parameter|argument|field))\b/,
  ],
  [BROKEN, /\b(?:internal|server error|fatal error)\b/],
]

const LONGEST = 80

function wordsOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > LONGEST || !/^[A-Za-z][\w.:/-]*$/.test(text)) return undefined
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[\W_]+/g, ' ')
    .toLowerCase()
}

/** What the words of a code or of a name say. */
export function meaningOf(text: unknown): Verdict | undefined {
  const words = wordsOf(text)
  return words === undefined ? undefined : WORDS.find(([, pattern]) => pattern.test(words))?.[0]
}

/** Node's own codes name mistakes in the tool's code. */
const OF_NODE = /^ERR_/

/** By the words of the code that a service or a library gave: in the error itself, or in the answer that it keeps. */
export function codeWordsVerdict(thrown: Thrown): Verdict | undefined {
  // Its type says what was wrong with the answer, in words that others use for requests.
  if (thrown['name'] === 'FetchError') return undefined
  const { data, body, error } = thrown
  for (const place of [data, body, error, thrown]) {
    if (!isRecord(place)) continue
    for (const key of ['error', 'code', 'type', 'codeName', 'errorCode', 'error_code', 'reason']) {
      const said = place[key]
      const known = typeof said === 'string' && OF_NODE.test(said) ? undefined : meaningOf(said)
      if (known !== undefined) return known
    }
  }
  return undefined
}

/** Words of names that say no more than that something went wrong. */
const OWN_KIND: ReadonlySet<unknown> = new Set([
  'Error',
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'EvalError',
  'InternalError',
])

/**
 * The last resort before the kinds of the language: the words of the error's name, such as `OrderNotFoundError`, or its own word that another
 * attempt may help. A name does not say whether the effect came before, so that the verdict is a guess.
 */
export function nameWordsVerdict({ name, constructor, retriable, retryable, isRetryable, transient }: Thrown): Verdict | undefined {
  for (const each of [name, typeof constructor === 'function' ? constructor.name : undefined]) {
    const known = OWN_KIND.has(each) ? undefined : meaningOf(each)
    if (known !== undefined) return guessOf(known)
  }
  return [retriable, retryable, isRetryable, transient].includes(true) ? guessOf(LOST) : undefined
}
