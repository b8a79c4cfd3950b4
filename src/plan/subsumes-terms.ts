/** On what terms a value is taken. */
export interface Terms {
  /** A null is dropped before, and need not be taken. */
  readonly dropsNull: boolean
  /** Another option of a union may have kept fields and nulls that would else be dropped. */
  readonly isShared: boolean
}

/** There are only four kinds of terms, so that they can be told apart by identity. These are as they come. */
export const PLAIN: Terms = { dropsNull: false, isShared: false }
/** As they come, in a union. */
export const SHARED: Terms = { dropsNull: false, isShared: true }
const PLAIN_WITHOUT_NULL: Terms = { dropsNull: true, isShared: false }
const SHARED_WITHOUT_NULL: Terms = { dropsNull: true, isShared: true }

/** The terms for what stands inside. */
export function inside({ isShared }: Terms): Terms {
  return isShared ? SHARED : PLAIN
}

/** The terms for what stands inside and is dropped where it is null. */
export function insideWithoutNull({ isShared }: Terms): Terms {
  return isShared ? SHARED_WITHOUT_NULL : PLAIN_WITHOUT_NULL
}
