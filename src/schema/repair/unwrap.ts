import { isRecord } from '../json-schema.ts'
import { isNote } from './droppable-field.ts'
import { textWords } from './field-kind.ts'
import { looseJson } from './loose-json.ts'
import { nameForm, nameWords, singular } from './name-words.ts'
import { after, isReading, type Outcome, type Reading } from './reading.ts'
import { takes } from './schema-node.ts'
import type { Misfit, Walk } from './walk.ts'

const ENVELOPES: ReadonlySet<string> = new Set(
  'input inputs actioninput args arguments params parameters data payload body request toolinput toolargs toolarguments functionargs functionarguments kwargs function functioncall toolcall toolcalls call json value properties object content requestbody'.split(
    ' ',
  ),
)
const METADATA: ReadonlySet<string> = new Set(
  'name tool toolname function functionname type id callid toolcallid method jsonrpc action toolusedid tooluseid'.split(' '),
)
const VALUES: ReadonlySet<string> = new Set('value text content data input result string number id item'.split(' '))
const ITEMS: ReadonlySet<string> = new Set('items item list values value data elements entries array'.split(' '))

const LINKS: ReadonlySet<string> = new Set(['href', 'link', 'url'])

/** Takes an envelope off an object: `{ name: 'search', arguments: { ... } }`. The rest must be data about the call. */
export function openEnvelope(misfit: Misfit): Outcome | undefined {
  const { node, value, place } = misfit
  if (!isRecord(value)) return undefined
  const keys = Object.keys(value)
  if (keys.length === 0 || keys.length > 6) return undefined
  // The items of a list have its name too, and options may have a field of that name.
  const isAlone = keys.length === 1 && node.options === undefined && !place.path.endsWith(']')
  const isTwice = (key: string): boolean => isAlone && key !== '' && nameForm(key) === nameForm(place.key)
  const envelopes = keys.filter((key) => (ENVELOPES.has(nameForm(key)) || isTwice(key)) && isContent(value[key]))
  const [envelope] = envelopes
  if (envelope === undefined || envelopes.length > 1 || namesOtherTool(value, misfit)) return undefined
  const isCall = keys.every((key) => key === envelope || isNote(key) || (METADATA.has(nameForm(key)) && typeof value[key] !== 'object'))
  const known = keys.filter((key) => Object.hasOwn(node.properties, key))
  if (!isCall || (known.length > 0 && !isTold(known, value[envelope], misfit))) return undefined
  return inside(misfit, value[envelope], 'envelope off')
}

/** Whether fields that the schema knows are given once more inside the envelope, so that those outside it are data about the call. */
function isTold(known: readonly string[], content: unknown, { node, place }: Misfit): boolean {
  const fields = typeof content === 'string' ? looseJson(content)?.value : content
  if (place.path !== '' || !isRecord(fields)) return false
  const given = new Set(Object.keys(fields).map(nameForm))
  return [...known, ...node.required].every((name) => given.has(nameForm(name)))
}

const NAMES: ReadonlySet<string> = new Set('name tool toolname function functionname method'.split(' '))

/** A call of another tool has come to this one by mistake. Only names with several words are compared: others may be words of the description. */
function namesOtherTool(value: Readonly<Record<string, unknown>>, { walk, place }: Misfit): boolean {
  const key = Object.keys(value).find((each) => NAMES.has(nameForm(each)))
  const told = key === undefined ? undefined : value[key]
  return typeof told === 'string' && place.path === '' && /^[\w.-]+$/.test(told) && isOtherTool(told, walk)
}

function isOtherTool(told: string, { about }: Walk): boolean {
  const own = /^[a-z][\w.]*[_.]\w+(?=[\s:]|$)/.exec(about.trim())?.[0]
  if (own === undefined) return false
  const [one, other] = [nameForm(own), nameForm(told)]
  return !one.endsWith(other) && !other.endsWith(one)
}

/** How a text names the tool that it calls. */
const CALLS: readonly RegExp[] = [
  /^\s*([a-z][\w.]{0,63})\(/i,
  /^\s*<[a-z][\w-]{0,63}\s+name=["']([\w.-]{1,64})["']>/i,
  /^\s*<([a-z][\w.-]{0,63})>\s*</i,
  /^\s*action:\s*([\w.-]{1,64})\s*\n/i,
]
/** Words of languages and protocols, which are no tools. */
const PROTOCOL: ReadonlySet<string> = new Set(
  'json tool tools call calls function functions input inputs args arguments parameters params'.split(' '),
)

/** `delete_all({ ... })` in a text that has come to another tool. One word alone (`dict(...)`) is part of a language. */
export function callsOtherTool(text: string, { walk, place }: Misfit): boolean {
  const start = text.slice(0, LONGEST_START)
  const name = CALLS.map((call) => call.exec(start)?.[1]).find((each) => each !== undefined) ?? ''
  const words = nameWords(name)
  return place.path === '' && words.length > 1 && !words.some((word) => PROTOCOL.has(word)) && isOtherTool(name, walk)
}

const LONGEST_START = 300

function isContent(value: unknown): boolean {
  return (
    (typeof value === 'object' && value !== null) || (typeof value === 'string' && /^\s*(?:[`{["&]|(?:- )?[\w.-]{1,64}\s?[:=])/.test(value))
  )
}

/** A value with a wrapping around it: an object with one field, or a list with one item. */
export function unwrapped(misfit: Misfit): readonly Reading[] {
  const { node, value, place } = misfit
  const outcomes: Outcome[] = []
  if (Array.isArray(value) && !takes(node, 'array') && value.length === 1) outcomes.push(inside(misfit, value[0], 'list of one'))
  if (isRecord(value)) {
    const keys = Object.keys(value)
    const names = takes(node, 'array') && !takes(node, 'string') ? ITEMS : VALUES
    const [key = ''] = keys.filter((each) => nameForm(each) !== 'type')
    const isWrapping =
      names.has(nameForm(key)) ||
      (key !== '' && (isNamed(key, place) || nameForm(key) === node.format || isToldFirst(key, place))) ||
      (node.format === 'uri' && LINKS.has(nameForm(key))) ||
      (key === 'name' && place.kind === 'plain')
    const isAlone = keys.length === 1 || (keys.length === 2 && keys.includes('type') && typeof value['type'] === 'string')
    if (!takes(node, 'object') && isAlone && isWrapping) outcomes.push(inside(misfit, value[key], 'wrapping off'))
  }
  return outcomes.filter(isReading)
}

/** The name of the field around it, or of its list in the singular, or of what its format is. */
function isNamed(key: string, { key: around, words }: Misfit['place']): boolean {
  const form = nameForm(key)
  return form === nameForm(around) || form === words.map(singular).join('')
}

/** `path` inside a list of files that are `Paths to stage`, and `key` where they are `Issue keys`: a noun with which the description begins. */
function isToldFirst(key: string, { text }: Misfit['place']): boolean {
  const [head = ''] = text.slice(0, LONGEST_START).split(/[(,;:.]|\s(?:of|to|for|in|on|that|which|with)\s/, 1)
  const words = textWords(head).map(singular)
  const form = nameForm(key)
  return words.length <= MOST_TOLD && form.length > 1 && !NO_NOUNS.has(form) && words.includes(singular(form))
}

const MOST_TOLD = 4
const NO_NOUNS: ReadonlySet<string> = new Set(['an', 'the', 'any', 'all', 'one', 'no'])

function inside({ node, value, place, walk }: Misfit, content: unknown, rule: string): Outcome {
  const fixed = walk.fix(node.schema, content, { ...place, depth: place.depth + 1 })
  return isReading(fixed) ? after({ path: place.path, from: value, to: content, rule, cost: 2 }, fixed) : fixed
}
