import { nameWords, someWord } from './name-words.ts'

/**
 * The meaning of a field that restricts its repairs. The notation of a protected field may change (`$5` to 5); a guess about it is a
 * proposal for a person.
 */
export type FieldKind = 'consent' | 'id' | 'money' | 'path' | 'plain' | 'quantity' | 'recipient' | 'secret'

const KINDS: ReadonlySet<string> = new Set<FieldKind>(['consent', 'id', 'money', 'path', 'plain', 'quantity', 'recipient', 'secret'])

function isKind(value: unknown): value is FieldKind {
  return typeof value === 'string' && KINDS.has(value)
}

/** Words of names, in the singular. The first kind with a matching word counts. */
const NAMES: readonly (readonly [FieldKind, ReadonlySet<string>])[] = [
  ['secret', wordSet('password passwd passphrase secret pin otp credential pwd')],
  ['consent', wordSet('confirm confirmed confirmation consent agree agreed accept accepted approve approved acknowledge force terms')],
  ['path', wordSet('path file filename filepath directory folder dir cwd glob pathname')],
  [
    'money',
    wordSet(
      'amount price cost fee balance salary budget payment refund tip wage rent invoice usd eur gbp jpy chf cent cents subtotal revenue',
    ),
  ],
  [
    'recipient',
    wordSet(
      'to cc bcc recipient channel email mail phone mobile payee beneficiary receiver sender attendee invitee iban bic assignee customer',
    ),
  ],
  ['quantity', wordSet('quantity qty dose dosage copies copy pieces share shares stock')],
  [
    'id',
    wordSet(
      'id ids uuid guid sku isbn ean ssn card account hash sha commit username handle vin imei iccid imsi isin barcode serial slug ref reference token',
    ),
  ],
]

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/** An amount in grams is no money. */
const MEASURES = wordSet('mg g kg ml l oz lb lbs grams litres liters units')

/** Words of a description that protect a field whose name says nothing. */
const DESCRIBED: readonly (readonly [FieldKind, RegExp])[] = [
  ['secret', /\b(?:password|passphrase|secret key|api key|access token)\b/],
  [
    'money',
    /\b(?:amount of money|in (?:us )?dollars|in euros|in cents|in pounds sterling|in (?:usd|eur|gbp|jpy|chf|cad|aud|nzd|sek|nok|dkk|pln|inr|cny)|price|to (?:pay|charge|transfer|refund))\b/,
  ],
  ['recipient', /\b(?:recipients?|e-?mail address|phone number|payee|beneficiary)\b/],
  ['path', /\b(?:file ?path|path (?:to|of)|directory|file ?name)\b/],
  ['id', /\b(?:unique identifier|identifier|account number|id of)\b/],
  ['quantity', /\b(?:dose|dosage|how many (?:items|units|pieces) to)\b/],
]

/** The kind that the schema declares (`x-kind`), else the kind that the words suggest. */
export function fieldKind(declared: unknown, words: readonly string[], text: string): FieldKind {
  if (isKind(declared)) return declared
  if (isSecretName(words)) return 'secret'
  const meant = isInForce(words) ? words.filter((word) => word !== 'force') : words
  for (const [kind, names] of NAMES)
    if (someWord(meant, names)) return kind === 'money' && MEASURES.has(words.at(-1) ?? '') ? 'quantity' : kind
  for (const [kind, described] of DESCRIBED) if (described.test(text)) return kind
  return 'plain'
}

/** How long something is in force is no consent to force it. */
function isInForce(words: readonly string[]): boolean {
  return words[words.indexOf('force') - 1] === 'in'
}

/** `api_key` and `access_token` are secrets; a page token is not. */
function isSecretName(words: readonly string[]): boolean {
  const last = words.at(-1)
  if (last === 'key') return words.some((word) => SECRET_KEYS.has(word))
  return last === 'token' && !words.some((word) => PAGING.has(word))
}

const SECRET_KEYS = wordSet('api secret private access encryption signing')
const PAGING = wordSet('page next previous continuation cursor sync')

/** Things that exist under one name. A slug is made from other words, so that its case says nothing. */
const THINGS = wordSet(
  'bucket table column database schema branch repository repo package host hostname server queue topic cluster namespace user',
)

/** Whether a field names one of several things that exist, which may differ by the case of a letter only. */
export function namesThing({ kind, words }: { readonly kind: FieldKind; readonly words: readonly string[] }): boolean {
  return (kind === 'id' && !words.includes('slug')) || someWord(words, THINGS)
}

/** Guesses about these fields are proposals. */
export function isProtected(kind: FieldKind): boolean {
  return kind !== 'plain'
}

/** The words of a text that a person wrote, without a limit of length of a name. */
export function textWords(text: string): readonly string[] {
  return text.split(/\s+/).flatMap(nameWords)
}
