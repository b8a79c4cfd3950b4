/** The limits of a calculation. They are far above everyday sums, and low enough not to block a process. */
export const LIMITS = {
  /** Characters of an expression. */
  length: 1000,
  /** Parentheses, signs and powers inside each other. */
  depth: 100,
  /** Numbers lie between 10^-1000 and 10^1000; an exact one has at most so many digits above and below the line. */
  digits: 1000,
  /** Above this, sine and cosine are of no use. */
  angleDigits: 30,
} as const

/** Significant digits of a result that cannot be written out exactly. */
export const PRINTED_DIGITS = 34

/** Significant digits that are kept inside: what a difference of almost equal numbers loses is not missed in the result. */
export const WORKING_DIGITS = 100

/** A finite decimal with more significant digits than this is rounded like one without an end; whole numbers never are. */
export const LONGEST_DECIMAL = 100

/** Where rounded numbers meet within so many digits, they are equal: `sqrt(2)^2 - 2` is 0. */
export const TRUSTED_DIGITS = 64
