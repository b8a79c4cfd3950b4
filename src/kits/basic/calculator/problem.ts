/** Why an expression has no result. `at` is the place in the text, counted from 0. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly at: number | undefined

  constructor(message: string, at?: number) {
    super(message)
    this.at = at
  }

  /** An error of the arithmetic gets the place of its operator or function here. */
  static at<T>(place: number, calculate: () => T): T {
    try {
      return calculate()
    } catch (error) {
      throw error instanceof Problem && error.at === undefined ? new Problem(error.message, place) : error
    }
  }
}
