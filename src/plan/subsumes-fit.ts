import { joinPath } from '../tool/schema/field-path.ts'

/** Whether every value that one schema allows is taken by another: for certain, certainly not, or nobody can tell. */
export type Fit =
  | { readonly answer: 'fits' }
  | {
      readonly answer: 'does not fit' | 'cannot tell'
      /** The field, such as `latest.total` or `items[].id`; empty for the value itself. */
      readonly path: string
      /** What is wrong, or what is not known, in words. */
      readonly why: string
    }

/** Every value is taken. */
export const FITS: Fit = { answer: 'fits' }

/** Some value is surely refused. */
export function refused(why: string, path = ''): Fit {
  return { answer: 'does not fit', path, why }
}

/** Nobody can tell whether a value is refused. */
export function unsure(why: string, path = ''): Fit {
  return { answer: 'cannot tell', path, why }
}

/** What is no proof any more. */
export function doubted(fit: Fit): Fit {
  return fit.answer === 'does not fit' ? unsure(fit.why, fit.path) : fit
}

/** A proof that it does not fit outweighs a doubt; of two alike, the first is told. */
export function worse(one: Fit, other: Fit): Fit {
  if (one.answer === 'does not fit' || other.answer === 'fits') return one
  return one.answer === 'fits' || other.answer === 'does not fit' ? other : one
}

/** The answer for a part, as the answer for the whole. */
export function within(step: string, fit: Fit): Fit {
  return fit.answer === 'fits' ? fit : { answer: fit.answer, path: joinPath(step, fit.path), why: fit.why }
}
