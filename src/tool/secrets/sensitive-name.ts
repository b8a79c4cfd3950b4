/** Words that are secrets wherever they stand, unless the last word says that the field is only about one. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...['password', 'passwords', 'passwd', 'pwd', 'passphrase', 'passphrases', 'passcode', 'passcodes'],
  ...['secret', 'secrets', 'credential', 'credentials', 'cvv', 'cvc', 'otp', 'totp', 'ssn', 'iban'],
])

/** `passwordPolicy`, `secretName`, `credentialCount`: what follows a secret word and is none itself. */
const ABOUT: ReadonlySet<string> = new Set([
  ...['age', 'algorithm', 'arn', 'at', 'attempts', 'changed', 'count', 'enabled', 'expired', 'expires', 'expiry', 'field', 'format'],
  ...['id', 'ids', 'kind', 'label', 'length', 'limit', 'manager', 'max', 'min', 'name', 'names', 'path', 'policy', 'protected', 'ref'],
  ...['required', 'rotation', 'rules', 'score', 'selector', 'set', 'status', 'store', 'strength', 'ttl', 'type', 'updated', 'url', 'uri'],
  ...['valid', 'vault', 'version'],
])

/** Secrets when they are the thing itself, the last word: a `tokenBudget` is a budget, a `cookieBanner` a banner. */
const SECRET_THINGS: ReadonlySet<string> = new Set([
  ...['token', 'jwt', 'bearer', 'auth', 'authorization', 'authorisation', 'cookie', 'cookies'],
])

/** The same where a name is written without a seam: `dbpassword`, `clientsecret`, `apikey`. */
const SEAMLESS_SECRET = /(?:password|passwd|passphrase|passcode|secret|credential)s?$/
const SEAMLESS_THING =
  /(?:(?:access|refresh|auth|session|id|bearer|api|csrf)token|(?:api|private|secret|access)key|cardnumber|setcookie)s?$/

/** Tokens that are no secrets: of pages, and of the texts that models read. */
const PLAIN_TOKENS: ReadonlySet<string> = new Set([
  ...['page', 'next', 'previous', 'prev', 'continuation', 'cursor', 'sync', 'stop', 'start', 'end', 'eos', 'bos', 'pad', 'unk', 'mask'],
  ...['first', 'last', 'design'],
])

const KEYS_OF = [
  'api',
  'private',
  'access',
  'secret',
  'signing',
  'encryption',
  'decryption',
  'master',
  'ssh',
  'auth',
  'session',
  'account',
  'shared',
  'service',
  'license',
]
const TOKENS_OF = ['access', 'refresh', 'auth', 'api', 'session', 'bearer', 'id', 'security', 'csrf', 'xsrf', 'device']
const CODES_OF = ['auth', 'authorization', 'otp', 'pin', 'security', 'verification', 'card', 'recovery', 'backup']
const PINS_OF = [
  'account',
  'access',
  'atm',
  'card',
  'confirm',
  'current',
  'debit',
  'device',
  'login',
  'new',
  'old',
  'security',
  'sim',
  'user',
]
const PASSES_OF = ['admin', 'database', 'db', 'email', 'ftp', 'http', 'imap', 'login', 'mail', 'my', 'proxy', 'root', 'smtp', 'ssh', 'user']

/** Secrets by their last two words. */
const SECRET_PAIRS: ReadonlySet<string> = new Set([
  ...pairs(KEYS_OF, ['key', 'keys']),
  ...pairs(TOKENS_OF, ['tokens']),
  ...pairs(CODES_OF, ['code', 'codes']),
  ...pairs(PINS_OF, ['pin']),
  ...pairs(PASSES_OF, ['pass']),
  ...pairs(['card', 'pin'], ['number', 'numbers', 'no']),
  ...pairs(['credit', 'debit'], ['card', 'cards']),
  ...pairs(['security'], ['number']),
])

const ALONE: ReadonlySet<string> = new Set(['pin', 'pass'])

/** Words that may follow a secret without changing what it is. */
const TRAILING: ReadonlySet<string> = new Set(['header', 'headers', 'value', 'values', 'string', 'text', 'raw', 'plain', 'plaintext'])

/** Names without any of these are looked at no further. */
const HINTS = /pass|pwd|secret|credential|token|jwt|bearer|auth|cookie|key|code|card|cvv|cvc|pin|otp|ssn|iban|security/i

const LONGEST = 128

/**
 * Whether the name of a field says that its value is a secret. It goes by words (`apiKey`, `api_key` and `x-api-key` have the same two), and
 * mostly by the last, since that is what the thing is.
 */
export function isSensitiveName(name: string): boolean {
  let answer = judged.get(name)
  if (answer === undefined) {
    answer = judge(name)
    if (judged.size === MOST_JUDGED) judged.clear()
    if (name.length <= LONGEST) judged.set(name, answer)
  }
  return answer
}

/** Names of a person, an account or a card: private in a log, and the first thing that a person must see who approves a payment. */
const PARTY = /(?:^| )(?:iban|ssn|(?:credit|debit) cards?|card ?(?:number|no)s?|security number)(?: |$)/

/** The same for a secret that proves who somebody is, and not for one that only names a person, an account or a card. */
export function isCredentialName(name: string): boolean {
  return isSensitiveName(name) && !PARTY.test(wordsOf(name.slice(-LONGEST)).join(' '))
}

/** The same names come again and again. */
const judged = new Map<string, boolean>()
const MOST_JUDGED = 2000

function judge(name: string): boolean {
  if (!HINTS.test(name)) return false
  const words = wordsOf(name.slice(-LONGEST))
  while (words.length > 1 && TRAILING.has(words.at(-1) ?? '')) words.pop()
  const last = words.at(-1) ?? ''
  if (words.some(isSecretWord)) return !ABOUT.has(last)
  const before = words.at(-2) ?? ''
  if (last === 'token') return !PLAIN_TOKENS.has(before)
  return (
    SECRET_THINGS.has(last) || SEAMLESS_THING.test(last) || SECRET_PAIRS.has(`${before} ${last}`) || (words.length === 1 && ALONE.has(last))
  )
}

function isSecretWord(word: string): boolean {
  return SECRET_WORDS.has(word) || SEAMLESS_SECRET.test(word)
}

/** `OAuth2Token-v1` has the words o, auth, token, v. Numbers only count things up. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

function pairs(firsts: readonly string[], lasts: readonly string[]): string[] {
  return firsts.flatMap((first) => lasts.map((last) => `${first} ${last}`))
}
