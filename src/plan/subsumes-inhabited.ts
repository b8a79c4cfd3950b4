import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { Apartness } from './subsumes-apart.ts'
import { type Atom, atomsOf } from './subsumes-atom.ts'
import type { Case } from './subsumes-case.ts'
import type { Fields } from './subsumes-fields.ts'
import { type Answer, every, isScalar, some } from './subsumes-judge.ts'
import { isAnything } from './subsumes-keywords.ts'
import { integersIn, numberRange, tellingNumbers } from './subsumes-numbers.ts'
import type { SchemaReader } from './subsumes-reader.ts'
import { givenTextRange, textRange } from './subsumes-texts.ts'
import { ARRAY, NUMBER, STRING } from './subsumes-types.ts'

/** Whether a schema has a value at all. What refers to itself is not known to have one until another way is found. */
export function isInhabited(schema: JsonSchema, reader: SchemaReader): Answer {
  let answer = reader.inhabited.get(schema)
  if (answer === undefined) {
    reader.inhabited.set(schema, 'unknown')
    answer = some(atomsOf(schema, reader), (atom) => hasValue(atom, reader))
    reader.inhabited.set(schema, answer)
  }
  return answer
}

/** Whether there is such a value, to which every optional field may be added. Patterns and formats are taken to have one. */
export function hasValue(atom: Atom, reader: SchemaReader): Answer {
  const { of, type, scalar } = atom
  if (scalar !== undefined) return reader.judgeCase(scalar.value, of)
  if (type === NUMBER) return hasNumber(of, reader)
  const ranged = type === STRING ? hasText(of) : type === ARRAY ? hasArray(of, reader) : hasObject(of, reader)
  return ranged === 'yes' && !isFree(atom, reader) ? 'unknown' : ranged
}

/** Nothing but the rules for its type can refuse a value of the atom. */
function isFree(atom: Atom, reader: SchemaReader): boolean {
  const { of } = atom
  if (of.unread !== undefined || of.parts.some((part) => CONDITIONS.some((keyword) => keyword in part))) return false
  if (of.excluded.length === 0) return true
  const apartness = new Apartness(reader, reader)
  return of.excluded.every((each) => apartness.isAtomApart(atom, each))
}

const CONDITIONS = [
  ...['not', 'if', 'contains', 'unevaluatedItems'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'unevaluatedProperties'],
]

function hasNumber(of: Case, reader: SchemaReader): Answer {
  const range = numberRange(of.parts)
  const { min, max, isAboveMin, isBelowMax } = range
  if (min > max || (min === max && (isAboveMin || isBelowMax))) return 'no'
  const few = integersIn(range)
  const found = some(few ?? tellingNumbers([range]), (number) => reader.judgeCase(number, of))
  return found === 'no' && few === undefined ? 'unknown' : found
}

function hasText({ parts }: Case): Answer {
  const { least, most } = givenTextRange(parts)
  return least > most ? 'no' : 'yes'
}

function hasArray(of: Case, reader: SchemaReader): Answer {
  const items = reader.items(of)
  if (items.least > items.most) return 'no'
  const needed = Math.min(items.least, items.prefixLength + 1)
  const found = every(Array.from({ length: needed }), (_, index) => isInhabited(items.item(index), reader))
  return found === 'yes' && items.isUnique && items.least > 1 && !hasMany(items.item(items.prefixLength), reader) ? 'unknown' : found
}

/** It has more values than anyone would ask for. */
export function hasMany(schema: JsonSchema, reader: SchemaReader): boolean {
  return atomsOf(schema, reader).some((atom) => {
    if (atom.type !== STRING && atom.type !== NUMBER) return false
    if (atom.scalar !== undefined || hasValue(atom, reader) !== 'yes') return false
    if (atom.type === NUMBER) return numberRange(atom.of.parts).max === Infinity || numberRange(atom.of.parts).min === -Infinity
    const { most, patterns } = textRange(atom.of.parts)
    return most === Infinity && patterns.length === 0
  })
}

function hasObject(of: Case, reader: SchemaReader): Answer {
  const fields = reader.fields(of)
  const { required, keys, least, most } = fields
  if (required.size > most || least > most) return 'no'
  const found = every([...required], (key) => every([fields.takesName(key), isInhabited(fields.field(key), reader)], (each) => each))
  if (found !== 'yes') return found
  if (Array.from(keys).some((key) => !takesDefault(fields, key, reader))) return 'unknown'
  const declared = new Set([...keys, ...required])
  if (most < declared.size) return 'unknown'
  if (least <= required.size || (isAnything(fields.rest) && isAnything(fields.names))) return 'yes'
  const possible = Array.from(keys).filter((key) => required.has(key) || isInhabited(fields.field(key), reader) === 'yes')
  return possible.length >= least ? 'yes' : 'unknown'
}

/** What is filled in and does not fit would refuse every object that lacks the field. */
function takesDefault(fields: Fields, key: string, reader: SchemaReader): boolean {
  const filledIn = fields.defaultOf(key)
  if (filledIn === undefined) return true
  return isScalar(filledIn.value) && reader.judge(filledIn.value, fields.field(key)) === 'yes' && fields.takesName(key) === 'yes'
}
