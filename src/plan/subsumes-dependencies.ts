import { fieldStep } from '../tool/schema/field-path.ts'
import { type Fit, FITS, refused, unsure, within, worse } from './subsumes-fit.ts'
import { isInhabited } from './subsumes-inhabited.ts'
import { isSurelyKept } from './subsumes-kept.ts'
import type { FieldTerms } from './subsumes-objects.ts'

/** Fields that ask for others, by `dependentRequired`. */
export function compareDependencies(terms: FieldTerms): Fit {
  let fit = FITS
  for (const [key, needed] of terms.theirs.dependencies) {
    if (terms.ours.presenceOf(key) === 'never' || isDropped(key, terms)) continue
    for (const other of needed.filter((each) => each !== key)) fit = worse(fit, within(fieldStep(other), compareNeeded(key, other, terms)))
  }
  return fit
}

function compareNeeded(key: string, other: string, terms: FieldTerms): Fit {
  const { ours, theirs, comparison } = terms
  const isPromised = ours.required.has(other) || ours.dependencies.some(([each, needed]) => each === key && needed.includes(other))
  if (isPromised && isSurelyKept(other, terms)) return FITS
  const why = `may be missing, but '${key}' asks for it`
  const isGiven = ours.required.has(key) || (ours.keys.has(key) && isInhabited(ours.field(key), comparison.given) === 'yes')
  return isGiven && !isPromised && isSurelyKept(key, terms) && theirs.defaultOf(other) === undefined ? refused(why) : unsure(why)
}

function isDropped(key: string, { theirs, terms }: FieldTerms): boolean {
  return theirs.isClosing && !terms.isShared && theirs.declaration(key) === undefined
}
