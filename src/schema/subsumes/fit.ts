import { joinPath } from '../field-path.ts'

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

/** On what terms a value is taken. */
export interface Terms {
  /** A null is dropped before, and need not be taken. */
  readonly dropsNull: boolean
  /** Another option of a union may have kept fields and nulls that would else be dropped. */
  readonly isShared: boolean
  /** A missing field gets its default. Inside an option of a union, at any depth, engines leave it out. */
  readonly fillsIn: boolean
}

/** There are only six kinds of terms, so that they can be told apart by identity. These are as they come. */
export const PLAIN: Terms = { dropsNull: false, isShared: false, fillsIn: true }
/** As they come, in a union. */
export const SHARED: Terms = { dropsNull: false, isShared: true, fillsIn: false }
const OPTION: Terms = { dropsNull: false, isShared: false, fillsIn: false }
const PLAIN_WITHOUT_NULL: Terms = { dropsNull: true, isShared: false, fillsIn: true }
const SHARED_WITHOUT_NULL: Terms = { dropsNull: true, isShared: true, fillsIn: false }
const OPTION_WITHOUT_NULL: Terms = { dropsNull: true, isShared: false, fillsIn: false }

/** The terms for what stands inside. */
export function inside({ isShared, fillsIn }: Terms): Terms {
  return isShared ? SHARED : fillsIn ? PLAIN : OPTION
}

/** The terms for what stands inside and is dropped where it is null. */
export function insideWithoutNull({ isShared, fillsIn }: Terms): Terms {
  return isShared ? SHARED_WITHOUT_NULL : fillsIn ? PLAIN_WITHOUT_NULL : OPTION_WITHOUT_NULL
}

/** The terms inside an option that no other can be mistaken for. */
export function insideOption({ isShared }: Terms): Terms {
  return isShared ? SHARED : OPTION
}
