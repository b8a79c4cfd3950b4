/** What reading a JSON text and looking something up in it may cost. */
export const LIMITS = {
  /** Characters of a JSON text. */
  characters: 10_000_000,
  /** Lists and objects inside each other. */
  depth: 500,
  /** Characters of a path or an expression. */
  path: 2000,
  /** Values looked at or written by a JMESPath expression: what it asks for could else double with every sign. */
  steps: 1_000_000,
} as const
