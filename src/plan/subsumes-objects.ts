import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { fieldStep } from '../tool/schema/field-path.ts'
import type { Atom } from './subsumes-atom.ts'
import type { CaseTerms } from './subsumes-comparison.ts'
import { compareDependencies } from './subsumes-dependencies.ts'
import { compareFieldCount } from './subsumes-field-count.ts'
import type { Fields } from './subsumes-fields.ts'
import { doubted, type Fit, FITS, refused, unsure, within, worse } from './subsumes-fit.ts'
import { isInhabited } from './subsumes-inhabited.ts'
import { keepsNull, mayBeNull } from './subsumes-kept.ts'
import { isAnything, NOTHING } from './subsumes-keywords.ts'
import { compareRequired } from './subsumes-missing.ts'
import { compareOtherFields } from './subsumes-other-fields.ts'
import { schemaOfValue } from './subsumes-reader.ts'
import { inside, insideWithoutNull, SHARED } from './subsumes-terms.ts'

/** The fields of both sides, and how they are compared. */
export interface FieldTerms extends CaseTerms {
  readonly ours: Fields
  readonly theirs: Fields
  /** All names that either side speaks of. */
  readonly keys: readonly string[]
}

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
  const told = fit.answer === 'does not fit' && taken === NOTHING ? refused('is not a field that is taken') : fit
  return worse(compareName(key, fields), worse(told, compareLost(key, declared, fields)))
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
