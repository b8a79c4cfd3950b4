/** A request that cannot be carried out; the message says what is wrong, where, and what to write instead. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood'

  /** `at` counts from 0; the message counts from 1. */
  constructor(what: string, at: number, advice?: string) {
    super(`${what} (at character ${at + 1}).${advice === undefined ? '' : ` ${advice}`}`)
  }
}
