import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { doubted, type Fit, FITS, unsure, within, worse } from './subsumes-fit.ts'
import { isAnything, isBareType } from './subsumes-keywords.ts'
import type { FieldTerms } from './subsumes-objects.ts'
import { inside, insideWithoutNull } from './subsumes-terms.ts'

/** How a path names a field that no schema names. */
const ANY_FIELD = '*'

/** Fields that neither side speaks of by name: those of a record, and those of an object that is open to more. */
export function compareOtherFields(terms: FieldTerms): Fit {
  const { ours, theirs, comparison } = terms
  if (ours.listedNames !== undefined || ours.most === 0) return FITS
  const isRestGiven = comparison.given.cases(ours.rest).length > 0
  const given = [...(isRestGiven ? [ours.rest] : []), ...ours.patterns.map(({ schema }) => schema)]
  if (given.length === 0) return FITS
  const isDropped = theirs.isClosing && !terms.terms.isShared
  const fits = [comparePatterns(isRestGiven, terms)]
  if (!isDropped) {
    const isProof = !terms.terms.isShared && ours.patterns.length === 0 && ours.most > ours.required.size && takesAllNames(ours.names)
    fits.push(...given.map((schema) => compareTaken(schema, theirs.rest, terms)).map((fit) => (isProof ? fit : doubted(fit))))
  }
  if (!isDropped || theirs.patterns.length > 0) fits.push(compareNames(terms))
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
  const isDropped = !terms.isShared && Object.keys(taken).length > 0 && !comparison.taken.allowsNull(taken)
  return comparison.compare(given, taken, isDropped ? insideWithoutNull(terms) : inside(terms))
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
