import { fieldStep } from '../field-path.ts'
import { isRecord, type JsonSchema } from '../json-schema.ts'
import type { Case } from './case.ts'
import type { Fields } from './fields.ts'
import { type Answer, every, isScalar, some } from './judge.ts'
import { ANYTHING, ARRAY, isAnything, NUMBER, OBJECT, STRING, typesNamed } from './keywords.ts'
import { type Atom, atomsOf, type SchemaReader } from './reader.ts'
import { areApart, areApartInLength, givenTextRange, integersIn, numberRange, tellingNumbers, textRange } from './ranges.ts'

const MAX_LEVELS = 4
const MAX_PAIRS = 256

/** Finds proof that what is given and what is taken have no value in common. */
export class Apartness {
  readonly #given: SchemaReader
  readonly #taken: SchemaReader
  readonly #known = new Map<JsonSchema, Map<JsonSchema, boolean>>()

  constructor(given: SchemaReader, taken: SchemaReader) {
    this.#given = given
    this.#taken = taken
  }

  /** No value of the one satisfies the other. */
  isApart(given: JsonSchema, taken: JsonSchema, level = 0): boolean {
    const known = inMap(this.#known, given)
    let isApart = known.get(taken)
    if (isApart === undefined) {
      const atoms = atomsOf(given, this.#given)
      const isSmall = atoms.length * this.#taken.cases(taken).length <= MAX_PAIRS
      isApart = isSmall && atoms.every((atom) => this.isAtomApart(atom, taken, level))
      known.set(taken, isApart)
    }
    return isApart
  }

  isAtomApart(atom: Atom, taken: JsonSchema, level = 0): boolean {
    if (atom.scalar !== undefined) return this.#taken.judge(atom.scalar.value, taken) === 'no'
    return this.#taken.cases(taken).every((each) => this.partingPath(atom, each, level) !== undefined)
  }

  /** The path of the field in which they part; undefined where no proof was found. */
  partingPath(atom: Atom, taken: Case, level = 0): string | undefined {
    if ((taken.types & atom.type) === 0) return ''
    if (atom.scalar !== undefined) return this.#taken.judgeCase(atom.scalar.value, taken) === 'no' ? '' : undefined
    if (taken.values?.every((value) => isScalar(value) && this.#given.judgeCase(value, atom.of) === 'no') === true) return ''
    const ours = atom.of.parts
    const theirs = taken.parts
    if (atom.type === NUMBER) return areApart(numberRange(ours), numberRange(theirs)) ? '' : undefined
    if (atom.type === STRING) return areApartInLength(givenTextRange(ours), textRange(theirs)) ? '' : undefined
    if (level > MAX_LEVELS) return undefined
    return atom.type === ARRAY ? this.#partingItem(atom, taken, level + 1) : this.#partingField(atom, taken, level + 1)
  }

  #partingItem(atom: Atom, taken: Case, level: number): string | undefined {
    const ours = this.#given.items(atom.of)
    const theirs = this.#taken.items(taken)
    if (ours.least > theirs.most || (ours.most < theirs.least && !theirs.hasDefaults)) return ''
    for (let index = 0; index < Math.min(ours.least, theirs.prefixLength + 1); index++) {
      if (this.isApart(ours.item(index), theirs.item(index), level)) return `[${index}]`
    }
    return undefined
  }

  /** Only a field that must be there on both sides is sure to be compared: others may be dropped or filled in. */
  #partingField(atom: Atom, taken: Case, level: number): string | undefined {
    const ours = this.#given.fields(atom.of)
    const theirs = this.#taken.fields(taken)
    for (const key of theirs.required) {
      if (theirs.defaultOf(key) !== undefined) continue
      const presence = ours.presenceOf(key)
      if (presence === 'never') return fieldStep(key)
      if (presence === 'always' && this.isApart(ours.field(key), theirs.field(key), level)) return fieldStep(key)
    }
    return undefined
  }

  /**
   * A typed tool that takes what is given by one case can tell, before it validates, that it is not of the other: by the type, by `const` or
   * `enum` of a field, by a required field that is missing. Only then do the fields that the other declares not count as declared.
   */
  isRuledOut(atom: Atom, other: Case, by: Case): boolean {
    return other.choices.some(({ from, option }) => {
      const chosen = by.choices.find((choice) => choice.from === from)?.option
      if (chosen === undefined || chosen === option || chosen === ANYTHING) return false
      return this.#taken.shapes.read(option).all.some((part) => this.#isMismatch(atom, part))
    })
  }

  #isMismatch(atom: Atom, part: JsonSchema): boolean {
    if (part['type'] !== undefined && (typesNamed(part['type']) & atom.type) === 0) return true
    return atom.type === OBJECT && this.#lacksField(atom, part)
  }

  #lacksField(atom: Atom, { properties, required }: JsonSchema): boolean {
    const ours = this.#given.fields(atom.of)
    if (Array.isArray(required) && required.some((key) => typeof key === 'string' && ours.presenceOf(key) === 'never')) return true
    if (!isRecord(properties)) return false
    return Object.entries(properties).some(
      ([key, tag]) =>
        isRecord(tag) && ('const' in tag || 'enum' in tag) && ours.required.has(key) && this.#isOtherTag(ours.field(key), tag),
    )
  }

  #isOtherTag(given: JsonSchema, tag: JsonSchema): boolean {
    return atomsOf(given, this.#given).every(({ scalar }) => {
      if (scalar === undefined) return false
      return ('const' in tag && tag['const'] !== scalar.value) || (Array.isArray(tag['enum']) && !tag['enum'].includes(scalar.value))
    })
  }
}

/** The map under a key, made if there is none. */
export function inMap<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let inner = map.get(key)
  if (inner === undefined) {
    inner = new Map()
    map.set(key, inner)
  }
  return inner
}

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
