const issuesOf = new WeakMap<object, string>()

/** Marks the error of an answer that does not fit its question: a person has answered, and has not said no. */
export function markUnfitAnswer<E extends Error>(error: E, issues: string): E {
  issuesOf.set(error, issues)
  return error
}

/** What did not fit; undefined if the error is another one. */
export function unfitAnswerIn(error: unknown): string | undefined {
  return error instanceof Error ? issuesOf.get(error) : undefined
}
