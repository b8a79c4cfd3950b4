import { quote } from '../quote.ts'
import { mayClamp, nearestBound } from './clamp.ts'
import { cleanText } from './clean-text.ts'
import { isProtected } from './field-kind.ts'
import type { Candidate } from './leaf-rule.ts'
import { LEAF_RULES } from './leaf-rules.ts'
import { after, isReading, type Outcome, type Reading, reading, settle, unchanged } from './reading.ts'
import { takes } from './schema-node.ts'
import { type TextLayer, textLayers } from './text-layers.ts'
import type { Misfit } from './walk.ts'

/** Repairs a text, a number or a boolean by the rules of the leaves. */
export function fixScalar(misfit: Misfit): Outcome {
  const { value, place } = misfit
  if (place.kind === 'secret') return { because: 'a secret is not changed' }
  if (typeof value === 'number' && takes(misfit.node, 'integer') && misfit.node.listed === undefined)
    return withinBounds(unchanged(value), misfit)
  if (typeof value === 'string' && CUT_OFF.test(cleanText(value))) return { because: `${quote(value)} is cut off` }
  if (typeof value === 'string' && isNothing(value, misfit)) return { because: `${quote(value)} stands for nothing` }
  const layers = textLayers(misfit)
  for (const layer of layers) {
    const readings = layer.flatMap((text) => readingsOf(text, misfit))
    if (readings.length > 0)
      return withinBounds(
        settle(readings, () => ''),
        misfit,
      )
  }
  return peeled(layers.flat(), misfit) ?? { because: `${quote(value)} does not fit` }
}

/** A word for a missing value is no value in other letters, such as a code in capitals. */
function isNothing(text: string, { node, place }: Misfit): boolean {
  const { pattern, format } = node
  return (
    node.listed === undefined &&
    takes(node, 'string') &&
    !takes(node, 'null') &&
    (/^(?:null|nil|none|undefined|nan|n\/?a)$/i.test(text.trim()) ||
      ((pattern ?? format) !== undefined && !place.words.includes('slug') && isPlaceholder(text)))
  )
}

/** Words that hold the place of a value which is not known yet, or that exclude one: in other letters they would be a value. */
function isPlaceholder(text: string): boolean {
  const bare = text.trim().replace(/^(?:<|\[|\{\{?|\$\{|%)\s*|\s*(?:>|\]|\}?\}|%)$/g, '')
  return /^(?:tb[acd]|x{3,}|unknown|example|sample|placeholder|redacted|missing|pending|todo|(?:your|insert|enter)[-_ ].*|(?:not|except|other than|anything but) .*|same as .*|see (?:above|below)|as (?:before|above)|the (?:usual|same)(?: one)?)$/i.test(
    bare,
  )
}

/** Layers that take something off from around a text, below which there may be others: `<b>due: 2024-03-05.</b>`. */
const PEELS: ReadonlySet<string> = new Set(['invisible characters', 'markup off', 'own name off', 'sign at the end', 'unquoted'])

/** The first layer below which there is a reading. Each layer is shorter than the one around it. */
function peeled(layers: readonly TextLayer[], misfit: Misfit): Outcome | undefined {
  const { value, place } = misfit
  if (typeof value !== 'string' || value.length > LONGEST_PEELED) return undefined
  for (const { text, rule, cost } of layers) {
    const inside = PEELS.has(rule) && text.length < value.length && text !== '' ? fixScalar({ ...misfit, value: text }) : undefined
    if (inside !== undefined && isReading(inside)) return after({ path: place.path, from: value, to: text, rule, cost }, inside)
  }
  return undefined
}

const LONGEST_PEELED = 200

/** Dots at the end stand for something that is not there. */
const CUT_OFF = /(?:\.\.|…)["'”)\]]?\s*$/

/** A dash before a text excludes it or turns it round: without the dash it would be the opposite. */
function losesDash(text: string, value: unknown): boolean {
  return /^[-−–]\S/.test(text) && typeof value === 'string' && !/^[-−–]/.test(value)
}

function readingsOf({ text, rule, cost, isGuess = false }: TextLayer, misfit: Misfit): readonly Reading[] {
  const { node, value, place, walk } = misfit
  const candidates = LEAF_RULES.filter(({ into }) => takes(node, into === 'number' ? 'integer' : into)).flatMap(({ into, read }) =>
    into === 'boolean' && typeof value === 'number' && value !== 0 && value !== 1 ? [] : read(text, misfit),
  )
  return candidates.flatMap((candidate) => {
    const isNumber = typeof candidate.value === 'number' && node.listed === undefined
    if ((!isNumber && !walk.fits(node.schema, candidate.value)) || (candidate.rule !== 'base64' && losesDash(text, candidate.value)))
      return []
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
