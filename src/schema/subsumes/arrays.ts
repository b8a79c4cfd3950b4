import { isDeepStrictEqual } from 'node:util'
import type { CaseTerms } from './case-terms.ts'
import type { Items } from './fields.ts'
import { doubted, type Fit, FITS, inside, refused, unsure, within, worse } from './fit.ts'
import { isUntouched } from './kept.ts'
import type { Atom } from './reader.ts'
import { hasMany, isInhabited } from './values.ts'

/** Whether arrays are taken by a case: their lengths, their items, that no two are the same. */
export function compareArrays(atom: Atom, inCase: CaseTerms): Fit {
  const { taken, comparison } = inCase
  const ours = comparison.given.items(atom.of)
  const theirs = comparison.taken.items(taken)
  if (taken.values !== undefined) {
    const isListed = taken.values.some((value) => isDeepStrictEqual(value, atom.whole))
    if (!isListed) return unsure('may be none of the arrays that are taken')
  }
  const lengths = compareLengths(ours, theirs, inCase)
  if (lengths.answer === 'does not fit') return lengths
  return [compareItems(ours, theirs, inCase), compareUniqueness(atom, inCase)].reduce(worse, lengths)
}

function compareLengths(ours: Items, theirs: Items, { comparison }: CaseTerms): Fit {
  if (ours.least < theirs.least) {
    const short = refused(`may have fewer than ${theirs.least} items`)
    return theirs.hasDefaults ? doubted(short) : short
  }
  if (ours.most <= theirs.most) return FITS
  const long = refused(`may have more than ${theirs.most} items`)
  return canHave(theirs.most + 1, ours, comparison) ? long : doubted(long)
}

/** There is surely an array with so many items. */
function canHave(count: number, items: Items, { given }: CaseTerms['comparison']): boolean {
  if (count > items.most) return false
  const own = Math.min(count, items.prefixLength + 1)
  for (let index = 0; index < own; index++) if (isInhabited(items.item(index), given) !== 'yes') return false
  return !items.isUnique || Math.max(count, items.least) < 2 || hasMany(items.item(items.prefixLength), given)
}

function compareItems(ours: Items, theirs: Items, { terms, comparison }: CaseTerms): Fit {
  const last = Math.max(ours.prefixLength, theirs.prefixLength)
  let fit = FITS
  for (let index = 0; index <= last && index < Math.min(ours.most, theirs.most); index++) {
    const one = comparison.compare(ours.item(index), theirs.item(index), inside(terms))
    const isSure = one.answer !== 'does not fit' || canHave(index + 1, ours, comparison)
    fit = worse(fit, within(index === last ? '[]' : `[${index}]`, isSure ? one : doubted(one)))
  }
  return fit
}

/** Items that differ only in what is dropped are the same afterwards. */
function compareUniqueness(atom: Atom, inCase: CaseTerms): Fit {
  const { comparison } = inCase
  const ours = comparison.given.items(atom.of)
  if (!comparison.taken.items(inCase.taken).isUnique || ours.most < 2) return FITS
  if (ours.isUnique) return isUntouched(atom, inCase) ? FITS : unsure('may have items that are the same once undeclared fields are dropped')
  const repeated = refused('may have the same item twice')
  return ours.prefixLength === 0 && isInhabited(ours.item(0), comparison.given) === 'yes' ? repeated : doubted(repeated)
}
