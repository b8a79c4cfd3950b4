/**
 * For statements that touch a few rows: an answer that takes longer than this comes from a connection that is dead, and is asked for again
 * over another. It is well below the time after which a silent worker loses its runs.
 */
export const PROMPT = { query_timeout: 5000 } as const

/** For statements that carry values of any size. */
export const PATIENT = { query_timeout: 600_000 } as const
