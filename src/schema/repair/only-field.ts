import { fieldPlace } from './place.ts'
import { after, isReading, type Outcome } from './reading.ts'
import { type SchemaNode, takes } from './schema-node.ts'
import type { Misfit, Walk } from './walk.ts'

/**
 * `S001` in a list of stops of which only the site is needed, `weekly` for a recurrence that needs its frequency: the only field that must be there, if it takes
 * such values and not any text, or is the only one that takes a text at all.
 */
export function onlyField({ node, value, place, walk }: Misfit): Outcome | undefined {
  const name = neededField(node)
  const schema = name === undefined ? undefined : node.properties[name]
  if (name === undefined || schema === undefined || takes(node, 'string')) return undefined
  const isTaken =
    place.path === ''
      ? isQuestion(name, value, walk) || (typeof value === 'string' && isJudged(walk.read(schema)))
      : isTyped(walk.read(schema)) || isOnlyText(name, value, { node, walk, isItem: place.path.endsWith(']') })
  if (!isTaken) return undefined
  const at = (each: string): Outcome => {
    const own = node.properties[each] ?? {}
    return walk.fix(own, value, fieldPlace(place, each, { schema: walk.read(own).schema, descriptions: walk.descriptions }))
  }
  const others = Object.keys(node.properties).filter((each) => each !== name)
  // The whole input may be one value too, but the id of one thing is not all that was meant.
  const fixed = place.path === '' && !walk.fits(schema, value) ? undefined : at(name)
  if (fixed === undefined || !isReading(fixed) || fixed.cost > MOST_COST) return undefined
  if (others.some((each) => isTyped(walk.read(node.properties[each] ?? {})) && isReading(at(each)))) return undefined
  const whole = { [name]: fixed.value }
  const named = after({ path: place.path, from: value, to: whole, rule: 'field named', cost: 3 }, { ...fixed, value: whole })
  return walk.fits(node.schema, whole) ? named : undefined
}

const MOST_COST = 2

/** The only field that must be there, or that there is. */
function neededField({ required, properties }: SchemaNode): string | undefined {
  const names = required.size === 0 ? Object.keys(properties) : [...required]
  return names.length === 1 ? names[0] : undefined
}

/** Names of the one text that a tool which only reads is asked with. */
const QUESTIONS: ReadonlySet<string> = new Set(['q', 'query', 'question', 'search', 'search_query', 'keywords'])

const NOTHING = /^(?:no|not|none|nothing|null|nil|undefined|unknown|empty|true|false|yes|ok|error)\b/i

function isQuestion(name: string, value: unknown, { hasEffect }: Walk): boolean {
  return !hasEffect && typeof value === 'string' && isPhrase(value) && QUESTIONS.has(name)
}

/** One or two words that name something. More of them may be a sentence to the caller. */
function isPhrase(text: string): boolean {
  return text.length <= 60 && /^\p{L}[\p{L}\p{N}'-]*(?: [\p{L}\p{N}'-]+)?$/u.test(text) && !NOTHING.test(text)
}

function isJudged({ listed, format, pattern }: SchemaNode): boolean {
  return listed !== undefined || format !== undefined || pattern !== undefined
}

/** Whether a field takes few values of all texts, so that a wrong one would not fit. */
function isTyped(node: SchemaNode): boolean {
  const isScalar = node.types !== undefined && !node.types.has('object') && !node.types.has('array')
  return isJudged(node) || (isScalar && node.types?.has('string') === false && node.options === undefined)
}

/** Names of the text by which people call a thing. */
const CALLED: ReadonlySet<string> = new Set(['name', 'label', 'title', 'text'])

/** A text in a list of things of which only one field takes texts. */
function isOnlyText(
  name: string,
  value: unknown,
  { node, walk, isItem }: { readonly node: SchemaNode; readonly walk: Walk; readonly isItem: boolean },
): boolean {
  if (
    typeof value !== 'string' ||
    !isItem ||
    !CALLED.has(name) ||
    NOTHING.test(value) ||
    !/^[\p{L}\p{N}][^,;:=|{}[\]\n]{0,60}$/u.test(value)
  )
    return false
  return Object.keys(node.properties).every((each) => each === name || !takes(walk.read(node.properties[each] ?? {}), 'string'))
}
