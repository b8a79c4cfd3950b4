/** Something to say of an output. */
export interface Fact {
  readonly text: string
  /** A shorter way to say the most of it. */
  readonly short?: string | undefined
  /** How much of the worth the shorter way has; three quarters unless told. */
  readonly shortShare?: number | undefined
  /** How much of the worth the long form adds to it; the rest unless told. It may be more, where the short form is only for want of room. */
  readonly restShare?: number | undefined
  /** How much a reader gains by it; about 1 for an ordinary one. */
  readonly worth: number
  /** Under which heading of the outline it stands. */
  readonly part: string
  /** Facts of one part stand in this order. */
  readonly order: number
}

/** The orders of facts within a part. */
export const ORDER = { schema: 0, column: 1, group: 2, row: 3, sentence: 4 } as const

const LONGEST_VALUE = 120

/** A value of the output in a line of the outline: on one line, and not long. */
export function brief(text: string, most = LONGEST_VALUE): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const end = /[\ud800-\udbff]/.test(line[most - 1] ?? '') ? most - 1 : most
  return `${line.slice(0, end)}…`
}
