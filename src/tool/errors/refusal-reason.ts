const reasonOf = new WeakMap<object, string>()

/** Keeps the reason why a call was not approved beside the error, whose message has it among other words. */
export function keepRefusalReason<E extends Error>(error: E, reason: string | undefined): E {
  if (reason !== undefined && reason.trim() !== '') reasonOf.set(error, reason)
  return error
}

/** The reason why a call was not approved; undefined where nobody gave one, or where the error is another one. */
export function refusalReasonIn(error: unknown): string | undefined {
  return error instanceof Error ? reasonOf.get(error) : undefined
}
