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
