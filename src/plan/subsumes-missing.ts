import type { Fields } from './subsumes-fields.ts'
import { type Fit, refused, unsure } from './subsumes-fit.ts'

const MISSING = 'may be missing, but is required'

/** What it means for a required field that it is not always given. */
export function compareRequired(key: string, ours: Fields): Fit {
  if (ours.presenceOf(key) === 'never') return refused('is never given, but is required')
  const isFilledIn = ours.defaultOf(key) !== undefined
  return isFilledIn || ours.least > ours.required.size ? unsure(MISSING) : refused(MISSING)
}
