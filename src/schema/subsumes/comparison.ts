import { fieldStep } from '../field-path.ts'
import type { JsonSchema } from '../json-schema.ts'
import { quote } from '../quote.ts'
import { compareArrays } from './arrays.ts'
import type { Case } from './case.ts'
import type { CaseTerms, Comparing } from './case-terms.ts'
import { compareConditions } from './conditions.ts'
import type { Fields } from './fields.ts'
import { doubted, type Fit, FITS, inside, insideOption, PLAIN, refused, SHARED, type Terms, unsure, within, worse } from './fit.ts'
import type { Scalar } from './judge.ts'
import { ARRAY, inWords, isAnything, isPlainlyNarrower, isPlainlyTaken, NULL, NUMBER, OBJECT, STRING, typesInWords } from './keywords.ts'
import { compareObjects, compareRequired } from './objects.ts'
import { type Atom, atomsOf, type SchemaReader, splitAtom } from './reader.ts'
import { compareNumbers, compareTexts } from './scalars.ts'
import { Apartness, hasValue, inMap } from './values.ts'

const MAX_LEVELS = 200
const MAX_PAIRS = 20_000
const MAX_SPLITS = 2

/** Most likely the schema does not say what its author meant. */
const NO_VALUE = unsure('cannot be anything, since no value satisfies the schema that it comes from')

/** Compares the schemas of two roots, pair by pair. */
export class Comparison implements Comparing {
  readonly given: SchemaReader
  readonly taken: SchemaReader
  readonly apartness: Apartness
  /** By terms and by what is given, the answers for what is taken. */
  readonly #answers = new Map<Terms, Map<JsonSchema, Map<JsonSchema, Fit>>>()
  /** The pairs that fit as long as those below them in the stack do. */
  readonly #assumed: (() => void)[] = []
  #level = 0
  #pairs = 0

  constructor(given: SchemaReader, taken: SchemaReader) {
    this.given = given
    this.taken = taken
    this.apartness = new Apartness(given, taken)
  }

  /** Whether every value that is given is taken. What is too large to compare is a RangeError. */
  compare(given: JsonSchema, taken: JsonSchema, terms: Terms = PLAIN): Fit {
    if (isAnything(taken) || (terms.isShared ? isPlainlyNarrower(given, taken) : isPlainlyTaken(given, taken))) return FITS
    if (this.#level++ > MAX_LEVELS || this.#pairs++ > MAX_PAIRS) throw new RangeError('The schemas are too large to compare.')
    const fit = this.#compareOnce(given, taken, terms)
    this.#level--
    return fit
  }

  /** A pair that comes up inside itself is taken to fit: if anything is wrong with it, that shows elsewhere. */
  #compareOnce(given: JsonSchema, taken: JsonSchema, terms: Terms): Fit {
    const ofPair = inMap(inMap(this.#answers, terms), given)
    const known = ofPair.get(taken)
    if (known !== undefined) return known
    const before = this.#assumed.length
    ofPair.set(taken, FITS)
    this.#assumed.push(() => ofPair.delete(taken))
    const fit = this.#compareAll(given, taken, terms)
    if (fit.answer !== 'fits') {
      for (const forget of this.#assumed.splice(before)) forget()
      ofPair.set(taken, fit)
    }
    return fit
  }

  #compareAll(given: JsonSchema, taken: JsonSchema, outer: Terms): Fit {
    if (this.taken.cases(taken).some((each) => each.isEndless))
      return unsure('is compared with a schema that refers to itself without an end')
    const atoms = atomsOf(given, this.given)
    const terms = inside(outer)
    const isUnknown = isAnything(given)
    let fit = FITS
    let isEmpty = false
    let hasValues = false
    for (const atom of atoms) {
      const isDropped = outer.dropsNull && atom.type === NULL
      const one = isDropped ? FITS : this.compareAtom(atom, taken, { terms, isOneOfMany: atoms.length > 1, splits: 0 })
      if (one === NO_VALUE) {
        isEmpty = true
        continue
      }
      hasValues = true
      fit = worse(fit, one)
      if (isUnknown && fit.answer !== 'fits') return unsure('may be anything')
      if (fit.answer === 'does not fit') return fit
    }
    return isEmpty && !hasValues ? NO_VALUE : fit
  }

  /** A proof counts only if there is such a value. An option that nothing can be, such as one with another tag, says nothing beside others. */
  compareAtom(atom: Atom, taken: JsonSchema, how: AtomTerms): Fit {
    const fit =
      atom.scalar === undefined ? this.#compareRange(atom, taken, how) : this.#compareScalar(atom, atom.scalar.value, { taken, how })
    if (fit.answer === 'fits') return fit
    const exists = hasValue(atom, this.given)
    if (exists === 'no') return NO_VALUE
    if (atom.of.unread !== undefined) return unsure(`comes from a schema that ${atom.of.unread}`)
    if (atom.isUnsaid) return unsure('may be of any type, since none is said')
    return exists === 'yes' ? fit : doubted(fit)
  }

  #compareScalar(atom: Atom, value: Scalar, { taken, how }: { taken: JsonSchema; how: AtomTerms }): Fit {
    const answer = this.taken.judge(value, taken)
    if (answer === 'yes') return FITS
    const cases = this.taken.cases(taken)
    if (!cases.some((each) => (each.types & atom.type) !== 0)) return wrongType(atom, cases, how)
    const values = cases.every((each) => each.values !== undefined) ? cases.flatMap((each) => each.values ?? []) : []
    const listed = values.length === 0 ? 'it is not taken' : `only ${inWords(values.slice(0, MAX_SHOWN).map(quote))} is taken`
    const is = how.isOneOfMany ? 'may be' : 'is'
    return answer === 'no' ? refused(`${is} ${quote(value)}, and ${listed}`) : unsure(`${is} ${quote(value)}, which may not be taken`)
  }

  #compareRange(atom: Atom, taken: JsonSchema, how: AtomTerms): Fit {
    const cases = this.taken.cases(taken)
    const typed = cases.filter((each) => (each.types & atom.type) !== 0)
    if (typed.length === 0) return wrongType(atom, cases, how)
    const live = typed.length === 1 ? typed : typed.filter((each) => this.apartness.partingPath(atom, each) === undefined)
    const among: Among = { cases: this.taken.allCases(taken), terms: how.terms }
    if (live.length === 0) return this.#compareApart(atom, typed, among)
    if (atom.type === NUMBER) return compareNumbers(atom, { taken, live, comparison: this })
    if (atom.type === STRING) return compareTexts(atom, { live, comparison: this })
    let fit = FITS
    for (const each of live) {
      fit = this.#compareCase(atom, each, among)
      if (fit.answer === 'fits') return fit
    }
    if (live.length === 1) return fit
    const common = commonRefusal(atom, live, this)
    if (common !== undefined) return common
    const narrower = how.splits < MAX_SPLITS ? splitAtom(atom, live, this) : undefined
    if (narrower === undefined) return unsure(`may fit none of the ${live.length} options for it`)
    const fits = narrower.map((each) => this.compareAtom(each, taken, { ...how, splits: how.splits + 1 }))
    const real = fits.filter((each) => each !== NO_VALUE)
    return real.length === 0 ? NO_VALUE : real.reduce(worse)
  }

  #compareCase(atom: Atom, taken: Case, { cases, terms }: Among): Fit {
    const isAlone = cases.every((other) => other === taken || this.apartness.isRuledOut(atom, other, taken))
    const inCase: CaseTerms = {
      taken,
      terms: !isAlone ? SHARED : taken.choices.length > 0 ? insideOption(terms) : terms,
      isInherited: terms.isShared,
      isOption: cases.length > 1,
      comparison: this,
    }
    const fit = atom.type === ARRAY ? compareArrays(atom, inCase) : compareObjects(atom, inCase)
    return fit.answer === 'does not fit' ? fit : worse(fit, compareConditions(atom, inCase))
  }

  /** None takes it: the one whose tags are right says why, else the field in which all differ. */
  #compareApart(atom: Atom, typed: readonly Case[], among: Among): Fit {
    const paths = typed.map((each) => this.apartness.partingPath(atom, each) ?? '')
    const meant = typed.filter((each, index) => atom.type === OBJECT && !this.taken.fields(each).isTag(paths[index] ?? ''))
    const fit = meant.length === 1 ? this.#compareCase(atom, meant[0] as Case, among) : FITS
    if (fit.answer === 'does not fit') return fit
    const [path] = paths
    return refused(`fits none of the ${typed.length} options for it`, paths.every((each) => each === path) ? path : '')
  }
}

/** The cases that one is chosen from. */
interface Among {
  readonly cases: readonly Case[]
  readonly terms: Terms
}

/** How an atom is compared. */
interface AtomTerms {
  readonly terms: Terms
  /** What is given may be something else too. */
  readonly isOneOfMany: boolean
  readonly splits: number
}

const MAX_SHOWN = 8

function wrongType({ type }: Atom, cases: readonly Case[], { isOneOfMany }: AtomTerms): Fit {
  const types = cases.reduce((all, each) => all | each.types, 0)
  const taken = types === 0 ? 'nothing is taken' : `${typesInWords(types)} is taken`
  return refused(`${isOneOfMany ? 'may be' : 'is'} ${typesInWords(type)} where ${taken}`)
}

/** Proof that one field alone makes every option refuse some object: it may be missing, or be what none of them takes there. */
function commonRefusal(atom: Atom, options: readonly Case[], comparison: Comparing): Fit | undefined {
  if (atom.type !== OBJECT) return undefined
  const ours = comparison.given.fields(atom.of)
  const theirs = options.map((option) => comparison.taken.fields(option))
  const keys = new Set(theirs.flatMap((each) => [...each.keys, ...each.required]))
  for (const key of keys) {
    const fit = refusalOf(key, { ours, theirs, comparison })
    if (fit?.answer === 'does not fit') return within(fieldStep(key), fit)
  }
  return undefined
}

interface Sides {
  readonly ours: Fields
  readonly theirs: readonly Fields[]
  readonly comparison: Comparing
}

/** A null that an option drops is no proof, unless the field must be there. */
function refusalOf(key: string, { ours, theirs, comparison }: Sides): Fit | undefined {
  const presence = ours.presenceOf(key)
  const isNeeded = theirs.every((each) => each.required.has(key) && each.defaultOf(key) === undefined)
  const missing = isNeeded && presence !== 'always' ? compareRequired(key, ours) : undefined
  if (missing?.answer === 'does not fit' || presence === 'never') return missing
  if (!theirs.every((each) => each.declaration(key) !== undefined)) return undefined
  const given = ours.field(key)
  if (!isNeeded && comparison.given.judge(null, given) !== 'no') return undefined
  return comparison.compare(given, comparison.taken.anyOf(theirs.map((each) => each.field(key))), SHARED)
}
