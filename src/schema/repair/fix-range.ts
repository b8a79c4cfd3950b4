import { isRecord, type JsonSchema } from '../json-schema.ts'
import { nameForm } from './name-words.ts'
import { endsOf } from './range-ends.ts'
import { after, isReading, type Outcome, reading } from './reading.ts'
import { sidesIn } from './sides.ts'
import { type SchemaNode, takes } from './schema-node.ts'
import type { Misfit } from './walk.ts'

/**
 * A range in another notation: `1-5`, `2024-03-01 to 2024-03-05` or `[1, 5]` where the two ends have fields, and a text or fields where the two ends
 * are items. Undefined where no range is taken.
 */
export function fixRange(misfit: Misfit): Outcome | undefined {
  const { node, value } = misfit
  const sides = typeof value === 'string' && takes(node, 'object') ? sidesOf(Object.keys(node.properties), value) : undefined
  if (sides !== undefined) return inParts(sides, 'sides', misfit)
  const ends = takes(node, 'object') ? endsOf(Object.keys(node.properties)) : undefined
  const parts = Array.isArray(value) ? (value as readonly unknown[]) : typeof value === 'string' ? apart(value) : undefined
  if (ends !== undefined && parts?.length === 2 && !isRecord(parts[0])) return ranged({ [ends[0]]: parts[0], [ends[1]]: parts[1] }, misfit)
  const named = isRecord(value) ? endsOf(Object.keys(value)) : undefined
  if (isRecord(value) && named !== undefined && node.pattern !== undefined) return rangeText([value[named[0]], value[named[1]]], misfit)
  if (!isPair(node)) return undefined
  if (isRecord(value) && named !== undefined) return ranged([value[named[0]], value[named[1]]], misfit)
  return typeof value === 'string' && parts !== undefined ? ranged(parts, misfit) : undefined
}

const JOINTS = ['-', '/', ' - ', '–', '..', ' to ']

/** The two ends as the pattern writes them, which it must do in one way only. */
function rangeText(ends: readonly unknown[], { node, value, place, walk }: Misfit): Outcome | undefined {
  // Two words make a range of nothing.
  if (!ends.every((each) => typeof each === 'number' || (typeof each === 'string' && /\d/.test(each)))) return undefined
  const [text, ...more] = JOINTS.map((joint) => ends.join(joint)).filter((each) => walk.fits(node.schema, each))
  return text === undefined || more.length > 0 ? undefined : reading({ path: place.path, from: value, to: text, rule: 'range', cost: 3 })
}

/** Whether exactly two numbers or days are taken, of which the description or a limit of two items says that they are the ends. */
function isPair({ schema }: SchemaNode): boolean {
  const { items, prefixItems, minItems, maxItems } = schema
  const places: readonly unknown[] = Array.isArray(prefixItems)
    ? prefixItems
    : isRecord(items) && minItems === 2 && maxItems === 2
      ? [items, items]
      : []
  return places.length === 2 && places.every(isMeasured)
}

function isMeasured(item: unknown): boolean {
  const { type, format } = isRecord(item) ? item : ({} as JsonSchema)
  return type === 'integer' || type === 'number' || format === 'date' || format === 'date-time'
}

/** The two sides of `to`, of a dash between blanks, of dots or of a slash; a dash alone between two plain numbers. */
function apart(text: string): readonly string[] | undefined {
  if (text.length > LONGEST) return undefined
  const bare = text.trim().replace(/^(?:from|between)\s+/i, '')
  const joint = /^between\s/i.test(text.trim()) ? /\s+and\s+/i : /\s+(?:to|until|through)\s+|\s+[-–—]\s+|\s*\.\.\.?\s*|(?<=\d)\/(?=\d{4}-)/i
  const parts = bare.split(joint)
  if (parts.length === 2) return parts
  const numbers = /^(\d+(?:\.\d+)?)\s*[-–]\s*(\d+(?:\.\d+)?)$/.exec(bare)
  const clocks = CLOCKS.exec(bare)
  return (numbers ?? clocks)?.slice(1)
}

/** Two times of day, each with its minutes or its half of the day. */
const CLOCKS = /^(\d{1,2}(?::\d\d(?:\s?[ap]m)?|\s?[ap]m))\s*[-–]\s*(\d{1,2}(?::\d\d(?:\s?[ap]m)?|\s?[ap]m))$/i

const LONGEST = 100

function ranged(range: unknown, misfit: Misfit): Outcome | undefined {
  const outcome = inParts(range, 'range', misfit)
  return outcome !== undefined && isReading(outcome) && isAscending(outcome.value) ? outcome : undefined
}

function inParts(to: unknown, rule: string, { node, value, place, walk }: Misfit): Outcome | undefined {
  const fixed = walk.fix(node.schema, to, { ...place, depth: place.depth + 1 })
  return isReading(fixed) ? after({ path: place.path, from: value, to, rule, cost: 3 }, fixed) : undefined
}

/** The `800x600` of a width and a height, which people write in this order. */
function sidesOf(names: readonly string[], text: string): Readonly<Record<string, string>> | undefined {
  const [width, height] = ['width', 'height'].map((side) => names.find((name) => nameForm(name) === side))
  const [first, second, ...more] = sidesIn(text)
  if (names.length !== 2 || width === undefined || height === undefined || more.length > 0) return undefined
  return first === undefined || second === undefined ? undefined : { [width]: first, [height]: second }
}

/** A range that falls has its ends the other way round, or is none. */
function isAscending(range: unknown): boolean {
  const [first, second] = Array.isArray(range) ? (range as readonly unknown[]) : Object.values(isRecord(range) ? range : {})
  if (typeof first === 'number' && typeof second === 'number') return first <= second
  return typeof first === 'string' && typeof second === 'string' && first <= second
}
