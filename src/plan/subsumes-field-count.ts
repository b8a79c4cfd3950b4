import type { Atom } from './subsumes-atom.ts'
import { doubted, type Fit, FITS, refused, worse } from './subsumes-fit.ts'
import { isInhabited } from './subsumes-inhabited.ts'
import { isSurelyKept } from './subsumes-kept.ts'
import type { FieldTerms } from './subsumes-objects.ts'
import { isUntouched } from './subsumes-untouched.ts'

/** `minProperties` and `maxProperties` count what is left when fields are dropped and defaults are filled in. */
export function compareFieldCount(atom: Atom, terms: FieldTerms): Fit {
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

function isPossible(key: string, { ours, comparison }: FieldTerms): boolean {
  return ours.required.has(key) || (ours.keys.has(key) && isInhabited(ours.field(key), comparison.given) === 'yes')
}

function hasDefaults({ theirs }: FieldTerms): boolean {
  return Array.from(theirs.keys).some((key) => theirs.defaultOf(key) !== undefined)
}
