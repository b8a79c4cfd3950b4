import { isRecord } from '../json-schema.ts'
import { textWords } from './field-kind.ts'
import { formsOf } from './field-forms.ts'
import { nameWords } from './name-words.ts'
import type { SchemaNode } from './schema-node.ts'
import type { Walk } from './walk.ts'

/** Words of fields that change the meaning of others: without them the tool would do something else. */
const QUALIFIERS: ReadonlySet<string> = new Set(
  (
    'currency unit units timezone zone tz locale dry dryrun preview simulate simulated test sandbox exclude excluding except ignore not without ' +
    'cc bcc only until since before after from to where filter filters condition if unless force scale multiplier factor negate invert ' +
    'negative scheduled schedule at delay recurrence recurring percent percentage kind operator sign direction draft private readonly ' +
    'input inputs args arguments params parameters payload body'
  ).split(' '),
)

/** Notes of a model about its call. */
const NOTES: ReadonlySet<string> = new Set(
  'thought thoughts thinking reasoning explanation rationale reason comment note notes description summary meta metadata confidence intent'.split(
    ' ',
  ),
)

/** Data about the call, its caller and its time. A version, a source or a plan alone may as well say what the tool is to work on. */
const METADATA: ReadonlySet<string> = new Set(
  (
    'request session trace span correlation conversation turn call tool toolname function timestamp ' +
    'agent assistant caller debug verbose log logging schema context background purpose goal why justification analysis ' +
    'remark remarks memo annotation extra extras misc other additional info information placeholder dummy unused foo bar baz nonce uid stream pretty timeout cache'
  ).split(' '),
)

function isClosed({ schema }: SchemaNode): boolean {
  return schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false
}

interface UnknownField {
  readonly key: string
  readonly value: unknown
  readonly node: SchemaNode
  /** The names of the fields that have a value. */
  readonly given: ReadonlySet<string>
  readonly walk: Walk
}

/** Whether a field is a note of a model about its call. */
export function isNote(key: string): boolean {
  const words = nameWords(key)
  return words.some((word) => NOTES.has(word)) && (!words.some((word) => WRITTEN.has(word)) || words.every(isOfCall) || key.startsWith('_'))
}

/** Words that name a text for somebody, as in `note_for_customer` and `refund_reason`, unless they are about the call. */
const WRITTEN: ReadonlySet<string> = new Set('comment comments note notes description summary reason'.split(' '))

function isOfCall(word: string): boolean {
  return NOTES.has(word) || METADATA.has(word) || OF_CALL.has(word)
}

const OF_CALL: ReadonlySet<string> = new Set(
  'action brief call decision for internal llm model my request search short step task the this tool usage user why'.split(' '),
)

export function isQualifier(words: readonly string[]): boolean {
  return words.some((word) => QUALIFIERS.has(word))
}

/**
 * Whether an unknown field may be dropped. One that qualifies others may be only where it says what the schema says anyway, or says
 * nothing; and a tool that deletes, sends or pays loses only notes. An open schema ignores unknown fields anyway. In a closed one an unknown
 * field may be a filter that the caller believes in, so that only data about the call are dropped.
 */
export function mayDrop({ key, value, node, given, walk }: UnknownField): boolean {
  const words = nameWords(key)
  if (isHeldBack(words, value, walk)) return false
  if (saysNothing(value) && !(value === false && isWish(words, walk))) return true
  if (isOwnName(words, value, walk)) return true
  if (isQualifier(words) || isAboutField(words, node)) return isTold(value, node)
  if (isNote(key)) return key.startsWith('_') || !(isContent(words) && typeof value === 'string' && hasFreeText(node, given))
  if (walk.hasEffect) return false
  const isData =
    words.some((word) => METADATA.has(word) && !wordsOf(node).has(word)) && words.every((word) => isOfCall(word) || OF_DATA.has(word))
  return !isClosed(node) || (isData && !isOther(words, node))
}

/** Notes that may as well be what is to be written down. */
const CONTENTS: ReadonlySet<string> = new Set('comment comments note notes description summary'.split(' '))

function isContent(words: readonly string[]): boolean {
  return words.length === 1 && words.every((word) => CONTENTS.has(word))
}

/** Whether a field for any text has no value, so that a text beside it may be meant for it. */
function hasFreeText({ properties }: SchemaNode, given: ReadonlySet<string>): boolean {
  return Object.entries(properties).some(([name, { type, format, pattern, enum: listed }]) => {
    const isText = type === 'string' || (Array.isArray(type) && type.includes('string'))
    return isText && format === undefined && pattern === undefined && listed === undefined && !given.has(name)
  })
}

/** Words of flags without which, or with which, a tool does nothing yet. */
const HOLDS: ReadonlySet<string> = new Set(
  (
    'confirm confirmed confirmation consent agree agreed accept accepted approve approved approval acknowledge acknowledged authorize authorized execute proceed ' +
    'commit apply run really sure enabled active force forced overwrite recursive cascade permanent permanently hard ' +
    'dry dryrun preview simulate simulated simulation test testing sandbox draft noop plan whatif'
  ).split(' '),
)

/** No: a text of it is a value too. */
const NO = /^(?:false|no|n|off|0|never|not yet|pending)$/i

/** `confirm: false`: the caller does not want what the tool would do without the flag, however it is written. */
function isHeldBack(words: readonly string[], value: unknown, { hasEffect }: Walk): boolean {
  const isNo = value === false || value === 0 || (typeof value === 'string' && NO.test(value.trim()))
  return isNo && (hasEffect || words.some((word) => HOLDS.has(word)))
}

/** `notify: false` and `public: false`: without the word, a tool that changes something may do what the caller does not want. */
function isWish(words: readonly string[], { about, isRead }: Walk): boolean {
  return about !== '' && !isRead && !words.some(isOfCall)
}

/** Words that stand beside those of data about a call, as in `request_id`: with any other one it is something else, such as a `special_request`. */
const OF_DATA: ReadonlySet<string> = new Set(
  'at client count data date enabled flag id ids index is key level mode name number of output response seconds ms source state text time ts uuid value version'.split(
    ' ',
  ),
)

/** `other_user_id` beside `user_id`: another of the same kind, and no data about the call. */
function isOther([first, ...rest]: readonly string[], node: SchemaNode): boolean {
  return first === 'other' && formsOf(node).has(rest.join(''))
}

/** The name of the tool itself, beside its arguments. */
function isOwnName(words: readonly string[], value: unknown, { about }: Walk): boolean {
  if (!TOOL_NAMES.has(words.join(' ')) || typeof value !== 'string' || value.length > 64) return false
  return /\w[_.-]\w|[a-z][A-Z]/.test(value) && about.split(/[\s:]+/).includes(value.toLowerCase())
}

const TOOL_NAMES: ReadonlySet<string> = new Set(['name', 'tool', 'tool name', 'function', 'function name', 'action', 'method'])

/** Words that many names share by chance. */
const COMMON: ReadonlySet<string> = new Set('id name data value list number text key is of the date time user'.split(' '))

/** `discount_type` says how `discount` is meant. */
function isAboutField(words: readonly string[], node: SchemaNode): boolean {
  return words.length > 1 && words.some((word) => !COMMON.has(word) && wordsOf(node).has(word))
}

const wordsByNode = new WeakMap<SchemaNode, ReadonlySet<string>>()

/** The words of the names of all fields. */
function wordsOf(node: SchemaNode): ReadonlySet<string> {
  let words = wordsByNode.get(node)
  if (words === undefined) wordsByNode.set(node, (words = new Set(Object.keys(node.properties).flatMap(nameWords))))
  return words
}

export function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

/** The schema says so itself: `unit: 'celsius'` beside `temperature_celsius`. */
function isTold(value: unknown, { properties, schema }: SchemaNode): boolean {
  if (typeof value !== 'string' || value.length > 40) return false
  const told = new Set([...Object.keys(properties).flatMap(nameWords), ...textWords(String(schema['description'] ?? ''))])
  for (const field of Object.values(properties)) for (const word of textWords(String(field['description'] ?? ''))) told.add(word)
  const words = nameWords(value)
  return words.length > 0 && words.every((word) => told.has(word))
}
