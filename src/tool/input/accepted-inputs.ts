/** One input that several parts have validated before any of them begins. */
export class AcceptedInputs {
  readonly given: unknown
  /** The value that each part made of it, by the position of the part. */
  readonly values: readonly unknown[]

  constructor(given: unknown, values: readonly unknown[]) {
    this.given = given
    this.values = values
  }
}

/** The input of a part is still to be validated. */
export const NOT_ACCEPTED = Symbol('not accepted')
