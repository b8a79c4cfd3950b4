import { quote } from '../quote.ts'
import { mayClamp, nearestBound } from './clamp.ts'
import { bareText, cleanText, latinLetters, plainForm } from './clean-text.ts'
import { decodedTexts } from './decode-text.ts'
import { type FieldKind, isProtected } from './field-kind.ts'
import type { Candidate } from './leaf-rule.ts'
import { LEAF_RULES } from './leaf-rules.ts'
import { unfenced } from './loose-json.ts'
import { isReading, type Outcome, type Reading, reading, settle, unchanged } from './reading.ts'
import { type SchemaNode, takes } from './schema-node.ts'
import type { Misfit } from './walk.ts'

const LONGEST = 1000

/** Repairs a text, a number or a boolean by the rules of the leaves. */
export function fixScalar(misfit: Misfit): Outcome {
  const { value, place } = misfit
  if (place.kind === 'secret') return { because: 'a secret is not changed' }
  if (typeof value === 'number' && takes(misfit.node, 'integer') && misfit.node.listed === undefined)
    return withinBounds(unchanged(value), misfit)
  for (const layer of layersOf(misfit)) {
    const readings = layer.flatMap((text) => readingsOf(text, misfit))
    if (readings.length > 0)
      return withinBounds(
        settle(readings, () => ''),
        misfit,
      )
  }
  return { because: `${quote(value)} does not fit` }
}

/** A text of the value, and the cost of getting it. */
interface Layer {
  readonly text: string
  readonly rule: string
  readonly cost: number
  readonly isGuess?: boolean
}

/** The texts that are tried one after another. The rules for paths never see a decoded text. */
function layersOf({ value, node, place }: Misfit): readonly (readonly Layer[])[] {
  if (typeof value === 'number' && value < 10_000 && place.words.some((word) => POSTAL.has(word))) return []
  if (typeof value !== 'string')
    return textsOf(value, misfitWords(place.words)).filter((layer) => layer.every(({ text }) => isOfPair(text, node)))
  const bare = { text: bareText(value), rule: 'trim', cost: bareText(value) === value ? 0 : 1 }
  if (place.kind === 'path') return [[bare]]
  if (value.length > LONGEST && node.format !== 'uri') return [[bare]]
  const clean = cleanText(value)
  const layers: Layer[][] = [[bare]]
  if (clean !== bare.text) layers.push([{ text: clean, rule: 'invisible characters', cost: 1 }])
  const plain = place.kind === 'recipient' ? narrowForm(clean) : cleanText(plainForm(clean))
  if (plain !== clean) layers.push([{ text: plain, rule: 'unicode', cost: 1 }])
  const latin = latinLetters(plain)
  if (latin !== plain) layers.push([{ text: latin, rule: 'look-alike letters', cost: 1, isGuess: true }])
  const inside = unfenced(value)
  if (inside !== value.trim()) layers.push([{ text: inside, rule: 'fence off', cost: 1 }])
  const ended = isOpen(place.kind) && node.pattern === undefined ? /^(.*[\p{L}\d%])[.,;]$/u.exec(plain)?.[1] : undefined
  if (ended !== undefined) layers.push([{ text: ended, rule: 'sign at the end', cost: 1 }])
  const decoded = decodedTexts(clean)
    .flatMap((each) => [cleanText(each), ...decodedTexts(each).map(cleanText)])
    .filter((each) => !opensPath(each, clean, node))
  if (decoded.length > 0) layers.push(decoded.map((text) => ({ text, rule: 'decoded', cost: 2 })))
  return layers
}

/** A sign behind a recipient, an id or a path may be part of it, and so may one that a pattern judges. */
function isOpen(kind: FieldKind): boolean {
  return kind === 'plain' || kind === 'money' || kind === 'quantity'
}

const PAIRS: Readonly<Record<string, string>> = { yes: 'no', no: 'yes', on: 'off', off: 'on' }

/** Where `off` is listed and `on` is not, false may as well mean another value; where nothing is listed, `no` may be a country. */
function isOfPair(text: string, { listed }: SchemaNode): boolean {
  const other = PAIRS[text]
  if (listed === undefined) return other === undefined
  return other === undefined || listed.some(({ value }) => String(value).toLowerCase() === other)
}

/** Codes that may have lost a zero as numbers. */
const POSTAL: ReadonlySet<string> = new Set(['zip', 'zipcode', 'postal', 'postcode', 'postalcode', 'plz'])

/** A slash that only decoding brings in may lead out of a folder, whatever the field is called. */
function opensPath(decoded: string, given: string, { listed, format }: SchemaNode): boolean {
  return listed === undefined && format === undefined && /[\\/]/.test(decoded) && !/[\\/]/.test(given)
}

/** Full-width letters, digits and signs in their usual width. */
function narrowForm(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (character) => character.normalize('NFKC'))
}

const WRITTEN: ReadonlySet<string> = new Set(['build', 'code', 'release', 'revision', 'semver', 'tag', 'ver', 'version'])

function misfitWords(words: readonly string[]): boolean {
  return words.some((word) => WRITTEN.has(word))
}

/** Numbers and booleans as texts. A fraction may have lost zeros that a version or a code needs. */
function textsOf(value: unknown, isWritten: boolean): readonly (readonly Layer[])[] {
  const rule = 'as text'
  if (typeof value === 'boolean')
    return [
      [{ text: String(value), rule, cost: 1 }],
      [{ text: value ? 'yes' : 'no', rule, cost: 2 }],
      [{ text: value ? 'on' : 'off', rule, cost: 2 }],
    ]
  if (typeof value !== 'number' || !Number.isFinite(value)) return []
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : !isWritten
  const text = String(value)
  return isExact && !text.includes('e') ? [[{ text, rule, cost: 1 }]] : []
}

function readingsOf({ text, rule, cost, isGuess = false }: Layer, misfit: Misfit): readonly Reading[] {
  const { node, value, place, walk } = misfit
  const candidates = LEAF_RULES.filter(({ into }) => takes(node, into === 'number' ? 'integer' : into)).flatMap(({ into, read }) =>
    into === 'boolean' && typeof value === 'number' && value !== 0 && value !== 1 ? [] : read(text, misfit),
  )
  return candidates.flatMap((candidate) => {
    const isNumber = typeof candidate.value === 'number' && node.listed === undefined
    if (!isNumber && !walk.fits(node.schema, candidate.value)) return []
    const change = {
      path: place.path,
      from: value,
      to: candidate.value,
      rule: ruleOf(candidate, cost > 0 ? rule : ''),
      cost: cost + candidate.cost,
    }
    if ((isGuess || candidate.isGuess === true) && isProtected(place.kind)) {
      walk.propose(change)
      return []
    }
    return [reading(change)]
  })
}

function ruleOf({ rule, cost }: Candidate, before: string): string {
  if (before === '') return rule
  return cost === 0 || before === 'as text' ? before : `${before}, ${rule}`
}

/** The bounds of a number do not choose its reading. A number out of them is moved only where it is the size of a page. */
function withinBounds(outcome: Outcome, misfit: Misfit): Outcome {
  const { node, value, place, walk } = misfit
  if (!isReading(outcome) || typeof outcome.value !== 'number' || walk.fits(node.schema, outcome.value)) return outcome
  const bound = nearestBound(node.schema, outcome.value)
  if (bound === undefined || !walk.fits(node.schema, bound)) return { because: `${quote(outcome.value)} does not fit` }
  const change = { path: place.path, from: value, to: bound, rule: 'clamp', cost: 5 }
  if (mayClamp({ place, schema: node.schema, value: outcome.value }, walk))
    return { value: bound, cost: outcome.cost + change.cost, changes: [...outcome.changes, { ...change, from: outcome.value }] }
  walk.propose(change)
  return { because: `${quote(outcome.value)} is out of bounds` }
}
