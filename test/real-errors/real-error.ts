import type { FailureCode } from '../../src/tool/errors/error-codes.ts'

/** What a library threw when the service behind it misbehaved, and what that means. */
export interface RealError {
  readonly library: string
  readonly about: string
  readonly code: FailureCode
  readonly outcome: 'not_started' | 'failed' | 'unknown'
  readonly retryAfterMs: number | undefined
  /** Throws, or rejects with, the error. */
  readonly provoke: () => unknown
}

type Row = readonly [
  about: string,
  code: FailureCode,
  outcome: RealError['outcome'],
  provoke: () => unknown,
  retryAfterMs?: number | undefined,
]

export function realErrors(library: string, rows: readonly Row[]): readonly RealError[] {
  return rows.map(([about, code, outcome, provoke, retryAfterMs]) => ({ library, about, code, outcome, provoke, retryAfterMs }))
}

/** What `provoke` throws. */
export async function thrownBy(provoke: () => unknown): Promise<unknown> {
  try {
    await provoke()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}
