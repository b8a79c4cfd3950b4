/** The own fields of an answer, read once: one that it inherits, nobody gave. */
export function ownFields(given: object): Readonly<Record<string, unknown>> {
  return Object.assign(Object.create(null) as Record<string, unknown>, given)
}
