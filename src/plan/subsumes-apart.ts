import { isRecord, type JsonSchema } from '../tool/schema/json-schema.ts'
import { fieldStep } from '../tool/schema/field-path.ts'
import { type Atom, atomsOf } from './subsumes-atom.ts'
import type { Case } from './subsumes-case.ts'
import { inMap } from './subsumes-in-map.ts'
import { isScalar } from './subsumes-judge.ts'
import { ANYTHING } from './subsumes-keywords.ts'
import { areApart, numberRange } from './subsumes-numbers.ts'
import type { SchemaReader } from './subsumes-reader.ts'
import { areApartInLength, givenTextRange, textRange } from './subsumes-texts.ts'
import { ARRAY, NUMBER, OBJECT, STRING, typesNamed } from './subsumes-types.ts'

const MOST_LEVELS = 4
const MOST_PAIRS = 256

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
      const isSmall = atoms.length * this.#taken.cases(taken).length <= MOST_PAIRS
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
    if (level > MOST_LEVELS) return undefined
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
