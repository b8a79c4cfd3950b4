import { isDeepStrictEqual } from 'node:util'
import { fieldStep } from '../field-path.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { CaseTerms, FieldTerms } from './case-terms.ts'
import type { Fields } from './fields.ts'
import { doubted, type Fit, FITS, inside, insideWithoutNull, refused, SHARED, unsure, within, worse } from './fit.ts'
import { isSurelyKept, isUntouched, keepsNull, mayBeNull } from './kept.ts'
import { isAnything, isBareType, NOTHING } from './keywords.ts'
import { type Atom, schemaOfValue } from './reader.ts'
import { isInhabited } from './values.ts'

/**
 * Whether objects are taken by a case, as a typed tool takes them: fields that the case does not declare are dropped first, and so is a null
 * that it does not allow.
 */
export function compareObjects(atom: Atom, inCase: CaseTerms): Fit {
  const { taken, comparison } = inCase
  const ours = comparison.given.fields(atom.of)
  const theirs = comparison.taken.fields(taken)
  if (taken.values !== undefined) {
    const isListed = taken.values.some((value) => isDeepStrictEqual(value, atom.whole))
    if (!isListed || theirs.isClosing) return unsure('may be none of the objects that are taken')
  }
  const names = new Set([...theirs.keys, ...theirs.required, ...ours.keys, ...ours.required, ...(ours.listedNames ?? [])])
  const terms: FieldTerms = { ...inCase, ours, theirs, keys: [...names] }
  let fit = FITS
  for (const key of terms.keys) {
    fit = worse(fit, within(fieldStep(key), compareField(key, terms)))
    if (fit.answer === 'does not fit') return fit
  }
  return [compareOtherFields(terms), compareDependencies(terms), compareFieldCount(atom, terms)].reduce(worse, fit)
}

function compareField(key: string, terms: FieldTerms): Fit {
  const presence = terms.ours.presenceOf(key)
  const missing = presence === 'always' ? FITS : compareMissing(key, terms)
  return presence === 'never' || missing.answer === 'does not fit' ? missing : worse(missing, compareGiven(key, terms))
}

function compareMissing(key: string, fields: FieldTerms): Fit {
  const { ours, theirs } = fields
  const isRequired = theirs.required.has(key)
  if (theirs.defaultOf(key) === undefined) return isRequired ? compareRequired(key, ours) : FITS
  if (!isFilledIn(fields)) return isRequired ? doubted(compareRequired(key, ours)) : FITS
  return compareDefault(key, fields)
}

const MISSING = 'may be missing, but is required'

/** What it means for a required field that it is not always given. */
export function compareRequired(key: string, ours: Fields): Fit {
  if (ours.presenceOf(key) === 'never') return refused('is never given, but is required')
  const isUncertain = ours.defaultOf(key) !== undefined || ours.least > ours.required.size
  return isUncertain ? unsure(MISSING) : refused(MISSING)
}

/** A default counts only outside of unions. */
function isFilledIn({ isOption, terms }: FieldTerms): boolean {
  return !isOption && terms.fillsIn
}

/** What a library fills in need not fit what it takes: then nobody can tell. */
function compareDefault(key: string, { theirs, comparison }: FieldTerms): Fit {
  const filledIn = theirs.defaultOf(key)
  if (filledIn === undefined) return FITS
  const fit = comparison.compare(schemaOfValue(filledIn.value), theirs.field(key), SHARED)
  return fit.answer === 'fits' ? fit : unsure('may be missing, and its default may not fit')
}

function compareGiven(key: string, fields: FieldTerms): Fit {
  const { ours, theirs, terms, comparison } = fields
  const declared = theirs.declaration(key)
  if (declared === undefined && theirs.isClosing && !terms.isShared) return FITS
  const taken = theirs.field(key)
  const isOptional = !theirs.required.has(key) || theirs.defaultOf(key) !== undefined
  if (declared !== undefined && isOptional && !isAnything(taken) && !comparison.taken.allowsNull(declared)) {
    return worse(compareName(key, fields), compareWithoutNull(key, fields))
  }
  const fit = comparison.compare(ours.field(key), taken, inside(terms))
  if (fit.answer !== 'fits' && declared === undefined && terms.isShared) return unsure('is not declared, but another option may keep it')
  const clearer = fit.answer === 'does not fit' && taken === NOTHING ? refused('is not a field that is taken') : fit
  return worse(compareName(key, fields), worse(clearer, compareLost(key, declared, fields)))
}

function compareName(key: string, { ours, theirs, comparison }: FieldTerms): Fit {
  const answer = theirs.takesName(key)
  if (answer === 'yes') return FITS
  const isGiven = ours.required.has(key) || isInhabited(ours.field(key), comparison.given) === 'yes'
  return answer === 'no' && isGiven ? refused('is not a name that is taken') : unsure('may not be a name that is taken')
}

/** A null that is dropped, though the schema or one of its options would take it, leaves a required field missing. */
function compareLost(key: string, declared: JsonSchema | undefined, fields: FieldTerms): Fit {
  if (!fields.theirs.required.has(key) || declared === undefined) return FITS
  return !mayBeNull(key, fields) || keepsNull(key, fields) ? FITS : unsure('may be null, which may count as missing')
}

/** A null for an optional field counts as missing, unless another option may want to see it. */
function compareWithoutNull(key: string, fields: FieldTerms): Fit {
  const { ours, theirs, isOption, terms, comparison } = fields
  const given = ours.field(key)
  const taken = theirs.field(key)
  const fit = comparison.compare(given, taken, insideWithoutNull(terms))
  if (!mayBeNull(key, fields) || comparison.taken.judge(null, taken) === 'yes') return fit
  if (terms.isShared || (isOption && theirs.isTag(key))) return worse(fit, unsure('may be null, which not every option takes'))
  if (isFilledIn(fields)) return worse(fit, compareDefault(key, fields))
  return theirs.required.has(key) ? worse(fit, unsure('may be null, which counts as missing')) : fit
}

/** How a path names a field that no schema names. */
const ANY_FIELD = '*'

/** Fields that neither side speaks of by name: those of a record, and those of an object that is open to more. */
function compareOtherFields(terms: FieldTerms): Fit {
  const { ours, theirs, comparison } = terms
  if (ours.listedNames !== undefined || ours.most === 0) return FITS
  const isRestGiven = comparison.given.cases(ours.rest).length > 0
  const given = [...(isRestGiven ? [ours.rest] : []), ...ours.patterns.map(({ schema }) => schema)]
  if (given.length === 0) return FITS
  const areDropped = theirs.isClosing && !terms.terms.isShared
  const fits = [comparePatterns(isRestGiven, terms)]
  if (!areDropped) {
    const isProof = !terms.terms.isShared && ours.patterns.length === 0 && ours.most > ours.required.size && takesAllNames(ours.names)
    fits.push(...given.map((schema) => compareTaken(schema, theirs.rest, terms)).map((fit) => (isProof ? fit : doubted(fit))))
  }
  if (!areDropped || theirs.patterns.length > 0) fits.push(compareNames(terms))
  return within(ANY_FIELD, fits.reduce(worse))
}

/** A rule for names on one side only may meet any of the other's fields. */
function comparePatterns(isRestGiven: boolean, terms: FieldTerms): Fit {
  const { ours, theirs } = terms
  let fit = FITS
  for (const { source, schema } of theirs.patterns) {
    const isShared = ours.patterns.some((each) => each.source === source)
    for (const own of ours.patterns) fit = worse(fit, underPattern(source, compareTaken(own.schema, schema, terms), own.source === source))
    if (isRestGiven && !isShared) fit = worse(fit, underPattern(source, compareTaken(ours.rest, schema, terms), false))
  }
  return fit
}

function underPattern(source: string, fit: Fit, isSame: boolean): Fit {
  if (fit.answer === 'fits') return fit
  return isSame ? doubted(fit) : unsure(`may have a name that matches ${source}, and then ${fit.why}`, fit.path)
}

/** A rule that says something declares the fields under it, and a null that it does not allow is dropped. */
function compareTaken(given: JsonSchema, taken: JsonSchema, { terms, comparison }: FieldTerms): Fit {
  if (isAnything(taken)) return FITS
  const dropsNull = !terms.isShared && Object.keys(taken).length > 0 && !comparison.taken.allowsNull(taken)
  return comparison.compare(given, taken, dropsNull ? insideWithoutNull(terms) : inside(terms))
}

function compareNames({ ours, theirs, comparison }: FieldTerms): Fit {
  if (takesAllNames(theirs.names)) return FITS
  const given = comparison.given.allOf([{ type: 'string' }, ours.names])
  const fit = comparison.compare(given, theirs.names)
  return fit.answer === 'fits' ? FITS : unsure(`may have a name that ${fit.why}`)
}

/** Every name is a string, so that a schema of all strings says nothing. */
function takesAllNames(names: JsonSchema): boolean {
  return isAnything(names) || (isBareType(names) && names['type'] === 'string')
}

/** Fields that ask for others, by `dependentRequired`. */
function compareDependencies(terms: FieldTerms): Fit {
  let fit = FITS
  for (const [key, needed] of terms.theirs.dependencies) {
    if (terms.ours.presenceOf(key) === 'never' || isDropped(key, terms)) continue
    for (const other of needed.filter((each) => each !== key)) fit = worse(fit, within(fieldStep(other), compareNeeded(key, other, terms)))
  }
  return fit
}

function compareNeeded(key: string, other: string, terms: FieldTerms): Fit {
  const { ours, theirs } = terms
  const isPromised = ours.required.has(other) || ours.dependencies.some(([each, needed]) => each === key && needed.includes(other))
  if (isPromised && isSurelyKept(other, terms)) return FITS
  const why = `may be missing, but '${key}' asks for it`
  const isProof = isPossible(key, terms) && !isPromised && isSurelyKept(key, terms) && theirs.defaultOf(other) === undefined
  return isProof ? refused(why) : unsure(why)
}

function isDropped(key: string, { theirs, terms }: FieldTerms): boolean {
  return theirs.isClosing && !terms.isShared && theirs.declaration(key) === undefined
}

/** `minProperties` and `maxProperties` count what is left when fields are dropped and defaults are filled in. */
function compareFieldCount(atom: Atom, terms: FieldTerms): Fit {
  return worse(compareLeast(atom, terms), compareMost(atom, terms))
}

function compareLeast(atom: Atom, terms: FieldTerms): Fit {
  const { ours, theirs } = terms
  if (theirs.least === 0) return FITS
  const sure = Array.from(ours.required).filter((key) => isSurelyKept(key, terms)).length
  if (sure >= theirs.least || (ours.least >= theirs.least && isUntouched(atom, terms))) return FITS
  const few = refused(`may have fewer than ${theirs.least} fields`)
  const isProof = ours.required.size < theirs.least && ours.least <= ours.required.size && !hasDefaults(terms)
  return isProof ? few : doubted(few)
}

function compareMost(atom: Atom, terms: FieldTerms): Fit {
  const { ours, theirs, keys, comparison } = terms
  if (theirs.most === Infinity) return FITS
  const possible = keys.filter((key) => ours.presenceOf(key) !== 'never' || theirs.defaultOf(key) !== undefined)
  const isBounded = ours.listedNames !== undefined || (comparison.given.cases(ours.rest).length === 0 && ours.patterns.length === 0)
  if (isBounded && possible.length <= theirs.most) return FITS
  if (ours.most <= theirs.most && !hasDefaults(terms)) return FITS
  const many = refused(`may have more than ${theirs.most} fields`)
  const certain = keys.filter((key) => isSurelyKept(key, terms) && isPossible(key, terms)).length
  return certain > theirs.most && ours.most >= certain ? many : doubted(many)
}

/** Some object surely has the field. */
function isPossible(key: string, { ours, comparison }: FieldTerms): boolean {
  return ours.required.has(key) || (ours.keys.has(key) && isInhabited(ours.field(key), comparison.given) === 'yes')
}

function hasDefaults({ theirs }: FieldTerms): boolean {
  return Array.from(theirs.keys).some((key) => theirs.defaultOf(key) !== undefined)
}
